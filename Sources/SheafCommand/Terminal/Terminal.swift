#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Something that shows lines of a limited width.
protocol Screen: Sendable {
  /// The width now. Asked anew for each redraw, because windows change.
  var columns: Int { get }
}

/// The terminal behind a descriptor.
struct Terminal: Screen {
  private let descriptor: Int32

  /// The terminal behind standard error; nil if there is none, or one that cannot clear a line.
  static func behindStandardError() -> Terminal? {
    guard isatty(STDERR_FILENO) == 1, let kind = getenv("TERM"), case let kind = String(cString: kind),
      kind != "dumb", !kind.isEmpty
    else { return nil }
    return Terminal(descriptor: STDERR_FILENO)
  }

  /// 80 if the terminal does not know.
  var columns: Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// Goes back to the start of the line and clears it.
  static let clearLine = "\r\u{1B}[K"
}
