/// How fast one transfer is: an average that forgets, over about a second.
package struct Pace: Hashable, Sendable {
  /// Seconds after which older bytes count little.
  private static let memory = 1.0
  /// Bytes that arrive together count as having taken at least this long, in seconds.
  private static let shortest = 0.001

  package let startedAt: Instant
  /// When the answer was accepted.
  package private(set) var answeredAt: Instant?
  private var lastAt: Instant
  /// Up to then its silence was of our own making.
  private var excusedAt: Instant?
  private var average = 0.0
  private var observed = 0.0

  package init(startedAt now: Instant) {
    startedAt = now
    lastAt = now
  }

  package mutating func answered(now: Instant) {
    answeredAt = answeredAt ?? now
    lastAt = now
  }

  package mutating func received(_ bytes: Int64, now: Instant) {
    let time = max(Self.shortest, now.seconds(since: lastAt))
    let weight = min(Self.memory, observed)
    average = (average * weight + Double(bytes)) / (weight + time)
    observed += time
    lastAt = now
  }

  /// Bytes per second; falls with silence. Nil before the first byte.
  package func bytesPerSecond(now: Instant) -> Double? {
    guard observed > 0 else { return nil }
    let weight = min(Self.memory, observed)
    return average * weight / (weight + max(0, now.seconds(since: lastAt)))
  }

  /// Seconds since the last byte, the answer or the start, without those of our own making.
  package func silence(now: Instant) -> Double { now.seconds(since: max(lastAt, excusedAt ?? lastAt)) }

  package mutating func excuse(now: Instant) { excusedAt = now }

  /// Seconds for which bytes have been arriving.
  package var experience: Double { observed }
}
