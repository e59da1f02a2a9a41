import Sheaf
import Testing

@testable import SheafCommand

@Suite("A configuration")
struct ConfigFileTests {
  static func file(_ text: String) throws -> ConfigFile { try ConfigFile(parsing: Array(text.utf8)) }

  static func configuration(_ text: String, _ arguments: String...) throws -> Configuration {
    try Configuration(try file(text), name: "c", arguments: arguments)
  }

  @Test("has options, then sections of hosts; comments and blanks mean nothing")
  func grammar() throws {
    let file = try Self.file(
      "# a\n\nsplit = 4\r\n  quiet\n[host example.org]\nheader=A: b=c\n[ *.example.org ]\nmax-tries=2\n")
    #expect(file.settings.map(\.text) == ["split=4", "quiet"] && file.settings.map(\.line) == [3, 4])
    #expect(file.profiles.map(\.settings.count) == [1, 1])
    #expect(file.profiles[0].settings[0].text == "header=A: b=c" && file.profiles[0].settings[0].line == 6)
  }

  @Test("chooses profiles by host, those for fewer hosts last")
  func hosts() throws {
    let file = try Self.file("[a.b.c]\nx\n[*.c]\nx\n[host *.b.c]\nx\n[b.c]\nx\n")
    func lines(_ host: String) -> [Int] { file.profiles(for: host).map { $0.settings[0].line } }
    #expect(lines("A.b.C") == [4, 6, 2])
    #expect(lines("b.c") == [4, 8])
    #expect(lines("c") == [] && lines("xb.c") == [4] && lines("evil-a.b.c") == [4, 6])
  }

  @Test(
    "refuses sections that name no host", arguments: ["[", "[]", "[host]", "[*]", "[a b]", "[http://h/]", "[.h]", "[h"])
  func sections(text: String) {
    let problem = #expect(throws: ListProblem.self) { try Self.file("\n" + text) }
    #expect(problem?.line == 2)
  }

  @Test(
    "refuses options that do not exist or have no place there, with their line",
    arguments: [
      ("spilt=4", "c:2: unknown option 'spilt'; did you mean split?"), ("split=0", "c:2: split needs"),
      ("out=x", "c:2: out has no place"), ("checksum=md5=00", "c:2: checksum has no place"),
      ("no-conf", "c:2: no-conf has"),
      ("help", "c:2: help has no place"), ("[h]\nquiet", "c:3: quiet is about the whole run"),
      ("[h]\nconnectoins=1", "c:3: unknown option 'connectoins'"), ("header=secret", "c:2: header needs"),
    ])
  func mistakes(text: String, message: String) {
    let error = #expect(throws: UsageError.self) { try Self.configuration("#\n\(text)\n") }
    let said = "\(error?.message ?? ""); \(error?.suggestion ?? "")"
    #expect(said.hasPrefix(message))
    #expect(error?.message.contains("secret") == false)
  }

  /// The options of a download, all layers counted.
  static func options(_ config: String, environment: [String] = [], _ arguments: [String], of url: String) throws
    -> CommandOptions
  {
    let configuration = try Configuration(try file(config), name: "c", arguments: environment + arguments)
    var options = try configuration.base()
    guard
      case .operands(let operands) = try ArgumentParser(OptionTable.fetching).parse(
        configuration.arguments, into: &options)
    else { throw UsageError("a request") }
    options.layers = configuration
    try options.accept(operands)
    return try Order.argument(url: url, values: []).options(from: options)
  }

  static let config =
    "max-tries=1\nsplit=1\nretry-wait=1\ntimeout=1\n[*.h]\nmax-tries=2\nsplit=2\nretry-wait=2\n[a.h]\nretry-wait=3\n"

  @Test("counts less than profiles, these less than the environment, that less than the command line")
  func precedence() throws {
    let own = try Self.options(
      Self.config, environment: ["--split=3"], ["--max-tries=4", "http://a.h/f"], of: "http://a.h/f")
    #expect(own.download.timeout == .seconds(1))
    #expect(own.download.retryWait == .seconds(3))
    #expect(own.download.split == 3)
    #expect(own.download.maximumTries == 4)
  }

  @Test("a profile is for its hosts only")
  func profiles() throws {
    let arguments = ["http://b.h/f", "http://c/f"]
    #expect(try Self.options(Self.config, arguments, of: arguments[0]).download.retryWait == .seconds(2))
    #expect(try Self.options(Self.config, arguments, of: arguments[1]).download.retryWait == .seconds(1))
  }

  @Test("a list's line counts more than all")
  func list() throws {
    let options = try Self.options(Self.config, ["--split=5", "http://a.h/f"], of: "http://x/")
    let entry = ListEntry(url: "http://a.h/f", line: 1, settings: [.init(text: "split=9", line: 2)])
    let own = try Order.listed(entry).options(from: options)
    #expect(own.download.split == 9 && own.download.retryWait == .seconds(3))
  }

  @Test("headers of a profile do not reach other hosts, and add up")
  func headers() throws {
    let config = "header=A: 1\n[a.h]\nheader=B: 2\n"
    let names = { try Self.options(config, ["-H", "C: 3", "http://c/"], of: $0).download.headers.map(\.name) }
    #expect(try names("http://a.h/f") == ["A", "B", "C"])
    #expect(try names("http://c/f") == ["A", "C"])
  }

  @Test("names options that may be secret under names that exist, as far as there are such options")
  func secrets() {
    #expect(Configuration.secrets.contains("header"))
    #expect(Configuration.notInFiles.isSubset(of: Set(OptionTable.fetching.flatMap(\.names))))
  }
}
