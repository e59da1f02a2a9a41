package import SheafCore

/// The real machine against a network: how long does a download take, and what does it cost?
///
/// `perform` carries out what the machine decides, `hear` tells it what the network does, and `run` moves time on. As in
/// the shell, actions wait their turn, progress is told before every decision, and the machine looks around ten times a
/// second.
package struct NetworkSimulation {
  /// Seconds between two looks around, as in the shell.
  private static let tick = 0.1
  /// A download of years must not take years to simulate: later, looks come after a share of the time gone, and so late
  /// does the machine notice what only looking around shows.
  private static func tick(after time: Double) -> Double { max(tick, (time < 100 ? 0.01 : 0.05) * time) }

  /// Progress this young, in seconds, is not worth telling: a turn of the shell's loop takes as long.
  private static let freshness = 0.01

  /// No download needs more.
  private static let mostEvents = 1_000_000

  private let network: Network
  private let identity: Identity
  private let total: Int64
  private let settings: DownloadMachine.Settings
  private let longest: Double
  private var machine: DownloadMachine
  private var budget = HostBudget()
  private let member = HostBudget.Member(1)
  private var budgeted: Int64 = 0
  private var isConsulting = false
  private var wire: Wire
  private var pending: [DownloadMachine.Action] = []
  private var isPerforming = false
  private var wakeAt = Double.infinity
  private var isDone = false
  private var written = RangeSet()

  /// What came of it.
  package private(set) var outcome = Outcome()
  /// Called with each decision and the time, in seconds.
  package var log: ((String, Double) -> Void)?
  /// Nanoseconds of CPU time used so far; to measure what decisions cost.
  package var clock: (() -> UInt64)?

  /// - Parameters:
  ///   - isPinned: whether all connections may be opened at once, without trials.
  ///   - longest: seconds after which it is given up.
  package init(
    total: Int64, network: Network, settings: DownloadMachine.Settings = .init(), isPinned: Bool = false,
    longest: Double = 100_000
  ) {
    self.network = network
    self.total = total
    self.settings = settings
    self.longest = longest
    identity = Identity(total: total, validator: .strongTag("\"one\""))
    machine = DownloadMachine(Self.location, settings: settings, resumed: nil, existing: nil)
    wire = Wire(network)
    budget.join(member, ceiling: settings.connections, isPinned: isPinned)
  }

  private static let location = Location(
    url: "https://origin.example:443/file", origin: .init(scheme: "https", host: "origin.example", port: 443))

  /// Runs the download to its end.
  package mutating func run() {
    decide { $0.begin(now: $1) }
    var nextTick = Self.tick
    while !isDone, outcome.complaint == nil {
      let limit = min(nextTick, wakeAt)
      let news = wire.advance(upTo: limit)
      let isTime = wire.time >= limit
      outcome.events += 1
      if isTime || news.contains(where: \.leadsToDecisions) { tellProgress(olderThan: isTime ? 0 : Self.freshness) }
      for event in news where !isDone { hear(event) }
      if settings.window != nil, !isDone { read() }
      if isTime, !isDone {
        wakeAt = .infinity
        nextTick = wire.time + Self.tick(after: wire.time)
        decide { $0.woke(now: $1) }
      }
      if wire.time > longest { complain("does not end") }
      if outcome.events > Self.mostEvents { complain("does not stop") }
    }
    conclude()
  }

  // MARK: - To the machine

  /// Tells the machine something and carries out what it decides.
  private mutating func decide(_ event: (inout DownloadMachine, Instant) -> [DownloadMachine.Action]) {
    let before = clock?() ?? 0
    pending += event(&machine, Instant(nanoseconds: 0).advanced(bySeconds: wire.time))
    outcome.decisions += 1
    outcome.decisionNanoseconds += (clock?() ?? 0) - before
    outcome.peakSegments = max(outcome.peakSegments, machine.activeTransfers)
    guard !isPerforming else { return }
    isPerforming = true
    var next = 0
    while next < pending.count {
      perform(pending[next])
      next += 1
    }
    pending.removeAll(keepingCapacity: true)
    isPerforming = false
    consultBudget()
  }

  /// What the shell does after each event.
  private mutating func consultBudget() {
    guard !isConsulting, !isDone else { return }
    isConsulting = true
    for _ in 0..<4 {
      let now = Instant(nanoseconds: 0).advanced(bySeconds: wire.time)
      budget.received(machine.receivedBytes - budgeted, now: now)
      budgeted = machine.receivedBytes
      budget.measured(roundTrip: network.roundTrip)
      if let decision = budget.look(now: now) { log?(decision, wire.time) }
      let active = machine.activeTransfers
      let allowance = budget.ask(member, active: active, wanted: machine.wantedTransfers, now: now)
      guard allowance.most > active || allowance.keeping < active else { break }
      decide { $0.allowed(allowance, at: $0.host, now: $1) }
      if machine.activeTransfers == active { break }
    }
    isConsulting = false
  }

  private mutating func tellProgress(olderThan age: Double) {
    let now = Instant(nanoseconds: 0).advanced(bySeconds: wire.time)
    for (id, offset) in wire.takeProgress(olderThan: age) {
      let actions = machine.advanced(id, to: offset, now: now)
      if !actions.isEmpty { decide { _, _ in actions } }
    }
  }

  /// The reader of a stream takes at once whatever has come.
  private mutating func read() {
    tellProgress(olderThan: Self.freshness)
    let end = machine.presentEnd(from: outcome.read)
    guard end > outcome.read else { return }
    outcome.read = end
    machine.handedOut(upTo: end)
    decide { $0.consumed(upTo: end, now: $1) }
  }

  private mutating func hear(_ news: Wire.News) {
    switch news {
    case .answered(let id):
      guard let range = wire.answeredRange(of: id) else { return }
      decide { [identity] in $0.answered(id, .range(range, identity), now: $1) }
    case .finished(let id, let range):
      end(id, brought: range, .finished)
    case .timedOut(let id, let range):
      log?("\(id.number) timed out", wire.time)
      end(id, brought: range, .failed(TransferFailure(.timedOut, "nothing came")))
    case .stalled:
      break
    }
  }

  private mutating func end(_ id: TransferID, brought range: ByteRange, _ ending: TransferEnding) {
    note(range)
    log?("\(id.number) brought \(range)", wire.time)
    decide { machine, now in
      guard machine.isWorking(id) || machine.isRacing(id) else {
        return machine.ended(id, ending, now: now, random: 0.5)
      }
      return machine.advanced(id, to: range.upper, now: now) + machine.ended(id, ending, now: now, random: 0.5)
    }
  }

  // MARK: - From the machine

  private mutating func perform(_ action: DownloadMachine.Action) {
    switch action {
    case .request(let request): start(request)
    case .shrink(let id, let offset):
      guard let end = wire.shrink(id, to: offset) else { return }
      log?("\(id.number) ends at \(end)", wire.time)
      decide { $0.shrunk(id, to: end, now: $1) }
      // Nothing left to bring, although the server may have more to say.
      guard wire.hasReachedEnd(id), let (range, wasAnswered) = wire.close(id) else { return }
      self.end(id, brought: range, wasAnswered ? .finished : .failed(TransferFailure(.cut, "given up")))
    case .abort(let id):
      if let (range, _) = wire.close(id) { note(range) }
    case .checkpoint: decide { $0.checkpointed(now: $1) }
    case .seal: decide { machine, _ in machine.sealed() }
    case .publish: decide { machine, _ in machine.published() }
    case .finish, .concludeAlreadyComplete: isDone = true
    case .fail(let reason): complain("fails: \(reason)")
    // A nanosecond later: no rounding may wake it too early, which would wake it for ever.
    case .wake(let moment): wakeAt = min(wakeAt, Double(moment.nanoseconds + 1) / 1e9)
    case .report(let report): log?("\(report)", wire.time)
    case .withdraw(let indices): complain("takes back \(indices.count) blocks")
    case .strain(let strain, _):
      let now = Instant(nanoseconds: 0).advanced(bySeconds: wire.time)
      if let decision = budget.strained(member, strain, active: machine.activeTransfers, now: now) {
        log?(decision, wire.time)
      }
    case .layOut, .discard, .prove, .cover, .expect, .extend, .renew: break
    }
  }

  private mutating func start(_ request: TransferRequest) {
    let asked = request.question.range
    if let window = settings.window, asked.upper > outcome.read + window {
      complain("asks for \(asked), beyond the window")
    }
    outcome.requests += 1
    wire.start(request.id, ByteRange(asked.lower, max(asked.lower, min(asked.upper, total))))
    log?("\(request.id.number) asks for \(asked), over connection \(wire.opened) or an older one", wire.time)
    outcome.peakConnections = max(outcome.peakConnections, wire.activeCount)
    if wire.activeCount > settings.connections { complain("\(wire.activeCount) connections") }
  }

  // MARK: - Books

  private mutating func note(_ range: ByteRange) {
    outcome.received += range.count
    written.insert(range)
    outcome.peakRanges = max(outcome.peakRanges, written.ranges.count)
  }

  private mutating func complain(_ text: String) {
    if outcome.complaint == nil { outcome.complaint = "\(text), at \(wire.time) s" }
  }

  private mutating func conclude() {
    wire.conclude()
    outcome.seconds = wire.time
    outcome.total = total
    outcome.dropped = Int64(wire.dropped)
    outcome.opened = wire.opened
    outcome.waitingShare = wire.busySeconds > 0 ? wire.waitingSeconds / wire.busySeconds : 0
    if isDone, written != RangeSet([ByteRange(0, total)]) { complain("ends with \(written.ranges) of \(total) bytes") }
  }
}
