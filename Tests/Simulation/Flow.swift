import SheafCore

/// A connection that has been opened: its traits, and where it is in its slow start and between its stalls.
struct Line {
  let traits: Network.Connection
  private var stalls: Stalls?
  private(set) var isStalled = false
  /// When it stalls next or goes on.
  private(set) var stallChangesAt = Double.infinity
  /// Bytes a round trip; infinite when slow start is over.
  private(set) var window: Double
  private(set) var doublesAt = Double.infinity

  init(_ traits: Network.Connection, hasSlowStart: Bool, openedAt time: Double) {
    self.traits = traits
    stalls = traits.stalls
    window = hasSlowStart ? Network.firstWindow : .infinity
    stallChangesAt = time + (stalls?.nextInterval() ?? .infinity)
  }

  /// An answer begins.
  mutating func begin(at time: Double, roundTrip: Double) {
    while stallChangesAt <= time { toggleStall(at: stallChangesAt) }
    if window < .infinity { doublesAt = time + roundTrip }
  }

  mutating func toggleStall(at time: Double) {
    isStalled.toggle()
    stallChangesAt = time + ((isStalled ? stalls?.nextDuration() : stalls?.nextInterval()) ?? .infinity)
  }

  /// A round trip of slow start is over, in which `rate` bytes per second came.
  mutating func double(at time: Double, rate: Double, roundTrip: Double) {
    let isLimit = rate * roundTrip >= window * 0.999
    if isLimit { window *= 2 } else if !isStalled { window = .infinity }
    doublesAt = window < .infinity ? time + roundTrip : .infinity
  }
}

/// One exchange: a request, its answer, and how much of that has come.
struct Flow {
  let id: TransferID
  /// What the server sends.
  private(set) var range: ByteRange
  /// Where it is to end.
  var end: Int64
  var line: Line
  let startedAt: Double
  let answersAt: Double
  private(set) var isAnswered = false
  private(set) var isDraining = false
  private(set) var drainsUntil = Double.infinity
  /// Bytes since the range's start.
  var carried = 0.0
  var rate = 0.0
  /// The line, and not the connection, sets the rate.
  var isLimited = false
  private(set) var silentSince = Double.infinity
  /// When something other than its end comes.
  private(set) var changesAt: Double
  private(set) var finishesAt = Double.infinity
  /// The offset that was last told, and when.
  var reported: Int64
  var reportedAt: Double

  init(id: TransferID, range: ByteRange, line: Line, startedAt: Double, answersAt: Double) {
    self.id = id
    self.range = range
    self.line = line
    self.startedAt = startedAt
    self.answersAt = answersAt
    end = range.upper
    changesAt = answersAt
    reported = range.lower
    reportedAt = startedAt
  }

  /// Where it is, with the fraction of a byte that counting needs.
  var reached: Double { Double(range.lower) + carried }
  var position: Int64 { min(end, range.lower + Int64(carried)) }

  func isDue(_ moment: Double) -> Bool { changesAt <= moment || finishesAt <= moment }

  /// What it brought, if it has brought all by now.
  mutating func concluded(at moment: Double) -> ByteRange? {
    guard !isDraining, finishesAt <= moment else { return nil }
    carried = Double(end - range.lower)
    return ByteRange(range.lower, end)
  }

  mutating func answer(at time: Double, network: Network) {
    isAnswered = true
    reportedAt = time
    line.begin(at: time, roundTrip: network.roundTrip)
  }

  mutating func carry(_ seconds: Double) {
    carried = min(carried + rate * seconds, Double(end - range.lower))
  }

  /// The bytes per second that it could bring if the line were its own.
  func demand(_ roundTrip: Double) -> Double {
    isAnswered && !line.isStalled ? min(line.traits.cap, line.window / roundTrip) : 0
  }

  /// What still comes is of no use: the server has not heard yet.
  mutating func drain(until moment: Double) {
    range = ByteRange(position, range.upper)
    end = range.upper
    carried = 0
    isDraining = true
    drainsUntil = moment
  }

  /// Notes when something will happen at the present rate.
  mutating func schedule(at time: Double) {
    guard isAnswered else { return }
    let left = Double(end - range.lower) - carried
    finishesAt = left <= 0 ? time : rate > 0 ? time + left / rate : .infinity
    if isDraining {
      changesAt = drainsUntil
      return
    }
    silentSince = rate > 0 ? .infinity : min(silentSince, time)
    changesAt = min(line.doublesAt, line.stallChangesAt, silentSince + Network.idleTimeout)
  }
}
