import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@testable import SheafCommand

/// Whatever a document says: a documented status, and no file but those that it may name, in the directory asked for.
@Suite("Hostile Metalink documents")
struct HostileMetalinkTests {
  struct Document: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// `ORIGIN` stands for the URL of a file.
    let bytes: [UInt8]
    let statuses: Set<Int32>
    /// Files that it may make.
    let names: [String]

    init(_ what: String, _ bytes: [UInt8], _ statuses: Set<Int32> = [20], _ names: [String] = []) {
      testDescription = what
      self.bytes = bytes
      self.statuses = statuses
      self.names = names
    }

    init(_ what: String, _ text: String, _ statuses: Set<Int32> = [20], _ names: [String] = []) {
      self.init(what, Array(text.utf8), statuses, names)
    }

    /// One of version 4 around these files.
    static func four(_ what: String, _ files: String, _ statuses: Set<Int32> = [20], _ names: [String] = []) -> Document
    {
      Document(what, MetalinkCommandTests.document(files), statuses, names)
    }

    /// One with a file under a strange name.
    static func name(_ name: String, _ safe: String) -> Document {
      four("the name \(name.prefix(30))", "<file name=\"\(name)\"><url>ORIGIN</url></file>", [0], [safe])
    }

    /// One that says this of its file `f`.
    static func saying(_ what: String, _ more: String, _ statuses: Set<Int32> = [0]) -> Document {
      four(what, "<file name=\"f\">\(more)<url>ORIGIN</url></file>", statuses, ["f"])
    }
  }

  static let entity = Entity(seed: 96, size: 70_000)
  private static let zeros = String(repeating: "0", count: 64)
  private static let one = "<file name=\"f\"><url>ORIGIN</url></file>"

  static let names: [Document] = [
    .name("../x", "x"), .name("../../../../../../tmp/sheaf-escape", "sheaf-escape"), .name("/etc/x", "x"),
    .name("a/../../b", "b"), .name("..\\..\\x", "x"), .name("C:\\x", "x"), .name(".", "download"),
    .name("..", "download"), .name(" ", "download"), .name("a/", "download"), .name(".bashrc", "_bashrc"),
    .name("-rf", "_-rf"), .name("~root", "_~root"), .name("nul.txt", "_nul.txt"), .name("a&#9;&#10;&#13;b", "a___b"),
    .name("a&#x9B;31m", "a_31m"), .name("a&#x202E;gpj.exe", "a_gpj.exe"), .name("a&#x200B;b", "a_b"),
    .name("&#x301;x", "\u{301}x"), .name("\u{E9}.iso", "\u{E9}.iso"), .name("%2e%2e%2fx", "%2e%2e%2fx"),
    .name(String(repeating: "n", count: 5000), String(repeating: "n", count: 249)),
    .four("no name", "<file><url>ORIGIN</url></file>"),
    .four("an empty name", "<file name=\"\"><url>ORIGIN</url></file>"),
    .four("a NUL in a name", "<file name=\"a&#0;b\"><url>ORIGIN</url></file>"),
    .four("a name of a mebibyte", "<file name=\"\(String(repeating: "n", count: 1 << 20))\"><url>ORIGIN</url></file>"),
    .four("two files with one name", one + "<file name=\"../f\"><url>ORIGIN</url></file>"),
    .four("a file and its part file", one + "<file name=\"f.part\"><url>ORIGIN</url></file>", [28]),
    .four("a file and its manifest", "<file name=\"f.sheaf\"><url>ORIGIN</url></file>" + one, [28]),
    .four("the name of a file that is there", "<file name=\"mine\"><url>ORIGIN</url></file>", [13]),
    .four("the name of the directory that is there", "<file name=\"folder\"><url>ORIGIN</url></file>", [16]),
  ]

  static let xml: [Document] = [
    Document(
      "a billion laughs",
      "<!DOCTYPE m [<!ENTITY a \"ha\">"
        + (1...9).map { "<!ENTITY a\($0) \"\(String(repeating: "&a\($0 == 1 ? "" : "\($0 - 1)");", count: 10))\">" }
        .joined() + "]>" + MetalinkCommandTests.document("<file name=\"&a9;\"><url>ORIGIN</url></file>")),
    Document(
      "an external entity",
      "<!DOCTYPE m [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>"
        + MetalinkCommandTests.document("<file name=\"&e;\"><url>ORIGIN</url></file>")),
    Document(
      "an external document type",
      "<!DOCTYPE m SYSTEM \"file:///etc/passwd\">" + MetalinkCommandTests.document(one)),
    Document(
      "a parameter entity",
      "<!DOCTYPE m [<!ENTITY % p SYSTEM \"file:///etc/passwd\"> %p;]>" + MetalinkCommandTests.document(one)),
    .four("an entity that nobody has defined", "<file name=\"&e;\"><url>ORIGIN</url></file>"),
    Document("a cut document", String(MetalinkCommandTests.document(one).dropLast(15))),
    Document("nothing", ""), Document("text", "no XML at all"), Document("NULs", [UInt8](repeating: 0, count: 5000)),
    Document("no UTF-8", Array("<metalink xmlns=\"urn:ietf:params:xml:ns:metalink\">".utf8) + [0xFF, 0xC0, 0x80]),
    Document("HTML", "<html><body>Not found</body></html>"),
    Document("another namespace", "<metalink xmlns=\"urn:x\">\(one)</metalink>"),
    Document("no namespace", "<metalink>\(one)</metalink>"),
    .four("deep nesting", String(repeating: "<a>", count: 200_000)),
    .four("deep nesting that ends", String(repeating: "<a>", count: 999) + String(repeating: "</a>", count: 999) + one),
    .four("many attributes", "<file \((0..<50_000).map { "a\($0)=\"\"" }.joined(separator: " "))/>"),
    .four("a comment of a mebibyte", "<!--\(String(repeating: "x", count: 1 << 20))-->" + one, [0], ["f"]),
    Document(
      "latin-1",
      Array("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>".utf8)
        + MetalinkCommandTests.document("<file name=\"\u{E9}\"><url>ORIGIN</url></file>").unicodeScalars.map {
          UInt8($0.value)
        }, [0], ["\u{E9}"]),
    Document(
      "an encoding that nobody knows", "<?xml version=\"1.0\" encoding=\"x\"?>" + MetalinkCommandTests.document(one)),
    .four("no files", ""), .four("too many files", (0...10_000).map { "<file name=\"\($0)\"/>" }.joined()),
  ]

  static let facts: [Document] = [
    .saying("a size that is too small", "<size>1</size>", [22]),
    .saying("a size that is too large", "<size>70001</size>", [22]), .saying("no bytes", "<size>0</size>", [22]),
    .saying("the largest size", "<size>1152921504606846976</size>", [22]),
    .saying("a negative size", "<size>-1</size>"),
    .saying("a size that overflows", "<size>99999999999999999999</size>"),
    .saying("a size that is no number", "<size>0x10</size>"),
    .saying("a wrong digest", "<hash type=\"sha-256\">\(zeros)</hash>", [32]),
    .saying("a digest of another length", "<hash type=\"sha-256\">00</hash>"),
    .saying(
      "pieces of no length", "<size>70000</size><pieces length=\"0\" type=\"sha-256\"><hash>\(zeros)</hash></pieces>"),
    .saying(
      "pieces of a negative length",
      "<size>70000</size><pieces length=\"-9223372036854775808\" type=\"sha-256\"><hash>\(zeros)</hash></pieces>"),
    .saying(
      "pieces of a length that overflows",
      "<size>70000</size><pieces length=\"9223372036854775808\" type=\"sha-256\"><hash>\(zeros)</hash></pieces>"),
    .saying(
      "pieces longer than the file",
      "<size>70000</size><pieces length=\"1152921504606846976\" type=\"sha-256\"><hash>\(zeros)</hash></pieces>", [32]),
    .saying("too few pieces", "<size>70000</size><pieces length=\"9\" type=\"sha-256\"><hash>\(zeros)</hash></pieces>"),
    .saying(
      "too many pieces",
      "<size>70000</size><pieces length=\"70000\" type=\"sha-256\"><hash>\(zeros)</hash><hash>\(zeros)</hash></pieces>"),
    .saying("pieces without a size", "<pieces length=\"70000\" type=\"sha-256\"><hash>\(zeros)</hash></pieces>"),
    .saying(
      "wrong pieces", "<size>70000</size><pieces length=\"70000\" type=\"sha-256\"><hash>\(zeros)</hash></pieces>", [32]
    ),
  ]

  static let urls: [Document] = [
    .four("no URL", "<file name=\"f\"/>"),
    .four("one of two files without a URL", one + "<file name=\"g\"/>"),
    .four(
      "other schemes",
      "<file name=\"f\">"
        + ["file:///etc/passwd", "ftp://127.0.0.1/f", "javascript:alert(1)", "data:,x", "gopher://127.0.0.1/", "//h/f"]
        .map { "<url>\($0)</url>" }.joined() + "</file>"),
    .four(
      "URLs that are none",
      "<file name=\"f\">"
        + ["http://", "http://h:99999/", "http://h:port/", "http://[::g]/", "http://a b/", "https://"]
        .map { "<url>\($0)</url>" }.joined() + "</file>"),
    .saying("other schemes beside a good one", "<url priority=\"1\">file:///etc/passwd</url><url>http://h:0x/</url>"),
    .saying(
      "priorities that are none", "<url priority=\"-1\">http://h:99999/</url><url priority=\"9e9\">ftp://h/</url>"),
    .four(
      "passwords in URLs", "<file name=\"f\"><url>http://me:hush@SERVER/f?hush#hush</url></file>", [0], ["f"]),
    .four(
      "passwords in URLs that fail",
      "<file name=\"f\"><url>http://me:hush@SERVER/gone?hush</url><url>http://hush:hush@SERVER/gone2?hush</url></file>",
      [3]),
    .four(
      "too many URLs", "<file name=\"f\">\(String(repeating: "<url>ORIGIN</url>", count: 257))</file>"),
    .four(
      "a URL of a mebibyte", "<file name=\"f\"><url>http://h/\(String(repeating: "u", count: 1 << 20))</url></file>"),
  ]

  @Test("names, a broken XML, facts and URLs", .timeLimit(.minutes(3)), arguments: names + xml + facts + urls)
  func hostile(document: Document) async throws {
    try await expectHarmless(document.bytes, document)
  }

  @Test("is read in UTF-16 as well", arguments: [false, true])
  func wide(isCut: Bool) async throws {
    let text = Document.name("\u{E9}\u{202E}", "\u{E9}_")
    let (parent, origin) = try stage()
    let filled = filled(text.bytes, origin)
    var bytes: [UInt8] = [0xFF, 0xFE]
    for unit in String(decoding: filled, as: UTF8.self).utf16 { bytes += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
    if isCut { bytes.removeLast(5) }
    let document = Document("", [], [isCut ? 20 : 0], text.names)
    try await expectHarmless(bytes, document, parent, origin)
  }

  private func stage() throws -> (TemporaryDirectory, Origin) {
    let parent = try TemporaryDirectory()
    try parent.write("mine", to: "x")
    for path in ["down", "down/here", "down/here/folder"] { try #require(mkdir(parent.file(path), 0o700) == 0) }
    try parent.write("mine", to: "down/here/mine")
    return (parent, try Origin(entity: Self.entity, path: "/f"))
  }

  private func filled(_ bytes: [UInt8], _ origin: Origin) -> [UInt8] {
    bytes.replacing(Array("ORIGIN".utf8), with: Array(origin.url("/f").utf8))
      .replacing(Array("SERVER".utf8), with: Array("127.0.0.1:\(origin.port)".utf8))
  }

  private func expectHarmless(_ bytes: [UInt8], _ document: Document) async throws {
    let (parent, origin) = try stage()
    try await expectHarmless(filled(bytes, origin), document, parent, origin)
  }

  private func expectHarmless(
    _ bytes: [UInt8], _ document: Document, _ parent: TemporaryDirectory, _ origin: Origin
  ) async throws {
    try parent.write(bytes, to: "d.meta4")
    let run = try await runSheaf(["-v", "--fsync-policy=off", "-d", "down/here", "-M", "d.meta4"], in: parent)
    let status = try #require(run.status.number, "\(run)")
    #expect(document.statuses.contains(status) && SheafCommand.ExitStatus(rawValue: status) != nil, "\(run)")
    if status == 20 || status == 28 {
      #expect(origin.log.requests.isEmpty && run.errors.split(separator: "\n").count == 1, "\(run)")
      #expect(run.errors.utf8.count < 1000)
    }
    #expect(!(run.errors + run.output).contains("hush"), "\(run)")
    #expect(!(run.errors + run.output).contains("root:x"), "\(run)")
    // Nothing above the directory, and what was there is as it was.
    #expect(parent.names() == ["d.meta4", "down", "x"])
    #expect(TemporaryDirectory.names(in: parent.file("down")) == ["here"])
    #expect(TemporaryDirectory.names(in: parent.file("down/here/folder")).isEmpty)
    #expect(access("/etc/x", F_OK) != 0 && access("/tmp/sheaf-escape", F_OK) != 0)
    #expect(try parent.read("x") == Array("mine".utf8) && parent.read("down/here/mine") == Array("mine".utf8))
    #expect(try parent.read("d.meta4") == bytes)
    let made = TemporaryDirectory.names(in: parent.file("down/here")).filter { $0 != "folder" && $0 != "mine" }
    if status == 0 { #expect(made == document.names.sorted()) }
    for name in made where document.names.contains(name) {
      #expect(status == 0 && Self.entity.matches(fileAt: parent.file("down/here/\(name)")), "\(run)")
    }
    #expect(made.allSatisfy { name in document.names.contains { name.hasPrefix($0) } }, "\(made)")
  }
}
