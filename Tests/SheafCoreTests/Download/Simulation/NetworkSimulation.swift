import SheafCore

/// The real machine against a network of connections with rates of their own: how long does a download take?
///
/// Time moves in small steps. A connection carries one transfer at a time, is opened in two round trips and used again
/// when an answer was read to its end. The line is shared in proportion to the connections' rates.
struct NetworkSimulation {
  struct Network {
    /// Seconds.
    var roundTrip = 0.02
    /// Bytes per second of all connections together.
    var line = Double.infinity
    /// Bytes per second of the n-th connection, counted from 1.
    var rate: (Int) -> Double
  }

  private struct Connection {
    let number: Int
    let rate: Double
    var isOpen = false
  }

  private struct Flow {
    let request: TransferRequest
    var connection: Connection
    var position: Int64
    var end: Int64
    let answersAt: Double
    var isAnswered = false
    var fraction = 0.0
  }

  private static let step = 0.005
  private static let longest = 100_000.0

  private let network: Network
  private let identity: Identity
  private var machine: DownloadMachine
  private var flows: [TransferID: Flow] = [:]
  private var idle: [Connection] = []
  private var opened = 0
  private var time = 0.0
  private var wakeAt: Double?
  private var isDone = false
  private(set) var requests = 0
  private(set) var failure: Failure?

  init(total: Int64, network: Network, settings: DownloadMachine.Settings = .init()) {
    self.network = network
    identity = Identity(total: total, validator: .strongTag("\"one\""))
    machine = DownloadMachine(.original, settings: settings, resumed: nil, existing: nil)
  }

  private var now: Instant { Instant(nanoseconds: 0).advanced(bySeconds: time) }

  /// Seconds until the download is done.
  mutating func run() -> Double {
    carryOut(machine.begin(now: now))
    var nextTick = 0.1
    while !isDone, failure == nil, time < Self.longest {
      time += Self.step
      advance()
      if time >= nextTick || (wakeAt ?? .infinity) <= time {
        nextTick = time + 0.1
        wakeAt = nil
        carryOut(machine.woke(now: now))
      }
    }
    return time
  }

  private mutating func advance() {
    let wanted = flows.values.filter { $0.answersAt <= time }.reduce(0) { $0 + $1.connection.rate }
    let share = wanted > 0 ? min(1, network.line / wanted) : 1
    for id in flows.keys.sorted(by: { $0.number < $1.number }) {
      guard var flow = flows[id], flow.answersAt <= time else { continue }
      if !flow.isAnswered {
        flow.isAnswered = true
        flow.end = min(flow.end, identity.total ?? 0)
        flows[id] = flow
        let range = ByteRange(flow.position, min(flow.request.question.range.upper, identity.total ?? 0))
        carryOut(machine.answered(id, .range(range, identity), now: now))
        guard flows[id] != nil else { continue }
        flow = flows[id] ?? flow
      }
      let bytes = flow.connection.rate * share * Self.step + flow.fraction
      let whole = min(Int64(bytes), flow.end - flow.position)
      flow.fraction = bytes - Double(Int64(bytes))
      flow.position += whole
      flows[id] = flow
      if whole > 0 { carryOut(machine.advanced(id, to: flow.position, now: now)) }
      if let flow = flows[id], flow.position == flow.end { finish(id) }
    }
  }

  private mutating func finish(_ id: TransferID) {
    guard let flow = flows.removeValue(forKey: id) else { return }
    if flow.end == min(flow.request.question.range.upper, identity.total ?? 0) { idle.append(flow.connection) }
    let ending = flow.isAnswered ? TransferEnding.finished : .failed(TransferFailure(.cut, "given up"))
    carryOut(machine.ended(id, ending, now: now, random: 0.5))
  }

  private mutating func carryOut(_ actions: [DownloadMachine.Action]) {
    for action in actions {
      switch action {
      case .request(let request): start(request)
      case .shrink(let id, let offset):
        guard var flow = flows[id] else { continue }
        flow.end = max(flow.position, min(flow.end, offset))
        flows[id] = flow
        carryOut(machine.shrunk(id, to: flow.end, now: now))
        if flow.position == flow.end { finish(id) }
      case .abort(let id): flows[id] = nil
      case .checkpoint: carryOut(machine.checkpointed(now: now))
      case .seal: carryOut(machine.sealed())
      case .publish: carryOut(machine.published())
      case .finish, .concludeAlreadyComplete: isDone = true
      case .fail(let reason): failure = reason
      case .wake(let moment): wakeAt = Double(moment.nanoseconds) / 1e9
      case .layOut, .discard, .prove, .report, .cover, .strain: break
      }
    }
  }

  private mutating func start(_ request: TransferRequest) {
    requests += 1
    var connection: Connection
    var trips = 1.0
    if let known = idle.popLast() {
      connection = known
    } else {
      opened += 1
      connection = Connection(number: opened, rate: network.rate(opened))
      trips = 2
    }
    connection.isOpen = true
    flows[request.id] = Flow(
      request: request, connection: connection, position: request.question.range.lower,
      end: request.question.range.upper, answersAt: time + trips * network.roundTrip)
  }
}
