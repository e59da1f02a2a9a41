/// Lets something happen now and then, by default at most ten times a second.
struct Throttle: Sendable {
  private var last: ContinuousClock.Instant?
  private let interval: Duration

  static let interval = Duration.milliseconds(100)

  /// - Parameters:
  ///   - interval: the least time between two times.
  ///   - start: when the first interval begins; nil to let it happen at once.
  init(every interval: Duration = Throttle.interval, from start: ContinuousClock.Instant? = nil) {
    self.interval = interval
    last = start
  }

  /// Whether it may happen at `now`; if so, it counts as having happened.
  mutating func admits(at now: ContinuousClock.Instant) -> Bool {
    if let last, last.duration(to: now) < interval { return false }
    last = now
    return true
  }
}
