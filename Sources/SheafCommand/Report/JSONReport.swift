import Sheaf

/// News as one JSON object a line; docs/json.md describes them.
struct JSONReport: Report {
  /// What was asked for, redacted, in the order of the command line.
  private let urls: [String]
  private let isVerbose: Bool
  private var throttles: [Throttle]

  init(urls: [String], isVerbose: Bool) {
    self.urls = urls
    self.isVerbose = isVerbose
    throttles = Array(repeating: Throttle(), count: urls.count)
  }

  mutating func tell(_ news: News, of index: Int, at now: ContinuousClock.Instant) -> [Print] {
    switch news {
    case .event(.started(let start)): [.result(line("start", index, Self.members(start)))]
    case .event(.progress(let progress)):
      throttles[index].admits(at: now) ? [.passing(line("progress", index, Self.members(progress)))] : []
    case .event(.retrying(let reason)): [.result(line("retry", index, [("reason", .string(reason))]))]
    case .event(.warning(let message)): [.result(line("warning", index, [("message", .string(message))]))]
    case .event(.decision(let message)):
      isVerbose ? [.result(line("decision", index, [("message", .string(message))]))] : []
    case .finished(let result): [.result(line("complete", index, Self.members(result)))]
    case .failed(let error): [.result(failure(index, ExitStatus(error.code), error.message, error.suggestion))]
    case .notStarted: [.result(failure(index, .interrupted, "stopped before it began", howToContinue))]
    }
  }

  private func failure(_ index: Int, _ status: ExitStatus, _ message: String, _ suggestion: String?) -> String {
    var members: [(name: String, value: JSON)] = [
      ("url", .string(urls[index])), ("code", .integer(Int64(status.rawValue))), ("name", .string(status.name)),
      ("message", .string(message)),
    ]
    if let suggestion {
      members.append(("suggestion", .string(suggestion)))
    }
    return line("error", index, members)
  }

  private func line(_ event: String, _ index: Int, _ members: [(name: String, value: JSON)]) -> String {
    JSON.object([("event", .string(event)), ("download", .integer(Int64(index + 1)))] + members).text
  }

  private static func members(_ start: DownloadEvent.Start) -> [(name: String, value: JSON)] {
    [
      ("url", .string(start.url)), ("path", .string(start.path)), ("total", start.total.map(JSON.integer) ?? .null),
      ("resumed_bytes", .integer(start.resumedBytes)), ("identity", .string(start.identity.rawValue)),
    ]
  }

  private static func members(_ progress: DownloadEvent.Progress) -> [(name: String, value: JSON)] {
    [
      ("bytes", .integer(progress.bytes)), ("total", progress.total.map(JSON.integer) ?? .null),
      ("bytes_per_second", .number(progress.bytesPerSecond.isFinite ? progress.bytesPerSecond.rounded() : 0)),
      ("connections", .integer(Int64(progress.connections))),
    ]
  }

  private static func members(_ result: DownloadResult) -> [(name: String, value: JSON)] {
    [
      ("path", .string(result.path)), ("bytes", .integer(result.bytes)), ("seconds", .number(seconds(result.duration))),
      ("identity", .string(result.identity.rawValue)), ("verified", .array(result.verified.map(JSON.string))),
      ("fetched_bytes", .integer(result.fetchedBytes)), ("resumed_bytes", .integer(result.resumedBytes)),
      ("connections_peak", .integer(Int64(result.connectionsPeak))),
    ] + (result.wasAlreadyComplete ? [("already_complete", .bool(true))] : [])
  }
}
