/// Puts the lines of a list together to entries. One line at a time goes in, so a list of any length needs no memory.
///
/// A URL begins an entry; others on its line, after TABs, are mirrors of the same file. Lines that begin with a blank belong to it and are `name=value`. Empty lines, and
/// lines whose first character other than a blank is `#`, mean nothing.
struct ListGrammar: Sendable {
  typealias Outcome = Result<ListEntry, ListProblem>

  /// How many lines it has taken.
  private(set) var count = 0
  private var urls: (texts: [String], line: Int)?
  private var settings: [ListEntry.Setting] = []
  private var problem: ListProblem?

  /// Longer lines are no URLs.
  static let longestLine = 64 << 10

  /// Takes the next line, without its end. Returns the entry that it ends, if any.
  mutating func take(_ bytes: some Collection<UInt8>) -> Outcome? {
    count += 1
    guard bytes.count <= Self.longestLine, var line = String(validating: bytes, as: UTF8.self) else {
      let reason = bytes.count > Self.longestLine ? "the line is too long" : "the line is not UTF-8"
      let ended = end()
      urls = ([], count)
      problem = ListProblem(line: count, reason, suggestion: "is this a list of URLs?")
      return ended
    }
    if count == 1, line.first == "\u{FEFF}" { line.removeFirst() }
    if line.utf8.last == UInt8(ascii: "\r") { line = String(line.utf8.dropLast()) ?? line }
    let isIndented = line.utf8.first.map(Self.isBlank) ?? false
    let content = Self.trimmed(line)
    if content.isEmpty || content.utf8.first == UInt8(ascii: "#") { return nil }
    guard isIndented else {
      let ended = end()
      urls = (content.split(separator: "\t").map { String(Self.trimmed($0)) }.filter { !$0.isEmpty }, count)
      return ended
    }
    if urls == nil {
      // Told as soon as it is seen; what follows is read on as if it were not there.
      return .failure(
        ListProblem(
          line: count, "an option stands before the first URL",
          suggestion: "a line with a URL must not begin with a blank"))
    }
    settings.append(ListEntry.Setting(text: String(content), line: count))
    return nil
  }

  /// The entry that the end of the list, or the next URL, ends.
  mutating func end() -> Outcome? {
    defer {
      urls = nil
      settings = []
      problem = nil
    }
    if let problem { return .failure(problem) }
    guard let urls, let first = urls.texts.first else { return nil }
    return .success(
      ListEntry(url: first, mirrors: Array(urls.texts.dropFirst()), line: urls.line, settings: settings))
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

  private static func trimmed(_ line: some StringProtocol) -> Substring {
    var rest = Substring(line).utf8
    while let first = rest.first, isBlank(first) { rest.removeFirst() }
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return Substring(rest)
  }
}
