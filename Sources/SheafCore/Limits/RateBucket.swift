/// A rate that several share, as a debt which time repays.
///
/// Bytes that have arrived are always taken. Whoever took them then waits until all that had been taken by then is repaid:
/// so those who share the rate take turns, and who takes pieces of one size gets as much as any other.
package struct RateBucket: Hashable, Sendable {
  /// Seconds for which bytes that did not come may be made up for. In any time, the bytes taken exceed what the rate allows by
  /// this at most, and by the last piece of each who shares it.
  private static let memory = 0.1
  /// Seconds without anything to make up for after which the rate is what holds things back.
  private static let tightness = 0.5

  /// Bytes per second; nil is no limit.
  package private(set) var bytesPerSecond: Int64?
  /// All bytes so far.
  private var taken = 0.0
  /// The time has come for so many of them; a little more than were taken if there is something to make up for.
  private var repaid = 0.0
  private var settledAt: Instant
  /// When bytes did not come for which the time had come.
  private var sparedAt: Instant

  /// A place in the order of those who have taken something.
  package struct Turn: Hashable, Sendable {
    fileprivate let taken: Double
  }

  package init(bytesPerSecond: Int64?, now: Instant) {
    self.bytesPerSecond = bytesPerSecond
    settledAt = now
    sparedAt = now
  }

  /// From now on it is another rate; debts are repaid at that.
  package mutating func change(to new: Int64?, now: Instant) {
    settle(now)
    // Without a limit, nothing was held back.
    if bytesPerSecond == nil { sparedAt = now }
    bytesPerSecond = new
  }

  /// Bytes have arrived. `wait(for:now:)` says when there may be more.
  package mutating func take(_ bytes: Int, now: Instant) -> Turn {
    settle(now)
    taken += Double(bytes)
    if bytesPerSecond == nil { repaid = taken }
    return turn
  }

  /// The place of one who has taken nothing yet.
  package var turn: Turn { Turn(taken: taken) }

  /// Seconds until it is somebody's turn again; 0 if it is now. Not to be believed for long: the rate may change.
  package mutating func wait(for turn: Turn, now: Instant) -> Double {
    settle(now)
    guard let bytesPerSecond else { return 0 }
    return max(0, turn.taken - repaid) / Double(bytesPerSecond)
  }

  /// Whether this rate is what keeps things from being faster: lately, all that might come came.
  package mutating func isTight(now: Instant) -> Bool {
    settle(now)
    return bytesPerSecond != nil && now.seconds(since: sparedAt) > Self.tightness
  }

  private mutating func settle(_ now: Instant) {
    guard now > settledAt else { return }
    defer { settledAt = now }
    guard let bytesPerSecond else {
      repaid = taken
      return
    }
    let rate = Double(bytesPerSecond)
    repaid += rate * now.seconds(since: settledAt)
    let most = taken + rate * Self.memory
    guard repaid > most else { return }
    repaid = most
    sparedAt = now
  }
}
