#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import SheafCore

/// Refuses a file that an earlier run should have left and that may be somebody else's: nothing is taken from it,
/// written to it or removed.
/// - Throws: an open failure that says what is wrong and what can be done.
func requireOurs(_ status: stat, _ path: String) throws(Failure) {
  let remove = "remove it, or choose another name with -o"
  let (problem, suggestion): (String, String)
  switch status.st_mode & S_IFMT {
  case S_IFREG where status.st_uid != geteuid():
    (problem, suggestion) = ("belongs to another user", remove)
  case S_IFREG where status.st_nlink > 1:
    (problem, suggestion) = ("has other names as well, which a download would change, too", remove)
  case S_IFREG where status.st_mode & 0o022 != 0:
    (problem, suggestion) = (
      "may be written by other users", "take that right away (chmod go-w) if you trust what is in it, or remove it"
    )
  case S_IFREG: return
  case S_IFLNK: (problem, suggestion) = ("is a symbolic link, which is not followed", remove)
  default: (problem, suggestion) = ("is not a regular file", remove)
  }
  throw Failure(.openFailed, "\(printable(path)) \(problem)", suggestion: suggestion)
}
