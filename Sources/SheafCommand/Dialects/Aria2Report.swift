import Sheaf

/// News in the shape of aria2's console, for programs that read it there: all on standard output, but for errors.
struct Aria2Report: Report {
  private struct Part {
    var bytes: Int64 = 0
    var total: Int64?
    var rate = 0.0
    var connections = 0
  }

  private let isQuiet: Bool
  private let showsReadout: Bool
  private var parts: [Int: Part] = [:]
  private var throttle: Throttle
  private var left = TimeLeft()

  /// aria2's own pace.
  static let interval = Duration.seconds(1)

  init(isQuiet: Bool, showsReadout: Bool, every interval: Duration = Aria2Report.interval) {
    self.isQuiet = isQuiet
    self.showsReadout = showsReadout
    throttle = Throttle(every: interval)
  }

  var tellsDecisions: Bool { false }

  mutating func tell(_ news: News, of index: Int, at now: ContinuousClock.Instant) -> [Print] {
    switch news {
    case .began:
      parts[index] = Part()
      return []
    case .event(.started(let start)):
      parts[index] = Part(bytes: start.resumedBytes, total: start.total)
      return []
    case .event(.progress(let progress)):
      parts[index] = Part(
        bytes: progress.bytes, total: progress.total, rate: progress.bytesPerSecond, connections: progress.connections)
      guard showsReadout, !isQuiet, throttle.admits(at: now) else { return [] }
      return [.passing(readout(at: now))]
    case .event(.warning(let message)): return isQuiet ? [] : [.message("sheaf: warning: \(message)")]
    case .event: return []
    case .finished(let result):
      parts[index] = nil
      return isQuiet ? [] : [.result("[NOTICE] Download complete: \(result.path)")]
    case .failed(let error, let url):
      parts[index] = nil
      return [
        .message("[ERROR] \(redactedURL(url)): \(error.description)"),
        .message("errorCode=\(ExitStatus(error.code).rawValue) \(error.message)"),
      ]
    case .notStarted(let url): return [.message("[ERROR] \(redactedURL(url)): stopped before it began")]
    case .restNotStarted(let rest): return [.message("[ERROR] \(rest) was not begun; \(howToContinue)")]
    }
  }

  func close(at now: ContinuousClock.Instant) -> [Print] { [] }

  /// `[#2089b0 400.0KiB/33.2MiB(1%) CN:1 DL:115.7KiB ETA:4m51s]`; of several `[DL:1.2MiB][#000001 ...][#000002 ...]`.
  private mutating func readout(at now: ContinuousClock.Instant) -> String {
    let shown = parts.sorted { $0.key < $1.key }.prefix(5)
    let rate = parts.values.reduce(0) { $0 + $1.rate }
    guard parts.count == 1, let (index, part) = shown.first else {
      let rest = parts.count > shown.count ? "(+\(parts.count - shown.count))" : ""
      return "[DL:\(Self.size(rate))]" + shown.map { "[\(Self.amount($0.key, $0.value))]" }.joined() + rest
    }
    let remaining = (part.total ?? 0) - part.bytes
    let time = left.update(bytesPerSecond: part.rate, remaining: max(0, remaining), at: now)
    let end = part.total != nil ? time.map { " ETA:\(Self.time($0))" } ?? "" : ""
    return "[\(Self.amount(index, part)) CN:\(part.connections) DL:\(Self.size(part.rate))\(end)]"
  }

  private static func amount(_ index: Int, _ part: Part) -> String {
    let name = String(index + 1, radix: 16)
    let number = String(repeating: "0", count: max(0, 6 - name.count)) + name
    guard let total = part.total, total > 0 else { return "#\(number) \(size(Double(part.bytes)))/0B" }
    let percent = Int(100 * min(1, Double(part.bytes) / Double(total)))
    return "#\(number) \(size(Double(part.bytes)))/\(size(Double(total)))(\(percent)%)"
  }

  private static func size(_ bytes: Double) -> String {
    guard bytes.isFinite, bytes >= 1024 else { return "\(Int64(max(0, bytes.isFinite ? bytes : 0)))B" }
    let kibibytes = bytes / 1024
    if kibibytes < 1024 { return "\(tenths(kibibytes))KiB" }
    return kibibytes < 1024 * 1024 ? "\(tenths(kibibytes / 1024))MiB" : "\(tenths(kibibytes / 1024 / 1024))GiB"
  }

  private static func time(_ duration: Duration) -> String {
    let whole = duration.components.seconds
    let (hours, minutes, seconds) = (whole / 3600, whole % 3600 / 60, whole % 60)
    return hours > 0 ? "\(hours)h\(minutes)m\(seconds)s" : minutes > 0 ? "\(minutes)m\(seconds)s" : "\(seconds)s"
  }
}
