/// Lets something happen at most ten times a second.
struct Throttle: Sendable {
  private var last: ContinuousClock.Instant?

  static let interval = Duration.milliseconds(100)

  init() {}

  /// Whether it may happen at `now`; if so, it counts as having happened.
  mutating func admits(at now: ContinuousClock.Instant) -> Bool {
    if let last, last.duration(to: now) < Self.interval { return false }
    last = now
    return true
  }
}
