#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import SheafCore

/// A file to which lines are added.
enum LogFile {
  /// Opens it, makes it if need be, and leaves what it has alone. It stays open as long as the process lives.
  static func open(_ path: String) throws(UsageError) -> any Output {
    guard path != "-" else {
      throw UsageError("the log has no place on standard output", suggestion: "use -l FILE, or -v and 2>FILE")
    }
    let descriptor = systemOpen(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0o644)
    guard descriptor >= 0 else {
      throw UsageError(
        "cannot open the log \(printable(path)): \(String(cString: strerror(errno)))", suggestion: "check its name")
    }
    return DescriptorOutput(descriptor: descriptor)
  }
}

private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { open(path, flags, mode) }

/// The time by the clock on the wall, in UTC: `2026-12-01T03:04:05Z`.
func wallClockTime() -> String {
  var now = time(nil)
  var fields = tm()
  gmtime_r(&now, &fields)
  func two(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
  return
    "\(fields.tm_year + 1900)-\(two(fields.tm_mon + 1))-\(two(fields.tm_mday))T\(two(fields.tm_hour)):\(two(fields.tm_min)):\(two(fields.tm_sec))Z"
}
