import SheafCore

/// A place that a file's bytes could come from, and what became of it.
public struct DownloadSource: Hashable, Sendable {
  /// Its URL without what may be secret.
  public let url: String
  /// Bytes received from it in this run.
  public let receivedBytes: Int64
  /// Why nothing more was asked of it, a sentence part for people; nil if it served until the end.
  public let problem: String?
  /// Bytes per second of one of its connections, when last seen.
  package let connectionRate: Double?

  package init(url: String, receivedBytes: Int64, problem: String? = nil, connectionRate: Double? = nil) {
    self.url = url
    self.receivedBytes = receivedBytes
    self.connectionRate = connectionRate
    self.problem = problem
  }

  init(_ source: Source) {
    self.init(
      url: source.original.redacted, receivedBytes: source.received, problem: source.dropped,
      connectionRate: source.rate)
  }
}
