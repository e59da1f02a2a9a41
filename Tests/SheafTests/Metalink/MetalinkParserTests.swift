import SheafCore
import Testing

@testable import Sheaf

@Suite("Metalink documents")
struct MetalinkParserTests {
  static let sha256 = String(repeating: "a1", count: 32)
  static let sha1 = String(repeating: "b2", count: 20)

  private func parse(_ text: String) throws(MetalinkProblem) -> Metalink { try parseMetalink(Array(text.utf8)) }

  private func four(_ files: String) -> String {
    "<?xml version=\"1.0\"?>\n<metalink xmlns=\"urn:ietf:params:xml:ns:metalink\">\(files)</metalink>"
  }

  private func three(_ files: String) -> String {
    "<metalink version=\"3.0\" xmlns=\"http://www.metalinker.org/\"><files>\(files)</files></metalink>"
  }

  private func problem(_ text: String) -> MetalinkProblem? {
    do throws(MetalinkProblem) {
      _ = try parse(text)
      return nil
    } catch {
      return error
    }
  }

  @Test("reads version 4")
  func versionFour() throws {
    let metalink = try parse(
      four(
        """
        <published>2009-05-15T12:23:23Z</published>
        <file name="example.ext">
          <size> 2500 </size>
          <identity>Example</identity>
          <hash type="sha-256">\(Self.sha256)</hash>
          <hash type="sha-1">\(Self.sha1)</hash>
          <hash type="whirlpool">00</hash>
          <pieces length="1000" type="sha-1"><hash>\(Self.sha1)</hash><hash>\(Self.sha1)</hash><hash>\(Self.sha1)</hash></pieces>
          <url location="DE" priority="2">https://b.example/f?a=1&amp;b=2</url>
          <url priority="1">http://a.example/f</url>
          <url>HTTP://c.example/f</url>
          <url priority="1">ftp://d.example/f</url>
          <metaurl mediatype="torrent">http://e.example/f.torrent</metaurl>
        </file>
        <file name="second"/>
        """))
    let file = try #require(metalink.files.first)
    #expect(metalink.files.map(\.name) == ["example.ext", "second"])
    #expect(file.size == 2500)
    #expect(file.digests.map(\.description) == ["sha-256=\(Self.sha256)", "sha-1=\(Self.sha1)"])
    #expect(file.pieces?.pieceLength == 1000 && file.pieces?.digests.count == 3)
    #expect(file.sources.map(\.url) == ["http://a.example/f", "https://b.example/f?a=1&b=2", "HTTP://c.example/f"])
    #expect(file.sources.map(\.priority) == [1, 2, Metalink.Bounds.worstPriority])
    #expect(file.sources.map(\.country) == [nil, "de", nil])
  }

  @Test("reads version 3, whose preferences go the other way")
  func versionThree() throws {
    let metalink = try parse(
      three(
        """
        <file name="a.iso"><size>2000</size>
        <verification><hash type="sha256">\(Self.sha256)</hash>
        <pieces length="1024" type="sha1"><hash piece="0">\(Self.sha1)</hash><hash piece="1">\(Self.sha1)</hash></pieces></verification>
        <resources maxconnections="2"><url type="http" location="us" preference="10">http://a.example/f</url>
        <url type="http" preference="100">http://b.example/f</url><url type="bittorrent">http://c.example/f</url></resources></file>
        """))
    let file = try #require(metalink.files.first)
    #expect(file.size == 2000 && file.pieces?.digests.count == 2)
    #expect(file.digests.map(\.algorithm) == [.sha256])
    #expect(file.sources.map(\.url).prefix(2) == ["http://b.example/f", "http://a.example/f"])
    #expect(file.sources.map(\.priority).prefix(2) == [1, 91])
  }

  @Test(
    "names lead nowhere else",
    arguments: [
      ("../../etc/passwd", "passwd"), ("/etc/passwd", "passwd"), ("a/b.iso", "b.iso"), ("..\\x", "x"),
      (".bashrc", "_bashrc"),
      ("-rf", "_-rf"), ("a&#x202E;b", "a_b"), ("..", "download"), ("a/", "download"), ("C:x", "C_x"),
    ])
  func names(name: String, safe: String) throws {
    #expect(try parse(four("<file name=\"\(name)\"/>")).files.map(\.name) == [safe])
  }

