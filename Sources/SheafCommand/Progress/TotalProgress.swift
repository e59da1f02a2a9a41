import Sheaf

/// Adds up where all downloads stand, for the one line they share.
struct TotalProgress: Sendable {
  /// A download under way.
  private struct Part: Sendable {
    var bytes: Int64 = 0
    var total: Int64?
    var bytesPerSecond = 0.0
    var connections = 0
  }

  /// How many downloads there will be; nil if that is not known.
  private let count: Int?
  private var parts: [Int: Part] = [:]
  private var endedCount = 0
  /// Of those that have ended.
  private var endedBytes: Int64 = 0
  private var name = ""
  private var throttle: Throttle
  private var timeLeft = TimeLeft()

  /// - Parameters:
  ///   - count: how many downloads there will be; nil if that is not known.
  ///   - throttle: when a line is due.
  init(count: Int?, throttle: Throttle = Throttle()) {
    self.count = count
    self.throttle = throttle
  }

  /// Every download has ended, as far as is known.
  var isOver: Bool { parts.isEmpty && endedCount >= count ?? 0 }

  /// Takes in the news of one download; true if the line is worth drawing because of it.
  mutating func note(_ news: News, of index: Int, name: String) -> Bool {
    switch news {
    case .began:
      parts[index] = Part()
      return false
    case .event(.started(let start)):
      self.name = name
      parts[index, default: Part()].bytes = start.resumedBytes
      parts[index, default: Part()].total = start.total
    case .event(.progress(let progress)):
      parts[index] = Part(
        bytes: progress.bytes, total: progress.total, bytesPerSecond: progress.bytesPerSecond,
        connections: progress.connections)
    case .event, .restNotStarted: return false
    case .finished(let result): end(index, bytes: result.bytes)
    // What will not come any more is no part of the total.
    case .failed, .notStarted: end(index, bytes: parts[index]?.bytes ?? 0)
    }
    return !isOver
  }

  private mutating func end(_ index: Int, bytes: Int64) {
    parts[index] = nil
    endedCount += 1
    endedBytes = Self.sum(endedBytes, bytes)
  }

  /// The line for `now`; nil if the last one is too recent.
  mutating func line(at now: ContinuousClock.Instant) -> ProgressLine? {
    guard throttle.admits(at: now) else { return nil }
    let bytes = parts.values.reduce(endedBytes) { Self.sum($0, $1.bytes) }
    let total = total
    let rate = parts.values.reduce(0) { $0 + $1.bytesPerSecond }
    let left = timeLeft.update(bytesPerSecond: rate, remaining: max(0, (total ?? 0) - bytes), at: now)
    return ProgressLine(
      name: count == 1 ? name : count.map { "\(endedCount) of \($0) files" } ?? "\(endedCount) files", bytes: bytes,
      total: total, bytesPerSecond: rate, timeLeft: total == nil ? nil : left,
      connections: parts.values.reduce(0) { $0 + $1.connections })
  }

  /// Nil without the length of each: a percentage would be a lie.
  private var total: Int64? {
    guard endedCount + parts.count == count else { return nil }
    var total = endedBytes
    for part in parts.values {
      guard let length = part.total else { return nil }
      total = Self.sum(total, length)
    }
    return total
  }

  /// Lengths are what servers claim; their sum stops at the greatest number there is.
  private static func sum(_ one: Int64, _ other: Int64) -> Int64 {
    let (sum, overflow) = one.addingReportingOverflow(max(0, other))
    return overflow ? .max : sum
  }
}
