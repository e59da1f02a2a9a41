/// What proves that all parts of a download are parts of the same file.
public enum IdentityStrength: String, Sendable {
  /// A strong ETag, a Last-Modified that RFC 9110 section 8.8.2.2 makes strong, or a digest from the user.
  case strong
  /// A weak ETag or a Last-Modified that proves little.
  case weak
  /// Nothing, or no more than a length.
  case none
}

/// News of a download under way.
public enum DownloadEvent: Sendable {
  /// The server answered and the plan is made.
  case started(Start)
  /// Where the download stands; at most ten a second, and only the newest is worth keeping.
  case progress(Progress)
  /// The download is in another state.
  case state(Download.State)
  /// A server sent a request elsewhere: to this URL, without user information and query values.
  case redirected(to: String)
  /// The file is another one than it was, so the download has begun anew; the reason is a part of a sentence.
  case identityChanged(reason: String)
  /// These digests were compared, and matched.
  case verified([DigestCheck])
  /// Something failed and is tried again.
  case retrying(reason: String)
  /// Something the user should know, although the download goes on.
  case warning(String)
  /// What was decided and why, for `--verbose`.
  case decision(String)

  /// What is known when the first answer has been accepted.
  public struct Start: Sendable {
    /// The URL asked for, without user information and query values.
    public let url: String
    /// Where the finished file will be.
    public let path: String
    /// The file's length in bytes, if the server says.
    public let total: Int64?
    /// Bytes kept from an earlier run; not 0 if the download was resumed.
    public let resumedBytes: Int64
    /// What proves that all parts are of one file.
    public let identity: IdentityStrength

    package init(url: String, path: String, total: Int64?, resumedBytes: Int64, identity: IdentityStrength) {
      self.url = url
      self.path = path
      self.total = total
      self.resumedBytes = resumedBytes
      self.identity = identity
    }
  }

  /// Where a download stands.
  public struct Progress: Sendable {
    /// Bytes present, those of earlier runs included.
    public let bytes: Int64
    /// The file's length in bytes, if known.
    public let total: Int64?
    /// Bytes received in each second, over the last few seconds.
    public let bytesPerSecond: Double
    /// Connections that carry a request now.
    public let connections: Int
    /// Those of `bytes` that come from earlier runs.
    public let resumedBytes: Int64

    package init(
      bytes: Int64, total: Int64?, bytesPerSecond: Double, connections: Int, resumedBytes: Int64 = 0
    ) {
      self.bytes = bytes
      self.total = total
      self.bytesPerSecond = bytesPerSecond
      self.connections = connections
      self.resumedBytes = resumedBytes
    }

    /// The share of the file that is present, 0 to 1; nil while its length is unknown.
    public var fraction: Double? { total.map { $0 > 0 ? Double(bytes) / Double($0) : 1 } }

    /// How long the rest takes at the present rate; nil while nothing moves or the length is unknown.
    public var timeLeft: Duration? {
      guard let total, bytesPerSecond >= 1 else { return nil }
      let seconds = Double(max(0, total - bytes)) / bytesPerSecond
      return seconds < 1e9 ? .seconds(seconds.rounded(.up)) : nil
    }
  }
}

/// What a finished download was.
public struct DownloadResult: Sendable {
  /// Where the file is.
  public let path: String
  /// Its length in bytes.
  public let bytes: Int64
  /// How long it took.
  public let duration: Duration
  /// What proved that all its parts are of one file.
  public let identity: IdentityStrength
  /// The digests that were compared and matched.
  public let checks: [DigestCheck]
  /// Bytes received in this run, repeated ones included.
  public let fetchedBytes: Int64
  /// Bytes received that are not part of the file: asked for twice, discarded or damaged.
  public let wastedBytes: Int64
  /// Bytes kept from earlier runs.
  public let resumedBytes: Int64
  /// The share of the connections' time in which they waited for answers, 0 to 1, connecting included.
  public let waitingShare: Double
  /// What kept the download from being faster, the most important first: sentence parts for people.
  public let limits: [String]
  /// The most connections that carried a request at the same time.
  public let connectionsPeak: Int
  /// The places that the file's bytes could come from, the download's own URL first.
  public let sources: [DownloadSource]
  /// The file was there already and proved to be the server's: nothing was fetched.
  public let wasAlreadyComplete: Bool
  /// What repairing came to, if that was what the download was for.
  public internal(set) var repair: RepairReport?

  package init(
    path: String, bytes: Int64, duration: Duration, identity: IdentityStrength, checks: [DigestCheck],
    fetchedBytes: Int64, wastedBytes: Int64, resumedBytes: Int64, connectionsPeak: Int, waitingShare: Double,
    limits: [String], sources: [DownloadSource] = [], wasAlreadyComplete: Bool
  ) {
    self.path = path
    self.bytes = bytes
    self.duration = duration
    self.identity = identity
    self.checks = checks
    self.fetchedBytes = fetchedBytes
    self.resumedBytes = resumedBytes
    self.connectionsPeak = connectionsPeak
    self.wastedBytes = wastedBytes
    self.waitingShare = waitingShare
    self.limits = limits
    self.sources = sources
    self.wasAlreadyComplete = wasAlreadyComplete
  }

  /// The algorithms of those digests that vouch for the file, such as `sha-256`: the user's own, and those of others that
  /// nobody could forge.
  public var verified: [String] {
    checks.filter { $0.source == nil || $0.strength == .integrity }.map(\.algorithm.rawValue)
  }
}
