/// Why a download cannot go on: the kind, for programs, and two sentences, for people.
package struct Failure: Error, Hashable, Sendable {
  /// One kind for each exit status of the command; `docs/exit-statuses.md` has the table.
  package enum Kind: String, Sendable, CaseIterable {
    case unknown
    case timedOut = "timed-out"
    case notFound = "not-found"
    case tooSlow = "too-slow"
    case network
    case interrupted
    case cannotResume = "cannot-resume"
    case diskFull = "disk-full"
    case inUse = "in-use"
    case exists
    case renameFailed = "rename-failed"
    case openFailed = "open-failed"
    case createFailed = "create-failed"
    case fileIO = "file-io"
    case directoryFailed = "directory-failed"
    case nameResolution = "name-resolution"
    case metalink
    case badResponse = "bad-response"
    case redirects
    case authorization
    case usage
    case overloaded
    case checksum
  }

  package var kind: Kind
  /// What failed, as one sentence without a final full stop.
  package var message: String
  /// What to try, if anything is known to help.
  package var suggestion: String?

  package init(_ kind: Kind, _ message: String, suggestion: String? = nil) {
    self.kind = kind
    self.message = message
    self.suggestion = suggestion
  }
}
