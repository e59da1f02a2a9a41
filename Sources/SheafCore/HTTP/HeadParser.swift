/// Makes a `ResponseHead` of the raw lines that libcurl's header callback delivers, one call for each line.
///
/// One parser serves one answer: informational heads (RFC 9110 §15.2) are dropped whole, and what follows the final
/// head (trailers, RFC 9110 §6.5) is ignored, so that neither can smuggle in a length or a validator. The heads of a
/// proxy's CONNECT must be kept away from it (`CURLOPT_SUPPRESS_CONNECT_HEADERS`).
package struct HeadParser: Sendable {
  package enum Outcome: Hashable, Sendable {
    /// The line was taken; more are expected or, after the final head, ignored.
    case more
    /// A 1xx head ended and was dropped.
    case informational
    case complete(ResponseHead)
  }

  package enum Problem: Error, Hashable, Sendable {
    case tooLong
    case tooManyInformational
    case malformedStatusLine
  }

  /// For all heads and trailers of one answer together: a cap for each line would not stop an endless head.
  package static let maximumBytes = 256 * 1024
  package static let maximumInformational = 100

  private enum State {
    /// Next: a status line.
    case ready
    /// Inside a head. Next: a field or the empty line.
    case fields(status: Int)
    /// The final head was delivered. Stays so.
    case complete
    /// Stays so; the problem is thrown again.
    case failed(Problem)
  }

  private var state = State.ready
  private var fields: [ResponseHead.Field] = []
  /// Whether an obs-fold would continue a field that was kept.
  private var hasOpenField = false
  private var byteCount = 0
  private var informationalCount = 0

  package init() {}

  /// Takes one line, with or without its CRLF or LF.
  ///
  /// - Throws: for an answer that must be abandoned; every later call throws the same.
  package mutating func consume(line: some Collection<UInt8>) throws(Problem) -> Outcome {
    if case .failed(let problem) = state { throw problem }
    byteCount += line.count
    guard byteCount <= Self.maximumBytes else { throw fail(.tooLong) }
    let content = Self.withoutLineEnd(Array(line))

    switch state {
    case .ready:
      guard let status = Self.status(inStatusLine: content) else { throw fail(.malformedStatusLine) }
      if status < 200, informationalCount == Self.maximumInformational { throw fail(.tooManyInformational) }
      state = .fields(status: status)
      return .more
    case .fields(let status):
      if content.isEmpty { return finish(status: status) }
      takeField(content)
      return .more
    case .complete, .failed:
      return .more
    }
  }

  private mutating func finish(status: Int) -> Outcome {
    let head = ResponseHead(status: status, fields: fields)
    fields = []
    hasOpenField = false
    guard status < 200 else {
      state = .complete
      return .complete(head)
    }
    informationalCount += 1
    state = .ready
    return .informational
  }

  private mutating func fail(_ problem: Problem) -> Problem {
    state = .failed(problem)
    fields = []
    return problem
  }

  private mutating func takeField(_ line: ArraySlice<UInt8>) {
    if let first = line.first, first == 0x20 || first == 0x09 {
      // obs-fold, RFC 9112 §5.2: one space instead of the fold.
      guard hasOpenField else { return }
      fields[fields.count - 1].value += " " + Self.text(line)
      return
    }
    hasOpenField = false
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
    // White space before the colon is removed, as RFC 9112 §5.1 asks of a proxy: to drop the field instead would
    // lose, say, a Content-Encoding that the next program would have obeyed.
    let name = Self.text(line[..<colon])
    guard !name.isEmpty else { return }
    fields.append(.init(name: name, value: Self.text(line[line.index(after: colon)...])))
    hasOpenField = true
  }

  private static func withoutLineEnd(_ line: [UInt8]) -> ArraySlice<UInt8> {
    var content = line[...]
    if content.last == 0x0A { content = content.dropLast() }
    if content.last == 0x0D { content = content.dropLast() }
    return content
  }

  /// UTF-8 where it is that, else Latin-1. CR, LF and NUL become spaces (RFC 9110 §5.5).
  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    let isUnsafe = { (byte: UInt8) in byte == 0x0D || byte == 0x0A || byte == 0 }
    let safe = bytes.contains(where: isUnsafe) ? ArraySlice(bytes.map { isUnsafe($0) ? 0x20 : $0 }) : bytes
    if let text = String(validating: safe, as: UTF8.self) { return trimmed(text) }
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: safe.lazy.map { Unicode.Scalar($0) })
    return trimmed(String(scalars))
  }

  /// `HTTP/1.1 206 Partial Content` (RFC 9112 §4), or libcurl's `HTTP/2 206 ` for the versions without a status line.
  private static func status(inStatusLine line: ArraySlice<UInt8>) -> Int? {
    var rest = line
    guard rest.starts(with: "HTTP/".utf8) else { return nil }
    rest.removeFirst(5)
    guard let major = rest.popFirst(), isDigit(major) else { return nil }
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      guard let minor = rest.popFirst(), isDigit(minor) else { return nil }
    }
    guard rest.popFirst() == 0x20, let status = decimal(rest.prefix(3)), (100...999).contains(status) else {
      return nil
    }
    rest.removeFirst(3)
    return rest.isEmpty || rest.first == 0x20 ? Int(status) : nil
  }
}
