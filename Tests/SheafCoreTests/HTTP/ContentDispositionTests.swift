import SheafCore
import Testing

@Suite("Names that answers suggest")
struct ContentDispositionTests {
  @Test(
    "the name, by RFC 6266",
    arguments: [
      (#"attachment; filename="a b.iso""#, "a b.iso"),
      ("attachment; filename=a.iso", "a.iso"),
      ("attachment;FILENAME = a.iso ; x=y", "a.iso"),
      ("inline; filename=a.iso", "a.iso"),
      (#"attachment; filename="plain.txt"; filename*=UTF-8''%e2%82%ac.txt"#, "€.txt"),
      (#"attachment; filename*=UTF-8'en'a%20b.txt; filename="plain.txt""#, "a b.txt"),
      (#"attachment; filename*=iso-8859-1''%e9.txt"#, "é.txt"),
      (#"attachment; filename="a\"b.txt""#, "a\"b.txt"),
      (#"attachment; filename="a;b.txt"; x=1"#, "a;b.txt"),
      (#"attachment; filename="open.txt"#, "open.txt"),
      (#"attachment; x; filename=a"#, "a"),
      (#"attachment; filename*=UTF-8''%ff; filename=b"#, "b"),
      (#"attachment; filename*=x-other''a; filename=b"#, "b"),
      (#"attachment; filename="first"; filename="second""#, "first"),
    ])
  func names(field: String, name: String) throws {
    let found = try #require(suggestedName(in: head(200, "Content-Disposition:\(field)")))
    #expect(String(decoding: found, as: UTF8.self) == name)
  }

  @Test(
    "none",
    arguments: ["attachment", "", ";", "filename", "attachment; filename=", #"attachment; filename="""#, "a;=b"])
  func none(field: String) {
    #expect(suggestedName(in: head(200, "Content-Disposition:\(field)")) == nil)
    #expect(suggestedName(in: head(200)) == nil)
  }

  @Test(
    "made safe, it stays in its directory",
    arguments: [
      #"a; filename="../../etc/passwd""#, #"a; filename="/etc/passwd""#, #"a; filename="..\..\x""#, "a; filename=..",
      #"a; filename*=UTF-8''..%2f..%2fx"#, #"a; filename=".bashrc""#, #"a; filename="-rf""#,
      "a; filename*=UTF-8''a%00b",
    ])
  func safe(field: String) throws {
    let name = fileName(sanitizing: try #require(suggestedName(in: head(200, "Content-Disposition:\(field)"))))
    #expect(!name.contains("/") && !name.contains("\\") && !name.hasPrefix(".") && !name.hasPrefix("-"))
    #expect(!name.utf8.contains(0) && !name.isEmpty)
  }
}
