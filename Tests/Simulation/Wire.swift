import SheafCore

/// The exchanges under way on a network, and how far each has come.
///
/// Between two events all rates are constant, so time moves from event to event: an answer comes, a slow start doubles,
/// a connection stalls or goes on, an exchange reaches its end.
struct Wire {
  enum News {
    case answered(TransferID)
    /// The last wanted byte has come.
    case finished(TransferID, ByteRange)
    /// Nothing came for too long.
    case timedOut(TransferID, ByteRange)
    /// Nothing comes any more, for now.
    case stalled(TransferID)

    /// Whether the machine may look at all transfers because of it: then it must know where they are.
    var leadsToDecisions: Bool {
      if case .answered = self { false } else { true }
    }
  }

  let network: Network
  /// Seconds since the start.
  private(set) var time = 0.0
  /// Exchanges by number, and behind them none that ended: those that still drain are kept among them.
  private(set) var flows: [Flow] = []
  private var idle: [Line] = []
  private(set) var opened = 0
  /// Bytes that were on their way when a connection was closed: they use the line and serve nobody.
  private(set) var dropped = 0.0
  /// Seconds that all exchanges together took, and those of them in which they waited for their answers.
  private(set) var busySeconds = 0.0
  private(set) var waitingSeconds = 0.0
  /// The rates hold since this time.
  private var since = 0.0
  private var isStale = false

  init(_ network: Network) { self.network = network }

  /// Exchanges that have not ended.
  var activeCount: Int { flows.reduce(0) { $0 + ($1.isDraining ? 0 : 1) } }

  // MARK: - Orders

  /// Asks for `range` over a connection that is free, or a new one.
  mutating func start(_ id: TransferID, _ range: ByteRange) {
    let isNew = idle.isEmpty
    let line = idle.popLast() ?? open()
    let trips = isNew ? Network.tripsWhenNew : Network.tripsWhenOpen
    flows.append(Flow(id: id, range: range, line: line, startedAt: time, answersAt: time + trips * network.roundTrip))
  }

  /// Makes an exchange end at `offset`, or where it already is; returns the end, nil if there is no such exchange.
  mutating func shrink(_ id: TransferID, to offset: Int64) -> Int64? {
    guard let index = index(of: id) else { return nil }
    settle()
    isStale = true
    flows[index].end = max(flows[index].position, min(flows[index].end, offset))
    return flows[index].end
  }

  /// Ends an exchange now; returns what it brought, and nil if there is no such exchange.
  @discardableResult
  mutating func close(_ id: TransferID) -> (brought: ByteRange, wasAnswered: Bool)? {
    guard let index = index(of: id) else { return nil }
    settle()
    let flow = flows[index]
    retire(index)
    return (ByteRange(flow.range.lower, flow.position), flow.isAnswered)
  }

  /// What the answer of an exchange covers.
  func answeredRange(of id: TransferID) -> ByteRange? { index(of: id).map { flows[$0].range } }

  func hasReachedEnd(_ id: TransferID) -> Bool {
    guard let index = index(of: id) else { return false }
    return flows[index].position == flows[index].end
  }

  /// What has come since it was last asked for, of the exchanges that were not asked about for `age` seconds.
  mutating func takeProgress(olderThan age: Double) -> [(id: TransferID, offset: Int64)] {
    settle()
    var progress: [(TransferID, Int64)] = []
    for index in flows.indices where flows[index].isAnswered && flows[index].reportedAt <= time - age {
      guard flows[index].position > flows[index].reported else { continue }
      flows[index].reported = flows[index].position
      flows[index].reportedAt = time
      progress.append((flows[index].id, flows[index].position))
    }
    return progress
  }

  /// The download is over: what still drains is counted.
  mutating func conclude() {
    settle()
    for flow in flows where flow.isDraining {
      dropped += flow.carried + min(flow.rate * max(0, flow.drainsUntil - time), Double(flow.end) - flow.reached)
    }
    flows.removeAll()
  }

  // MARK: - Time

