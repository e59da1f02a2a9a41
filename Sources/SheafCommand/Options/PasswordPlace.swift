#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import SheafCore

/// Where the password comes from that belongs to a name.
enum PasswordPlace: Sendable, Equatable {
  case file(String)
  case terminal
}

extension CommandOptions {
  /// These, with the password read, if it is to be.
  func readingPassword() throws(UsageError) -> CommandOptions {
    guard let password else {
      guard !lacksPassword else {
        throw UsageError("a name without a password", suggestion: "use --user NAME:PASSWORD, @FILE or --ask-password")
      }
      return self
    }
    guard let name = download.authentication.name else {
      throw UsageError("a password without a name", suggestion: "use --user NAME")
    }
    var options = self
    options.download.authentication.password =
      switch password {
      case .file(let path): try secretLine(in: path, for: "--password-file")
      case .terminal: try Self.askPassword(of: name)
      }
    return options
  }

  private static func askPassword(of name: String) throws(UsageError) -> String {
    // Whatever standard input is, a person sits at the terminal.
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard terminal >= 0 else {
      throw UsageError("there is no terminal to ask for the password", suggestion: "use --password-file FILE")
    }
    defer { close(terminal) }
    var usual = termios()
    guard tcgetattr(terminal, &usual) == 0 else { throw UsageError("the terminal cannot be asked for the password") }
    var silent = usual
    silent.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(terminal, TCSAFLUSH, &silent)
    defer { tcsetattr(terminal, TCSAFLUSH, &usual) }
    say("Password of \(printable(name)): ", to: terminal)
    defer { say("\n", to: terminal) }
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while read(terminal, &byte, 1) == 1, byte != 10 {
      bytes.append(byte)
      guard bytes.count <= 4096 else { throw UsageError("the password is too long") }
    }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw UsageError("the password is not UTF-8") }
    return text
  }

  private static func say(_ text: String, to terminal: Int32) {
    _ = Array(text.utf8).withUnsafeBytes { write(terminal, $0.baseAddress, $0.count) }
  }
}
