/// How fast the transfers of a download are, and what to expect of another one.
package struct Paces: Sendable {
  private static let remembered = 8

  private var current: [TransferID: Pace] = [:]
  /// Rates of the last transfers that ended, for when few are left to compare with.
  private var past: [Double] = []
  /// The shortest time from a request to its answer, in seconds: about a round trip.
  package private(set) var latency: Double?
  /// Seconds that all transfers together spent before and after their answers began.
  private var waited = 0.0
  private var carried = 0.0

  package init() {}

  package subscript(_ id: TransferID) -> Pace? { current[id] }

  /// When the oldest answer to a transfer under way was accepted.
  package var oldest: Instant? { current.values.compactMap(\.answeredAt).min() }

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

  /// That nothing came until now was of our own making.
  package mutating func excuse(now: Instant) {
    for id in current.keys { current[id]?.excuse(now: now) }
  }

  /// Returns the bytes per second that the transfer had in the end.
  package mutating func ended(_ id: TransferID, now: Instant) -> Double? {
    guard let pace = current.removeValue(forKey: id) else { return nil }
    waited += (pace.answeredAt ?? now).seconds(since: pace.startedAt)
    carried += pace.answeredAt.map { now.seconds(since: $0) } ?? 0
    guard let rate = pace.bytesPerSecond(now: now) else { return nil }
    // A short one was over before it came up to speed.
    guard past.isEmpty || pace.experience > max(0.3, 4 * (latency ?? 0)) else { return rate }
    past.append(rate)
    if past.count > Self.remembered { past.removeFirst() }
    return rate
  }

  /// The transfer was given up or turned away: its silence from here on says nothing about the others.
  package mutating func forget(_ id: TransferID) { current[id] = nil }

  /// How even the transfers' rates are now: the slowest one's share of the fastest one's. Nil unless several have been at
  /// work for a while.
  package func evenness(now: Instant) -> Double? {
    let rates = current.values.filter { $0.experience > 1 }.compactMap { $0.bytesPerSecond(now: now) }
    guard rates.count > 2, let least = rates.min(), let most = rates.max(), most > 0 else { return nil }
    return least / most
  }

  /// Bytes per second of a transfer, at the median of those under way and the last that ended.
  package func usual(now: Instant) -> Double? { table(now: now).expected(besides: nil) }

  /// The share of the transfers' time in which they waited for their answers: connecting and the idle round trips.
  package var gapShare: Double { waited > 0 ? waited / (waited + carried) : 0 }

  /// Everybody's rates at one moment, for questions about many.
  package func table(now: Instant) -> PaceTable {
    PaceTable(current: current.compactMapValues { $0.bytesPerSecond(now: now) }, past: past)
  }
}
