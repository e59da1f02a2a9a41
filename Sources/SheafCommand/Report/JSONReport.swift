import Sheaf
import SheafCore

/// News as one JSON object a line; docs/json.md describes them.
struct JSONReport: Report {
  private let isVerbose: Bool
  /// The least time between two events of progress of a download; nil for none of them.
  private let interval: Duration?
  /// Of the downloads under way.
  private var throttles: [Int: Throttle] = [:]

  init(isVerbose: Bool, interval: Duration? = Throttle.interval) {
    self.isVerbose = isVerbose
    self.interval = interval
  }

  var tellsDecisions: Bool { isVerbose }

  mutating func tell(_ news: News, of index: Int, at now: ContinuousClock.Instant) -> [Print] {
    switch news {
    case .began: return []
    case .event(.started(let start)): return [.result(line("start", index, Self.members(start)))]
    case .event(.progress(let progress)):
      guard let interval, throttles[index, default: Throttle(every: interval)].admits(at: now) else { return [] }
      return [.passing(line("progress", index, Self.members(progress)))]
    case .event(.retrying(let reason)): return [.result(line("retry", index, [("reason", .string(reason))]))]
    case .event(.warning(let message)): return [.result(line("warning", index, [("message", .string(message))]))]
    case .event(.decision(let message)):
      return isVerbose ? [.result(line("decision", index, [("message", .string(message))]))] : []
    // Other news tell as much.
    case .event(.state), .event(.redirected), .event(.identityChanged), .event(.verified): return []
    case .finished(let result):
      throttles[index] = nil
      return [.result(line("complete", index, Self.members(result)))]
    case .failed(let error, let url):
      throttles[index] = nil
      return [.result(failure(index, url, ExitStatus(error.code), error.message, error.suggestion))]
    case .notStarted(let url):
      return [.result(failure(index, url, .interrupted, "stopped before it began", howToContinue))]
    case .restNotStarted(let rest):
      return [.result(failure(nil, nil, .interrupted, "\(rest) was not begun", howToContinue))]
    }
  }

  func close(at now: ContinuousClock.Instant) -> [Print] { [] }

  private func failure(
    _ index: Int?, _ url: String?, _ status: ExitStatus, _ message: String, _ suggestion: String?
  ) -> String {
    var members: [(name: String, value: JSON)] = [
      ("url", url.map { .string(redactedURL($0)) } ?? .null), ("code", .integer(Int64(status.rawValue))),
      ("name", .string(status.name)),
      ("message", .string(message)),
    ]
    if let suggestion {
      members.append(("suggestion", .string(suggestion)))
    }
    return line("error", index, members)
  }

  /// Where a download stands, for those who want to know no more.
  static func progress(_ progress: DownloadEvent.Progress, of index: Int) -> String {
    line("progress", index, members(progress))
  }

  private func line(_ event: String, _ index: Int?, _ members: [(name: String, value: JSON)]) -> String {
    Self.line(event, index, members)
  }

  private static func line(_ event: String, _ index: Int?, _ members: [(name: String, value: JSON)]) -> String {
    JSON.object([("event", .string(event)), ("download", index.map { .integer(Int64($0 + 1)) } ?? .null)] + members)
      .text
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
      ("checks", .array(result.checks.map { JSON($0) })),
      ("fetched_bytes", .integer(result.fetchedBytes)), ("resumed_bytes", .integer(result.resumedBytes)),
      ("wasted_bytes", .integer(result.wastedBytes)), ("connections_peak", .integer(Int64(result.connectionsPeak))),
      ("waiting_share", .number((result.waitingShare * 1e4).rounded() / 1e4)),
      ("limits", .array(result.limits.map(JSON.string))),
      ("sources", .array(result.sources.map { JSON($0) })),
    ] + (result.wasAlreadyComplete ? [("already_complete", .bool(true))] : [])
      + (result.repair.map { [("repair", JSON($0))] } ?? [])
  }
}

extension JSON {
  fileprivate init(_ source: DownloadSource) {
    self = .object([
      ("url", .string(source.url)), ("received_bytes", .integer(source.receivedBytes)),
      ("problem", source.problem.map(JSON.string) ?? .null),
    ])
  }

  fileprivate init(_ repair: RepairReport) {
    self = .object([
      ("basis", .string(repair.basis.rawValue)), ("intact", .bool(repair.wasIntact)),
      ("block_size", .integer(repair.blockSize)), ("blocks", .integer(Int64(repair.blocks))),
      ("kept", .integer(Int64(repair.keptBlocks))), ("compared", .integer(Int64(repair.comparedBlocks))),
      ("on_trust", .integer(Int64(repair.trustedBlocks))),
    ])
  }

  init(_ check: DigestCheck) {
    self = .object([
      ("algorithm", .string(check.algorithm.rawValue)), ("strength", .string(check.strength.rawValue)),
      ("source", check.source.map(JSON.string) ?? .null),
    ])
  }
}