  @Test("two files that would have one name, or none, are refused")
  func doubleNames() {
    #expect(problem(four("<file name=\"a/x\"/><file name=\"b/x\"/>")) == .nameTwice)
    #expect(problem(four("<file name=\"\"/>")) == .nameMissing)
    #expect(problem(four("<file/>")) == .nameMissing)
  }

  @Test("a document type is refused before it defines anything")
  func documentType() {
    let laughs =
      "<!DOCTYPE metalink [<!ENTITY a \"ha\"><!ENTITY b \"&a;&a;&a;&a;\">]>"
      + "<metalink xmlns=\"urn:ietf:params:xml:ns:metalink\"><file name=\"&b;\"/></metalink>"
    #expect(problem(laughs) == .documentType)
    #expect(problem("<!DOCTYPE metalink SYSTEM \"file:///etc/passwd\"><metalink/>") == .documentType)
  }

  @Test(
    "what is no Metalink is said to be none",
    arguments: [
      ("<html/>", .notMetalink), ("<metalink/>", .notMetalink), ("<metalink xmlns=\"urn:x\"/>", .notMetalink),
      ("", .malformed(line: 1)), ("\n\n<metalink", .malformed(line: 3)), ("not xml", .malformed(line: 1)),
      ("<a></b>", .notMetalink), ("<metalink xmlns=\"urn:ietf:params:xml:ns:metalink\"></x>", .malformed(line: 1)),
      ("<metalink xmlns=\"urn:ietf:params:xml:ns:metalink\"/>", .noFiles),
      ("<metalink xmlns=\"urn:ietf:params:xml:ns:metalink\"><file name=\"&lol;\"/></metalink>", .malformed(line: 1)),
    ] as [(String, MetalinkProblem)])
  func others(text: String, expected: MetalinkProblem) {
    #expect(problem(text) == expected)
  }

  @Test(
    "values that make no sense are left out",
    arguments: [
      "<size>-1</size>", "<size>1e9</size>", "<size>99999999999999999999</size>", "<hash type=\"sha-256\">00</hash>",
      "<hash>\(sha256)</hash>", "<url>javascript:x</url>", "<url>http://a b/</url>", "<url>//a/</url>", "<url/>",
      "<pieces length=\"0\" type=\"sha-1\"><hash>\(sha1)</hash></pieces>", "<pieces length=\"9\" type=\"sha-1\"/>",
      "<pieces length=\"9\" type=\"sha-1\"><hash>zz</hash></pieces>",
      "<pieces length=\"9\"><hash>\(sha1)</hash></pieces>",
      "<x:size xmlns:x=\"urn:x\">5</x:size>", "<resources><url>http://a/</url></resources>",
      "<hash type=\"md5\">\(String(repeating: "1", count: 32))</hash><hash type=\"md5\">\(String(repeating: "2", count: 32))</hash>",
    ])
  func nonsense(element: String) throws {
    #expect(try parse(four("<file name=\"x\">\(element)</file>")).files == [Metalink.File(name: "x")])
  }

  @Test("pieces of another number than the size asks for are left out")
  func pieceCount() throws {
    let pieces = "<pieces length=\"1000\" type=\"sha-1\"><hash>\(Self.sha1)</hash></pieces>"
    #expect(try parse(four("<file name=\"x\"><size>1001</size>\(pieces)</file>")).files[0].pieces == nil)
    #expect(try parse(four("<file name=\"x\"><size>1000</size>\(pieces)</file>")).files[0].pieces != nil)
  }

  @Test("endless documents are refused")
  func bounds() {
    let deep = String(repeating: "<x>", count: 100)
    #expect(problem(four(deep)) == .tooDeep)
    let name = String(repeating: "x", count: 9000)
    #expect(problem(four("<file name=\"\(name)\"/>")) == .tooLong("attribute"))
    #expect(problem(four("<file name=\"x\"><url>\(name)</url></file>")) == .tooLong("text"))
    let urls = String(repeating: "<url>http://a/</url>", count: 300)
    #expect(problem(four("<file name=\"x\">\(urls)</file>")) == .tooMany("sources of one file"))
    let files = (0...Metalink.Bounds.files).map { "<file name=\"\($0)\"/>" }.joined()
    #expect(problem(four(files)) == .tooMany("files"))
    #expect(throws: MetalinkProblem.tooLarge) { try parseMetalink(Array(repeating: 32, count: (32 << 20) + 1)) }
  }
}
