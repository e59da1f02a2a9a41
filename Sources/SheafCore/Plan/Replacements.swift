/// Transfers given up lately because their siblings were so much faster.
package struct Replacements: Sendable {
  /// Seconds after which one is forgotten.
  private static let window = 60.0
  /// No more than this many in a window: a server that keeps stalling is not cured by ever new connections.
  private static let most = 24
  private var times: [Instant] = []

  package init() {}

  /// How many there were lately.
  package mutating func count(now: Instant) -> Int {
    times.removeAll { now.seconds(since: $0) > Self.window }
    return times.count
  }

  package mutating func allowsOne(now: Instant) -> Bool { count(now: now) < Self.most }

  package mutating func note(now: Instant) { times.append(now) }
}
