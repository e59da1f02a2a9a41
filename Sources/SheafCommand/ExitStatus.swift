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
}
