/// An error that one system call returns without having been made.
struct InjectedError: Sendable {
  enum Code: String, CaseIterable, Sendable {
    case io = "EIO"
    case full = "ENOSPC"
    case quota = "EDQUOT"
    case interrupted = "EINTR"
    case readOnly = "EROFS"

    var isFull: Bool { self == .full || self == .quota }
  }

  let call: String
  let code: Code
  /// Which of a thread's calls fails, counted from 1.
  let when: Int

  /// As strace wants it.
  var argument: String { "inject=\(call):error=\(code.rawValue):when=\(when)" }

  /// What may go wrong without harm: closing comes after syncing, the completion record is a convenience, file systems
  /// without locks exist, free space is only looked at for a better message. An interrupted call may be made again.
  var isHarmless: Bool {
    code == .interrupted || ["close", "fsetxattr", "fallocate", "flock", "fstatfs"].contains(call)
  }

  /// What gives a file its final name.
  static let naming = ["renameat2", "renameat", "linkat"]

  /// The calls that Sheaf makes on its files, and some that it might.
  static let calls = [
    "openat", "flock", "newfstatat", "fstatfs", "ftruncate", "fallocate", "pwrite64", "pread64", "fdatasync", "fsync",
    "fchmod", "fsetxattr", "renameat2", "renameat", "linkat", "unlinkat", "close",
  ]
}