  /// Goes on to the next event, or to `limit` if that is sooner.
  mutating func advance(upTo limit: Double) -> [News] {
    if isStale { share() }
    var next = limit
    for flow in flows { next = min(next, flow.changesAt, flow.finishesAt) }
    time = max(time, next)
    // What happens at the same moment is one event, for all that rounding does to it.
    let moment = time + 1e-9 + time * 1e-12
    var news: [News] = []
    var due: [TransferID] = []
    for index in flows.indices where flows[index].isDue(moment) {
      if !isStale { settle() }
      isStale = true
      if flows[index].isDraining || flows[index].finishesAt <= moment {
        due.append(flows[index].id)
      } else if let event = change(index, moment) {
        news.append(event)
        if case .timedOut(let id, _) = event { due.append(id) }
      }
    }
    for id in due {
      guard let index = index(of: id, orDraining: true) else { continue }
      if let range = flows[index].concluded(at: moment) { news.append(.finished(id, range)) }
      retire(index)
    }
    return news
  }

  /// The moment of a flow has come that was noted in `changesAt`.
  private mutating func change(_ index: Int, _ moment: Double) -> News? {
    let id = flows[index].id
    if !flows[index].isAnswered {
      flows[index].answer(at: time, network: network)
      return .answered(id)
    }
    if flows[index].silentSince + Network.idleTimeout <= moment {
      return .timedOut(id, ByteRange(flows[index].range.lower, flows[index].position))
    }
    if flows[index].line.doublesAt <= moment {
      flows[index].line.double(at: time, rate: flows[index].rate, roundTrip: network.roundTrip)
    }
    guard flows[index].line.stallChangesAt <= moment else { return nil }
    flows[index].line.toggleStall(at: time)
    return flows[index].line.isStalled ? .stalled(id) : nil
  }

  // MARK: - Inside

  private mutating func open() -> Line {
    opened += 1
    return Line(network.connection(opened), hasSlowStart: network.hasSlowStart, openedAt: time)
  }

  /// Numbers rise in the order of starting.
  private func index(of id: TransferID, orDraining: Bool = false) -> Int? {
    var low = 0
    var high = flows.count
    while low < high {
      let middle = (low + high) / 2
      if flows[middle].id.number < id.number { low = middle + 1 } else { high = middle }
    }
    guard low < flows.count, flows[low].id == id, orDraining || !flows[low].isDraining else {
      return nil
    }
    return low
  }

  /// Takes an exchange off. Its connection is free again if the answer was read to its end, and else closed: what was on
  /// its way keeps coming for a round trip.
  private mutating func retire(_ index: Int) {
    isStale = true
    let flow = flows[index]
    if flow.isDraining {
      dropped += flow.carried
      flows.remove(at: index)
      return
    }
    busySeconds += time - flow.startedAt
    waitingSeconds += min(time, flow.answersAt) - flow.startedAt
    guard flow.isAnswered, flow.end < flow.range.upper || flow.position < flow.end else {
      if flow.isAnswered { idle.append(flow.line) }
      flows.remove(at: index)
      return
    }
    flows[index].drain(until: time + network.roundTrip)
  }

  /// Books what has come at the rates so far.
  private mutating func settle() {
    guard time > since else { return }
    for index in flows.indices { flows[index].carry(time - since) }
    since = time
  }

  /// Divides the line anew.
  private mutating func share() {
    settle()
    isStale = false
    var left = network.line
    var weights = 0.0
    var sum = 0.0
    for index in flows.indices {
      let demand = flows[index].demand(network.roundTrip)
      flows[index].rate = demand
      sum += demand
      weights += demand > 0 ? flows[index].line.traits.weight : 0
    }
    if sum > network.line {
      // Those that want less than their share leave the rest to the others, until nobody does.
      for index in flows.indices { flows[index].isLimited = flows[index].rate > 0 }
      var isEven = false
      while !isEven, weights > 0 {
        isEven = true
        let level = left / weights
        for index in flows.indices where flows[index].isLimited {
          let weight = flows[index].line.traits.weight
          guard flows[index].rate <= level * weight else { continue }
          flows[index].isLimited = false
          left = max(0, left - flows[index].rate)
          weights -= weight
          isEven = false
        }
      }
      let level = weights > 0 ? left / weights : 0
      for index in flows.indices where flows[index].isLimited {
        flows[index].rate = level * flows[index].line.traits.weight
      }
    }
    for index in flows.indices { flows[index].schedule(at: time) }
  }
}
