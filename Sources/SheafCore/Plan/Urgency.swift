/// Whether bytes that somebody waits for come soon enough from whoever is fetching them.
package enum Urgency {
  /// A new request would not be much faster for so few bytes.
  private static let near: Int64 = 256 << 10
  /// Seconds, besides what a new request takes.
  private static let patience = 0.2

  /// - Parameter pace: that of the transfer whose segment it is.
  package static func isFar(
    _ offset: Int64, from segment: Segment, _ pace: Pace?, _ paces: Paces, _ now: Instant
  ) -> Bool {
    let distance = offset - segment.position
    guard distance > near else { return false }
    guard let rate = pace?.bytesPerSecond(now: now) ?? paces.usual(now: now) else { return true }
    return Double(distance) / max(rate, 1) > patience + 4 * (paces.latency ?? 0)
  }
}
