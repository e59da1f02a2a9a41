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
}
