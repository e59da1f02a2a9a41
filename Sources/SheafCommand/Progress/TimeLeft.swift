/// Guesses how long a download still takes, smoothly: the rate of the last seconds counts most, but one burst
/// or stall does not turn the guess over.
struct TimeLeft: Sendable {
  private var smoothed: (rate: Double, at: ContinuousClock.Instant)?

  /// After this time an old rate counts for about a third.
  private static let memory = 5.0

  init() {}

  /// Notes the rate at `now` and says how long `remaining` bytes take; nil while nothing moves.
  mutating func update(
    bytesPerSecond: Double, remaining: Int64, at now: ContinuousClock.Instant
  ) -> Duration? {
    let rate = bytesPerSecond.isFinite ? max(0, bytesPerSecond) : 0
    if let (old, then) = smoothed {
      let elapsed = seconds(then.duration(to: now))
      let weight = elapsed / (Self.memory + elapsed)
      smoothed = (old + (rate - old) * weight, now)
    } else if rate > 0 {
      smoothed = (rate, now)
    }
    guard let smoothed, smoothed.rate >= 1 else { return nil }
    let left = Double(max(0, remaining)) / smoothed.rate
    return left < 1e9 ? .seconds(left.rounded(.up)) : nil
  }
}
