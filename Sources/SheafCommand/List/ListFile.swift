#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import SheafCore

/// A list that is read entry by entry, from a file or a pipe.
struct ListFile: Sendable {
  /// As messages call it.
  let name: String
  private let descriptor: Int32
  /// Where the list begins, if it can be read again; nil for a pipe.
  private let start: off_t?

  private var grammar = ListGrammar()
  private var buffer: [UInt8] = []
  private var position = 0
  private var isAtEnd = false

  private static let chunk = 64 << 10

  /// Opens the list at `path`, or standard input for `-`. It stays open as long as the process lives.
  init(_ path: String) throws(UsageError) {
    name = path == "-" ? "standard input" : printable(path)
    descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw UsageError(
        "cannot open the list \(name): \(String(cString: strerror(errno)))", suggestion: "check its name")
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
      throw UsageError("the list \(name) is a directory", suggestion: "give a file with one URL a line")
    }
    let place = status.st_mode & S_IFMT == S_IFREG ? lseek(descriptor, 0, SEEK_CUR) : -1
    start = place < 0 ? nil : place
  }

  /// Whether it can be read twice, and reading never waits for another program.
  var isRepeatable: Bool { start != nil }

  /// Back to its beginning.
  mutating func rewind() {
    guard let start, lseek(descriptor, start, SEEK_SET) == start else { return }
    grammar = ListGrammar()
    buffer = []
    position = 0
    isAtEnd = false
  }

  /// The next entry; nil at the end. Waits for whoever writes into a pipe.
  mutating func next() -> ListGrammar.Outcome? {
    while true {
      while let line = nextLine() {
        if let outcome = grammar.take(line) { return outcome }
      }
      if isAtEnd { return grammar.end() }
      read()
    }
  }

  /// A line that is there as a whole, or the beginning of one that is too long already.
  private mutating func nextLine() -> ArraySlice<UInt8>? {
    let rest = buffer[position...]
    if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      position = end + 1
      return rest[..<end]
    }
    guard isAtEnd, !rest.isEmpty else { return nil }
    position = buffer.count
    return rest
  }

  private mutating func read() {
    buffer.removeFirst(position)
    position = 0
    // Of a line that is too long, enough is kept to see that it is.
    if buffer.count > ListGrammar.longestLine + 1 { buffer.removeLast(buffer.count - ListGrammar.longestLine - 1) }
    let old = buffer.count
    buffer.append(contentsOf: repeatElement(0, count: Self.chunk))
    var count = 0
    repeat {
      count = buffer.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress.map { $0 + old }, Self.chunk) }
    } while count < 0 && errno == EINTR
    buffer.removeLast(Self.chunk - max(0, count))
    isAtEnd = count <= 0
  }
}

// Under this name because the method above hides the function.
private let systemRead = read
