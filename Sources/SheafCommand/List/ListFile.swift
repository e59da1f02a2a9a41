#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import Sheaf
import SheafCore

/// A list that is read entry by entry, from a file or a pipe, plain or compressed by gzip.
///
/// Of a list from a file, a copy made before the first entry was read is a list of its own, and later `independent()` makes one.
struct ListFile: Sendable {
  /// As messages call it.
  let name: String
  private let descriptor: Int32
  /// Where the next bytes are, if it can be read again; nil for a pipe.
  private var place: off_t?

  private var grammar = ListGrammar()
  private var buffer: [UInt8] = []
  private var position = 0
  private var isAtEnd = false
  private var problem: ListProblem?
  /// Nil for a plain list, and until it is known which it is.
  private var gzip: GzipStream?
  /// What has been read and not been looked at or decoded yet.
  private var raw: ArraySlice<UInt8> = []
  private var isKnown = false

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
    let start = status.st_mode & S_IFMT == S_IFREG ? lseek(descriptor, 0, SEEK_CUR) : -1
    place = start < 0 ? nil : start
  }

  /// Whether it can be read twice, and reading never waits for another program.
  var isRepeatable: Bool { place != nil }

  /// The same from here on, read apart from this one; only if it is repeatable.
  /// - Throws: a failure if there is no memory.
  func independent() throws(Failure) -> ListFile {
    var copy = self
    copy.gzip = try gzip?.copy()
    return copy
  }

  /// The next entry; nil at the end. Waits for whoever writes into a pipe.
  mutating func next() -> ListGrammar.Outcome? {
    while true {
      while let line = nextLine() {
        if let outcome = grammar.take(line) { return outcome }
      }
      if isAtEnd {
        if let outcome = grammar.end() { return outcome }
        defer { problem = nil }
        return problem.map { .failure($0) }
      }
      fill()
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

  /// Puts more of the text into the buffer.
  private mutating func fill() {
    buffer.removeFirst(position)
    position = 0
    // Of a line that is too long, enough is kept to see that it is.
    if buffer.count > ListGrammar.longestLine + 1 { buffer.removeLast(buffer.count - ListGrammar.longestLine - 1) }
    do throws(Failure) {
      while !isKnown {
        let more = try read()
        raw += more
        isKnown = more.isEmpty || raw.count >= GzipStream.magic.count
        if isKnown, raw.starts(with: GzipStream.magic) { gzip = try GzipStream() }
      }
      buffer += try text()
    } catch {
      isAtEnd = true
      problem = ListProblem(
        line: grammar.count + 1, "the list cannot be read further: \(error.message)",
        suggestion: error.suggestion ?? "check the file")
    }
  }

  private mutating func text() throws(Failure) -> [UInt8] {
    guard let gzip else {
      defer { raw = [] }
      let bytes = raw.isEmpty ? try read() : Array(raw)
      isAtEnd = bytes.isEmpty
      return bytes
    }
    while true {
      if raw.isEmpty { raw = try read()[...] }
      let isLast = raw.isEmpty
      let bytes = try gzip.decode(&raw, atMost: Self.chunk)
      guard bytes.isEmpty, isLast else {
        if bytes.isEmpty { continue }
        return bytes
      }
      guard gzip.mayEnd else { throw Failure(.fileIO, "its gzip data ends too early", suggestion: "fetch it again") }
      isAtEnd = true
      return []
    }
  }

  /// The file's next bytes; none at its end.
  private mutating func read() throws(Failure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Self.chunk)
    var count = 0
    repeat {
      count = bytes.withUnsafeMutableBytes { target in
        if let place {
          pread(descriptor, target.baseAddress, target.count, place)
        } else {
          systemRead(descriptor, target.baseAddress, target.count)
        }
      }
    } while count < 0 && errno == EINTR
    guard count >= 0 else { throw Failure(.fileIO, String(cString: strerror(errno))) }
    if let old = place { place = old + off_t(count) }
    bytes.removeLast(bytes.count - count)
    return bytes
  }
}

// Under this name because the method above hides the function.
private let systemRead = read
