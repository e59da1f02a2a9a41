#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import SheafCore

/// A system call that failed, and how. Made directly after the call, from `errno`.
struct SystemError: Error {
  let call: String
  let code: Int32

  init(_ call: String, code: Int32 = errno) {
    self.call = call
    self.code = code
  }

  var message: String { String(cString: strerror(code)) }
}

extension Failure {
  /// What a failed system call on `path` means for the download; `kind` says it where the code does not.
  init(_ error: SystemError, _ kind: Failure.Kind, _ doing: String, _ path: String) {
    let place = printable(path)
    switch error.code {
    case ENOSPC, EDQUOT:
      self.init(
        .diskFull, "no space left \(doing) \(place)",
        suggestion: "free some space and run the same command again to continue")
    case EFBIG:
      self.init(.diskFull, "the file system does not take a file as large as \(place)")
    case EROFS, EACCES, EPERM:
      self.init(
        kind, "not allowed: \(doing) \(place) (\(error.message))", suggestion: "check the permissions, or use -d")
    case ELOOP:
      self.init(
        kind, "\(place) is a symbolic link, which is not followed", suggestion: "remove it or choose another name")
    case ENAMETOOLONG:
      self.init(kind, "the name is too long: \(place)", suggestion: "choose a shorter one with -o")
    default:
      self.init(kind, "\(error.call) failed \(doing) \(place): \(error.message)")
    }
  }
}
