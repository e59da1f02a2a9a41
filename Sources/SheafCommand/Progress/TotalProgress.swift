import Sheaf

/// Adds up where all downloads stand, for the one line they share.
struct TotalProgress: Sendable {
  private enum Stage: Sendable {
    case waiting
    case running
    case over
  }

  private struct Part: Sendable {
    var stage = Stage.waiting
    var bytes: Int64 = 0
    var total: Int64?
    var bytesPerSecond = 0.0
    var connections = 0
  }

  private var parts: [Part]
  private var name = ""
  private var throttle = Throttle()
  private var timeLeft = TimeLeft()

  init(count: Int) {
    parts = Array(repeating: Part(), count: count)
  }

  /// Every download has ended.
  var isOver: Bool { parts.allSatisfy { $0.stage == .over } }

  /// Takes in the news of one download; true if the line is worth drawing because of it.
  mutating func note(_ news: News, of index: Int, name: String) -> Bool {
    switch news {
    case .event(.started(let start)):
      self.name = name
      parts[index].stage = .running
      parts[index].bytes = start.resumedBytes
      parts[index].total = start.total
    case .event(.progress(let progress)):
      parts[index].stage = .running
      parts[index].bytes = progress.bytes
      parts[index].total = progress.total
      parts[index].bytesPerSecond = progress.bytesPerSecond
      parts[index].connections = progress.connections
    case .event: return false
    case .finished(let result): parts[index] = Part(stage: .over, bytes: result.bytes, total: result.bytes)
    // What will not come any more is no part of the total.
    case .failed, .notStarted: parts[index] = Part(stage: .over, bytes: parts[index].bytes, total: parts[index].bytes)
    }
    return !isOver
  }

  /// The line for `now`; nil if the last one is too recent.
  mutating func line(at now: ContinuousClock.Instant) -> ProgressLine? {
    guard throttle.admits(at: now) else { return nil }
    let bytes = Self.sum(parts.map(\.bytes))
    // Without the length of each, a percentage would be a lie.
    let total = parts.contains { $0.total == nil } ? nil : Self.sum(parts.compactMap(\.total))
    let rate = parts.reduce(0) { $0 + $1.bytesPerSecond }
    let left = timeLeft.update(bytesPerSecond: rate, remaining: max(0, (total ?? 0) - bytes), at: now)
    let ended = parts.count { $0.stage == .over }
    return ProgressLine(
      name: parts.count == 1 ? name : "\(ended) of \(parts.count) files", bytes: bytes, total: total,
      bytesPerSecond: rate, timeLeft: total == nil ? nil : left, connections: parts.reduce(0) { $0 + $1.connections })
  }

  /// Lengths are what servers claim; their sum stops at the greatest number there is.
  private static func sum(_ values: [Int64]) -> Int64 {
    values.reduce(0) { total, value in
      let (sum, overflow) = total.addingReportingOverflow(max(0, value))
      return overflow ? .max : sum
    }
  }
}
