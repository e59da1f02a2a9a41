/// Whether a download has become slower than the user bears.
package struct SpeedWatch: Sendable {
  /// Bytes per second.
  private let least: Int64
  /// Seconds over which it is measured.
  private let period: Double
  private var since: (at: Instant, bytes: Int64)?

  package init(least: Int64, period: Double) {
    self.least = least
    self.period = period
  }

  /// Looks at `received`, all bytes so far; to be called several times a second.
  /// - Parameter isExcused: somebody else than the server makes it slow now; time is measured anew from here.
  package mutating func isTooSlow(_ received: Int64, isExcused: Bool, now: Instant) -> Bool {
    guard let since, !isExcused else {
      since = (now, received)
      return false
    }
    let seconds = now.seconds(since: since.at)
    guard seconds >= period else { return false }
    self.since = (now, received)
    return Double(received - since.bytes) < Double(least) * seconds
  }
}
