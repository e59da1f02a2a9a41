package import SheafCore

/// Why a download ended without its file: a code for programs and a sentence for people.
///
/// Nothing appears under the final name when a download throws. If the download has a manifest, it and the part file stay
/// and starting the download again continues; only after `.checksum` it starts over.
public struct DownloadError: Error, Sendable, CustomStringConvertible {
  /// What kind of failure it was. More codes may be added; compare with the ones you handle.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's stable name, as `sheaf --json` prints it.
    public let rawValue: String

    /// Makes a code from its stable name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Nothing more exact is known.
    public static let unknown = Code(rawValue: "unknown")
    /// Connecting or receiving took longer than allowed.
    public static let timedOut = Code(rawValue: "timed-out")
    /// The server has no such file (404, 410).
    public static let notFound = Code(rawValue: "not-found")
    /// The network or TLS failed.
    public static let network = Code(rawValue: "network")
    /// It was stopped with work left; the part file and manifest are kept.
    public static let interrupted = Code(rawValue: "interrupted")
    /// It was cancelled, and what there was of it removed.
    public static let cancelled = Code(rawValue: "cancelled")
    /// Resume data is damaged, of another version or not Sheaf's at all.
    public static let invalidResumeData = Code(rawValue: "invalid-resume-data")
    /// The server cannot continue a download and continuing was required.
    public static let cannotResume = Code(rawValue: "cannot-resume")
    /// No space left, or a quota reached. Part file and manifest are kept.
    public static let diskFull = Code(rawValue: "disk-full")
    /// Another process downloads to the same target.
    public static let inUse = Code(rawValue: "in-use")
    /// The target exists and overwriting was not asked for.
    public static let exists = Code(rawValue: "exists")
    /// The finished part file could not be renamed.
    public static let renameFailed = Code(rawValue: "rename-failed")
    /// An existing file could not be opened, or is not what it should be.
    public static let openFailed = Code(rawValue: "open-failed")
    /// A file could not be created.
    public static let createFailed = Code(rawValue: "create-failed")
    /// Reading, writing or syncing failed.
    public static let fileIO = Code(rawValue: "file-io")
    /// The target directory is missing or could not be made.
    public static let directoryFailed = Code(rawValue: "directory-failed")
    /// The host name could not be resolved.
    public static let nameResolution = Code(rawValue: "name-resolution")
    /// A Metalink document makes no sense, or does not describe the file.
    public static let metalink = Code(rawValue: "metalink")
    /// The server answered with something that is not the file asked for.
    public static let badResponse = Code(rawValue: "bad-response")
    /// Too many redirects, or one to a place that is not allowed.
    public static let redirects = Code(rawValue: "redirects")
    /// Credentials are missing or were refused (401, 403, 407).
    public static let authorization = Code(rawValue: "authorization")
    /// An option, URL or checksum makes no sense; no request was made.
    public static let usage = Code(rawValue: "usage")
    /// The server is overloaded (429, 503) and stayed so.
    public static let overloaded = Code(rawValue: "overloaded")
    /// The bytes received do not have the digest asked for.
    public static let checksum = Code(rawValue: "checksum")
  }

  /// What kind of failure it was.
  public let code: Code
  /// What failed, as one sentence. Safe to print: no secrets, no control characters.
  public let message: String
  /// What to try, if anything is known to help.
  public let suggestion: String?

  /// The URL of the download that failed, without user information and query; nil if there is none, as for resume data.
  public internal(set) var url: String?

  /// What failed, then what to try.
  public var description: String {
    guard let suggestion else { return message }
    return "\(message); \(suggestion)"
  }

  init(_ code: Code, _ message: String, suggestion: String? = nil) {
    self.code = code
    self.message = message
    self.suggestion = suggestion
  }

  package init(_ failure: Failure, url: String? = nil) {
    self.url = url
    code = Code(rawValue: failure.kind.rawValue)
    message = failure.message
    suggestion = failure.suggestion
  }
}
