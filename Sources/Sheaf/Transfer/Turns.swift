import SheafCore

/// One transfer's places in the limits that it keeps to.
struct Turns {
  private let limits: [RateLimit]
  private var turns: [RateBucket.Turn]

  /// Seconds after which a wait is looked at again: the limit may have changed.
  private static let patience = 0.25

  /// Behind all that has been taken so far: else many small transfers would pass by the limits.
  init(_ limits: [RateLimit]) {
    self.limits = limits
    turns = limits.map(\.turn)
  }

  /// There is nothing to keep to.
  var isEmpty: Bool { limits.isEmpty }

  mutating func take(_ bytes: Int, now: Instant) {
    for index in limits.indices { turns[index] = limits[index].take(bytes, now: now) }
  }

  /// When to look again whether more may be taken; nil if it may be now.
  func next(_ now: Instant) -> Instant? {
    var wait = 0.0
    for (limit, turn) in zip(limits, turns) { wait = max(wait, limit.wait(for: turn, now: now)) }
    return wait > 0 ? now.advanced(bySeconds: min(wait, Self.patience)) : nil
  }
}
