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
    case fields
    /// The final head was delivered. Stays so.
    case complete
    /// Stays so; the problem is thrown again.
    case failed(Problem)
  }

  private var state = State.ready
  private var head = ResponseHead(status: 0)
  /// Whether an obs-fold would continue a field that was kept.
  private var hasOpenField = false
  private var byteCount = 0
  private var informationalCount = 0

  package init() {}

  /// Takes one line, with or without its CRLF or LF.
  ///
  /// - Throws: for an answer that must be abandoned; every later call throws the same.
  package mutating func consume(line: some Collection<UInt8>) throws(Problem) -> Outcome {
    try consume(line: Array(line))
  }

  /// The same; callers in other modules need no generic code for it.
  package mutating func consume(line: [UInt8]) throws(Problem) -> Outcome {
    if case .failed(let problem) = state { throw problem }
    byteCount += line.count
    guard byteCount <= Self.maximumBytes else { throw fail(.tooLong) }
    let content = Self.withoutLineEnd(line)

    switch state {
    case .ready:
      guard let status = Self.status(inStatusLine: content) else { throw fail(.malformedStatusLine) }
      if status < 200, informationalCount == Self.maximumInformational { throw fail(.tooManyInformational) }
      head.status = status
      state = .fields
      return .more
    case .fields:
      if content.isEmpty { return finish() }
      takeField(content)
      return .more
    case .complete, .failed:
      return .more
    }
  }

  private mutating func finish() -> Outcome {
    let head = head
    self.head = ResponseHead(status: 0)
    hasOpenField = false
    guard head.status < 200 else {
      state = .complete
      return .complete(head)
    }
    informationalCount += 1
    state = .ready
    return .informational
  }

  private mutating func fail(_ problem: Problem) -> Problem {
    state = .failed(problem)
    head = ResponseHead(status: 0)
    return problem
  }

  private mutating func takeField(_ line: ArraySlice<UInt8>) {
    if let first = line.first, first == 0x20 || first == 0x09 {
      // obs-fold, RFC 9112 §5.2: one space instead of the fold.
      if hasOpenField { head.extendLast(with: Self.text(line)) }
      return
    }
    hasOpenField = false
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
    // White space before the colon is removed, as RFC 9112 §5.1 asks of a proxy: to drop the field instead would
    // lose, say, a Content-Encoding that the next program would have obeyed.
    let name = Self.text(line[..<colon])
    guard name.contains(where: { !isBlank($0) }) else { return }
    head.append(name: name, value: Self.text(line[line.index(after: colon)...]))
    hasOpenField = true
  }

  private static func withoutLineEnd(_ line: [UInt8]) -> ArraySlice<UInt8> {
    var content = line[...]
    if content.last == 0x0A { content = content.dropLast() }
    if content.last == 0x0D { content = content.dropLast() }
    return content
  }

  /// As UTF-8: what is not UTF-8 is taken as Latin-1. CR, LF and NUL become spaces (RFC 9110 §5.5).
  private static func text(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    if bytes.allSatisfy({ $0 < 0x80 && !isUnsafe($0) }) { return bytes }
    let safe = bytes.map { isUnsafe($0) ? 0x20 : $0 }
    if String(validating: safe, as: UTF8.self) != nil { return safe[...] }
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: safe.lazy.map { Unicode.Scalar($0) })
    return Array(String(scalars).utf8)[...]
  }

  private static func isUnsafe(_ byte: UInt8) -> Bool { byte == 0x0D || byte == 0x0A || byte == 0 }

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
