import Sheaf
import Testing

@testable import SheafCommand

@Suite("A command line")
struct InvocationTests {
  @Test("takes options and URLs in any order, and only URLs after --")
  func order() throws {
    let options = try fetchOptions(["http://a/", "-q", "--", "http://b/"])
    #expect(options.urls == ["http://a/", "http://b/"])
    #expect(throws: UsageError.self) { try fetchOptions(["--", "-q"]) }
  }

  @Test("takes the argument after an option as its value, whatever it looks like")
  func dashValue() throws {
    #expect(try fetchOptions(["-o", "-x", "http://a/"]).output == "-x")
  }

  @Test("asks for a value that is missing", arguments: ["-x", "--split", "-qo"])
  func missingValue(argument: String) {
    let error = #expect(throws: UsageError.self) { try fetchOptions(["http://a/", argument]) }
    #expect(error?.message.hasSuffix("needs a value") == true)
  }

  @Test("refuses a value for a flag", arguments: ["--json=true", "--help=x", "--no-continue=false"])
  func flagValue(argument: String) {
    #expect(throws: UsageError.self) { try fetchOptions([argument, "http://a/"]) }
  }

  @Test(
    "suggests the option that was meant",
    arguments: [
      ("--splt=3", "--split"), ("--ouptut", "--output"), ("--max-conn", "--max-connection-per-server"),
      ("--max-trys", "--max-tries"), ("--no-continu", "--no-continue"), ("-C", "-c"), ("--Quiet", "--quiet"),
      ("--check-sum", "--checksum"),
    ])
  func suggestion(typed: String, meant: String) {
    let error = #expect(throws: UsageError.self) { try fetchOptions([typed, "http://a/"]) }
    #expect(error?.suggestion == "did you mean \(meant)?")
  }

  @Test("suggests nothing far-fetched", arguments: ["--torrent", "-Y", "--xyzzy"])
  func noSuggestion(typed: String) {
    let error = #expect(throws: UsageError.self) { try fetchOptions([typed, "http://a/"]) }
    #expect(error?.suggestion == "see sheaf --help")
  }

  @Test("counts insertions, deletions, replacements and swaps as one mistake each")
  func distances() {
    let distance = { (a: String, b: String) in editDistance(Array(a.utf8), Array(b.utf8)) }
    #expect(distance("", "abc") == 3 && distance("abc", "") == 3 && distance("abc", "abc") == 0)
    #expect(distance("abcd", "acbd") == 1 && distance("abc", "abxc") == 1 && distance("abc", "xyz") == 3)
  }

  @Test(
    "refuses what is no http URL, and says what is",
    arguments: [
      ("ftp://h/f", "only http and https"), ("file:///etc/passwd", "only http and https"), ("h/f", "HOST"),
      ("host:80/f", "HOST"), ("", "--help"), ("http://", "HOST"), ("http://u:p@/f", "HOST"), ("https://:80/", "HOST"),
      ("http://h/a\nb", "%XX"),
      ("http://h/\u{7F}", "%XX"), ("inspct", "sheaf inspect"),
    ])
  func badURL(url: String, hint: String) {
    let error = #expect(throws: UsageError.self) { try fetchOptions([url]) }
    #expect(error?.suggestion.contains(hint) == true)
    #expect(error?.message.contains("u:p") == false)
  }

  @Test(
    "takes http URLs of every make",
    arguments: ["http://h", "HTTPS://h/", "http://u:p@h:8080/a?b#c", "http://[::1]:80/", "http:/h"])
  func goodURL(url: String) throws {
    #expect(try fetchOptions([url]).urls == [url])
  }

  @Test(
    "refuses options that are about one file when there are more",
    arguments: [["-o", "x"], ["--checksum=00000000"]])
  func single(arguments: [String]) {
    #expect(throws: UsageError.self) { try fetchOptions(arguments + ["http://a/", "http://b/"]) }
  }

  @Test("refuses output names that name no file", arguments: ["dir/", "-/"])
  func outputName(name: String) {
    #expect(throws: UsageError.self) { try fetchOptions(["-o", name, "http://a/"]) }
  }

  @Test("needs a URL", arguments: [[], ["-q"], ["--"]])
  func noURL(arguments: [String]) {
    #expect(throws: UsageError.self) { try fetchOptions(arguments) }
  }

  @Test("puts a relative output name into the directory and leaves an absolute one alone")
  func destination() throws {
    let destination = { try fetchOptions($0 + ["http://a/f"]).destination }
    #expect(try destination(["-d", "x"]) == .directory("x"))
    #expect(try destination(["-o", "n"]) == .file("n"))
    #expect(try destination(["-d", "x", "-o", "n"]) == .file("x/n"))
    #expect(try destination(["-d", "/", "-o", "n"]) == .file("/n"))
    #expect(try destination(["-d", "x", "-o", "/n"]) == .file("/n"))
  }

  @Test("stops reading at a request for help or the version", arguments: ["-h", "--help", "-qh", "--version", "help"])
  func requests(argument: String) throws {
    guard case .print(let text) = try Invocation(parsing: [argument, "help"]) else {
      Issue.record("\(argument) prints nothing")
      return
    }
    #expect(text.contains(argument == "help" ? "Usage: sheaf help" : Version.number) && text.hasSuffix("\n"))
  }

  @Test("has help that lists every name of every option and fits 110 columns")
  func help() {
    let lines = Help.fetching.split(separator: "\n")
    for option in OptionTable.fetching {
      let names = option.names.joined(separator: ", ")
      #expect(lines.contains { $0.contains(names) }, "\(names) is missing")
      #expect(lines.contains { $0.contains(option.help) })
    }
    #expect(lines.allSatisfy { $0.count <= 110 })
    #expect(Help.text(of: .inspecting).contains("--json"))
  }

  @Test("dispatches inspect by its first word only")
  func inspect() throws {
    guard case .inspect(let options) = try Invocation(parsing: ["inspect", "--json", "a.sheaf"]) else {
      Issue.record("not inspect")
      return
    }
    #expect(options.path == "a.sheaf" && options.json)
    for arguments in [
      ["inspect"], ["inspect", "a", "b"], ["inspect", "-q", "a"], ["-q", "inspect"], ["help", "me"],
    ] {
      #expect(throws: UsageError.self) { try Invocation(parsing: arguments) }
    }
  }
}
