/// When a checkpoint is due: each second (or what the user says) or 64 MiB, whichever comes first, and never two at once.
package struct CheckpointPolicy: Sendable {
  private static let bytes: Int64 = 64 << 20

  /// Seconds.
  private let interval: Double
  private var lastBytes: Int64 = 0
  private var lastTime: Instant
  private var isRunning = false

  package init(interval: Double = 1, startedAt now: Instant) {
    self.interval = interval
    lastTime = now
  }

  /// Whether to take a checkpoint now that `received` bytes have been written in this run; if so, one counts as
  /// running until `finished()`.
  package mutating func isDue(received: Int64, now: Instant) -> Bool {
    guard !isRunning, received > lastBytes else { return false }
    guard received - lastBytes >= Self.bytes || now.seconds(since: lastTime) >= interval else { return false }
    lastBytes = received
    lastTime = now
    isRunning = true
    return true
  }

  package mutating func finished() { isRunning = false }
}
