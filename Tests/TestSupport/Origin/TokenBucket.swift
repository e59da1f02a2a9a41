/// A rate in bytes a second, spent in small pieces; the clock is an argument.
package struct TokenBucket: Sendable {
  package let rate: Int64
  private let piece: Int
  private var tokens = 0.0
  private var filled: Double

  /// Ten milliseconds' worth at a time, so that the rate holds over any second.
  package init(rate: Int64, now: Double) {
    precondition(rate > 0, "a rate of \(rate) bytes a second never sends anything")
    self.rate = rate
    piece = Int(min(max(rate / 100, 1), 256 << 10))
    filled = now
  }

  package enum Grant: Equatable, Sendable {
    case send(Int)
    case wait(seconds: Double)
  }

  /// How many of `wanted` bytes may go now, or how long to wait before asking again.
  package mutating func take(upTo wanted: Int, now: Double) -> Grant {
    let share = min(wanted, piece)
    // What is saved up makes good for a thread that woke late, but never becomes a burst.
    let ceiling = max(Double(rate) / 20, Double(piece) * 2)
    tokens = min(tokens + (now - filled) * Double(rate), ceiling)
    filled = now
    guard tokens >= Double(share) else { return .wait(seconds: (Double(share) - tokens) / Double(rate)) }
    tokens -= Double(share)
    return .send(share)
  }
}
