import Sheaf

/// The statuses that the command ends with: aria2's numbers, for scripts that know them.
enum ExitStatus: Int32, CaseIterable, Sendable {
  case ok = 0
  case unknown = 1
  case timedOut = 2
  case notFound = 3
  case tooSlow = 5
  case network = 6
  case interrupted = 7
  case cannotResume = 8
  case diskFull = 9
  case inUse = 11
  case exists = 13
  case renameFailed = 14
  case openFailed = 15
  case createFailed = 16
  case fileIO = 17
  case directoryFailed = 18
  case nameResolution = 19
  case metalink = 20
  case badResponse = 22
  case redirects = 23
  case authorization = 24
  case usage = 28
  case overloaded = 29
  case checksum = 32

  /// The status for a failed download; `unknown` for a code that is newer than this table.
  init(_ code: DownloadError.Code) {
    self = Self.allCases.first { $0.name == code.rawValue } ?? .unknown
  }

  /// The name in JSON, the same as the raw value of the library's code.
  var name: String {
    switch self {
    case .ok: "ok"
    case .unknown: "unknown"
    case .timedOut: "timed-out"
    case .notFound: "not-found"
    case .tooSlow: "too-slow"
    case .network: "network"
    case .interrupted: "interrupted"
    case .cannotResume: "cannot-resume"
    case .diskFull: "disk-full"
    case .inUse: "in-use"
    case .exists: "exists"
    case .renameFailed: "rename-failed"
    case .openFailed: "open-failed"
    case .createFailed: "create-failed"
    case .fileIO: "file-io"
    case .directoryFailed: "directory-failed"
    case .nameResolution: "name-resolution"
    case .metalink: "metalink"
    case .badResponse: "bad-response"
    case .redirects: "redirects"
    case .authorization: "authorization"
    case .usage: "usage"
    case .overloaded: "overloaded"
    case .checksum: "checksum"
    }
  }

  /// When it is the one, for people.
  var meaning: String {
    switch self {
    case .ok: "every file is complete, or was already"
    case .unknown: "nothing more exact is known"
    case .timedOut: "connecting or receiving took too long, and trying again did not help"
    case .notFound: "the server has no such file"
    case .tooSlow: "slower than the lowest speed asked for"
    case .network: "connection or TLS failed"
    case .interrupted: "stopped with work left; the same command continues"
    case .cannotResume: "the server cannot continue, and continuing was required"
    case .diskFull: "no space or quota left"
    case .inUse: "another download has the same target"
    case .exists: "the target exists and must not be replaced"
    case .renameFailed: "the complete file could not get its name"
    case .openFailed: "an existing file could not be opened, or may not be ours"
    case .createFailed: "a file could not be created"
    case .fileIO: "reading, writing or syncing failed"
    case .directoryFailed: "the target directory is missing and could not be made"
    case .nameResolution: "the host has no address"
    case .metalink: "a Metalink document cannot be read or used"
    case .badResponse: "the server's answer is not the file asked for"
    case .redirects: "too many redirects, or one to a place that is not allowed"
    case .authorization: "the server or proxy wants a name and password, or refuses them"
    case .usage: "the command line or its list makes no sense"
    case .overloaded: "the server is overloaded or limits requests, and it stayed so"
    case .checksum: "the file does not have the digest that was given or offered, or there is none"
    }
  }
}
