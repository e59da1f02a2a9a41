import Sheaf
import Testing

@testable import SheafCommand

@Suite("The grammar of lists")
struct ListGrammarTests {
  static func outcomes(_ text: String) -> [ListGrammar.Outcome] {
    outcomes(bytes: Array(text.utf8))
  }

  static func outcomes(bytes: [UInt8]) -> [ListGrammar.Outcome] {
    var grammar = ListGrammar()
    var outcomes: [ListGrammar.Outcome] = []
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      if let outcome = grammar.take(line) { outcomes.append(outcome) }
    }
    if let outcome = grammar.end() { outcomes.append(outcome) }
    return outcomes
  }

  static func entry(
    _ url: String, _ line: Int, _ settings: (String, Int)..., mirrors: [String] = []
  ) -> ListEntry {
    ListEntry(url: url, mirrors: mirrors, line: line, settings: settings.map { .init(text: $0.0, line: $0.1) })
  }

  @Test(
    "reads URLs, options, comments and blank lines",
    arguments: [
      ("", []),
      ("\n \n\t\n# c\n  # c\n", []),
      ("http://h/a", [entry("http://h/a", 1)]),
      ("http://h/a\nhttp://h/b\n", [entry("http://h/a", 1), entry("http://h/b", 2)]),
      ("http://h/a\r\n out=x\r\n", [entry("http://h/a", 1, ("out=x", 2))]),
      ("\u{FEFF}http://h/a  \n", [entry("http://h/a", 1)]),
      ("http://h/a\t\n", [entry("http://h/a", 1)]),
      (
        "http://h/a\thttp://m/a \t\t http://n/a\n out=x\nhttp://h/b",
        [entry("http://h/a", 1, ("out=x", 2), mirrors: ["http://m/a", "http://n/a"]), entry("http://h/b", 3)]
      ),
      (
        "# head\n\nhttp://h/a\n\tout=x y\n\n  # c\n dir=z\nhttp://h/b#f\n",
        [entry("http://h/a", 3, ("out=x y", 4), ("dir=z", 7)), entry("http://h/b#f", 8)]
      ),
    ] as [(String, [ListEntry])])
  func entries(text: String, expected: [ListEntry]) {
    #expect(Self.outcomes(text) == expected.map { .success($0) })
  }

  @Test(
    "says which line makes no sense, and reads on behind it",
    arguments: [
      ("# c\n out=x\nhttp://h/b", 2, "before the first URL"),
      (String(repeating: "a", count: 70_000) + "\nhttp://h/b", 1, "too long"),
    ])
  func problems(text: String, line: Int, words: String) throws {
    let outcomes = Self.outcomes(text)
    #expect(outcomes.count == 2)
    let problem = #expect(throws: ListProblem.self) { try outcomes.first?.get() }
    #expect(problem?.line == line && problem?.message.contains(words) == true)
    #expect(try outcomes.last?.get().url == "http://h/b")
  }

  @Test("refuses what is not UTF-8 instead of guessing a name")
  func encoding() {
    let outcomes = Self.outcomes(bytes: Array("http://h/a\n".utf8) + [0x20, 0x6F, 0xFF, 0x0A])
    #expect(outcomes.contains { if case .failure(let problem) = $0 { problem.line == 2 } else { false } })
  }

  /// An option line, and what is then true.
  struct Row: Sendable {
    let text: String
    let holds: @Sendable (CommandOptions) -> Bool

    init(_ text: String, holds: @escaping @Sendable (CommandOptions) -> Bool) {
      self.text = text
      self.holds = holds
    }
  }

  static let rows: [Row] = [
    Row("out=a=b") { $0.output == "a=b" },
    Row("dir=x") { $0.directory == "x" },
    Row("checksum=crc32=00ff00ff") { $0.download.checksum?.description == "crc32=00ff00ff" },
    Row("header=A: b") { $0.download.headers.map(\.name) == ["Z", "A"] },
    Row("split=3") { $0.download.split == 3 },
    Row("allow-overwrite=true") { $0.download.overwrites },
    Row("continue=false") { !$0.download.continues },
    Row("insecure") { !$0.download.checksCertificate },
    Row("max-tries=0") { $0.download.maximumTries == 0 },
    Row("fsync-policy=off") { $0.download.durability == .off },
  ]

  @Test("applies each download's own options with the command line's parsers", arguments: rows)
  func settings(row: Row) throws {
    var options = CommandOptions()
    options.download.headers = [.init(name: "Z", value: "")]
    let own = try options.applying(Self.entry("http://h/a", 1, (row.text, 2)))
    #expect(row.holds(own))
    #expect(try options.applying(Self.entry("http://h/b", 3)).output == nil)
  }

  @Test(
    "refuses what a download cannot have of its own, and says where",
    arguments: [
      ("gid=1", "gid needs 16 hexadecimal digits"), ("max-concurrent-downloads=2", "unknown option"),
      ("json", "unknown option"),
      ("input-file=x", "unknown option"), ("o=x", "unknown option"), ("", "unknown option"),
      ("--out=x", "unknown option"),
      ("outt=x", "unknown option 'outt'"), ("out", "out needs a value"), ("out=", "out needs a path"),
      ("out=-", "standard output"),
      ("out=d/", "slash"), ("split=0", "split needs"), ("insecure=true", "takes no value"),
      ("header=secret", "header needs"), ("Authorization: Bearer secret", "unknown option 'Authorization…'"),
      ("https://u:secret@h/x?token=secret", "unknown option 'https…'"), ("header=@secret", "could send any file"),
      ("netrc-path=secret", "unknown option 'netrc-path'"), ("netrc", "unknown option"),
      ("checksum=00", "checksum: "), ("help", "unknown option"),
    ])
  func refused(text: String, message: String) {
    let problem = #expect(throws: ListProblem.self) {
      try CommandOptions().applying(Self.entry("http://h/a", 1, ("dir=x", 2), (text, 3)))
    }
    #expect(problem?.line == 3 && problem?.message.contains(message) == true, "\(problem as Any)")
    #expect(problem?.message.contains("secret") == false)
  }

  @Test("refuses a line that is no URL", arguments: ["ftp://h/a", "a b", "--out=x", "http://"])
  func badURL(url: String) {
    let problem = #expect(throws: ListProblem.self) { try CommandOptions().applying(Self.entry(url, 7)) }
    #expect(problem?.line == 7)
  }
}
