/// Lets something happen now and then, by default at most ten times a second.
struct Throttle: Sendable {
  private var last: ContinuousClock.Instant?
  private let interval: Duration

  static let interval = Duration.milliseconds(100)

  private let isDueAtOnce: Bool

  /// - Parameters:
  ///   - interval: the least time between two times.
  ///   - isDueAtOnce: it may happen the first time it is asked for; else the first interval begins then.
  init(every interval: Duration = Throttle.interval, isDueAtOnce: Bool = true) {
    self.interval = interval
    self.isDueAtOnce = isDueAtOnce
  }

  /// Whether it may happen at `now`; if so, it counts as having happened.
  mutating func admits(at now: ContinuousClock.Instant) -> Bool {
    if let last, last.duration(to: now) < interval { return false }
    let isFirst = last == nil
    last = now
    return !isFirst || isDueAtOnce
  }
}
