/// How fast the transfers of a download are, and what to expect of another one.
package struct Paces: Sendable {
  private static let remembered = 8

  private var current: [TransferID: Pace] = [:]
  /// Rates of the last transfers that ended, for when few are left to compare with.
  private var past: [Double] = []
  /// The shortest time from a request to its answer, in seconds: about a round trip.
  package private(set) var latency: Double?

  package init() {}

  package subscript(_ id: TransferID) -> Pace? { current[id] }

  package mutating func started(_ id: TransferID, now: Instant) {
    current[id] = Pace(startedAt: now)
  }

  package mutating func answered(_ id: TransferID, now: Instant) {
    if let pace = current[id], pace.answeredAt == nil {
      let time = now.seconds(since: pace.startedAt)
      latency = min(latency ?? time, time)
    }
    current[id, default: Pace(startedAt: now)].answered(now: now)
  }

  package mutating func received(_ bytes: Int64, by id: TransferID, now: Instant) {
    current[id, default: Pace(startedAt: now)].received(bytes, now: now)
  }

  package mutating func ended(_ id: TransferID, now: Instant) {
    guard let pace = current.removeValue(forKey: id), let rate = pace.bytesPerSecond(now: now) else { return }
    past.append(rate)
    if past.count > Self.remembered { past.removeFirst() }
  }

  /// Bytes per second that another transfer would probably have: the median of the others and of those before.
  package func expected(besides id: TransferID, now: Instant) -> Double? {
    let rates = current.compactMap { $0.key == id ? nil : $0.value.bytesPerSecond(now: now) } + past
    guard !rates.isEmpty else { return nil }
    return rates.sorted()[rates.count / 2]
  }

  /// The most bytes per second that a transfer besides `id` has now.
  package func fastest(besides id: TransferID, now: Instant) -> Double? {
    current.compactMap { $0.key == id ? nil : $0.value.bytesPerSecond(now: now) }.max()
  }

  /// Everybody's rates at one moment, for questions about many.
  package func table(now: Instant) -> PaceTable {
    PaceTable(current: current.compactMapValues { $0.bytesPerSecond(now: now) }, past: past)
  }
}

/// The rates of all transfers at one moment, sorted once.
package struct PaceTable {
  private let rates: [TransferID: Double]
  private let sorted: [Double]
  private let fastest: Double?
  private let second: Double?

  init(current: [TransferID: Double], past: [Double]) {
    rates = current
    sorted = (current.values + past).sorted()
    var (first, next): (Double?, Double?) = (nil, nil)
    for rate in current.values {
      if rate > first ?? -1 { (first, next) = (rate, first) } else if rate > next ?? -1 { next = rate }
    }
    (fastest, second) = (first, next)
  }

  package subscript(_ id: TransferID) -> Double? { rates[id] }

  package func expected(besides id: TransferID) -> Double? {
    guard let own = rates[id] else { return sorted.isEmpty ? nil : sorted[sorted.count / 2] }
    let count = sorted.count - 1
    guard count > 0 else { return nil }
    let middle = count / 2
    // Without one that is not above the middle, everything behind it moves down.
    return own <= sorted[middle] ? sorted[middle + 1] : sorted[middle]
  }

  package func fastest(besides id: TransferID) -> Double? {
    rates[id] == fastest ? second : fastest
  }
}
