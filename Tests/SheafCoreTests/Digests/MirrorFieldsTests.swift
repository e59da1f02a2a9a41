import Testing

@testable import SheafCore

@Suite("Metalink/HTTP")
struct MirrorFieldsTests {
  @Test("reads mirrors in the order of their priority, and what describes the file")
  func mirrors() {
    let fields = MirrorFields(
      head(
        200,
        "Link: <http://a/f>; rel=duplicate; pri=2; geo=GB; pref, <f.meta4>; rel=describedby; type=\"application/metalink4+xml\"",
        "Link: <http://b/f>;rel=\"other duplicate\" , <http://c/f>; pri=1; rel=DUPLICATE; geo=usa,",
        "Link: <f.asc>; rel=describedby; type=\"application/pgp-signature\"",
        "Link: <http://d/>; rel=next, <http://e/f>; rel=duplicate; pri=-1; geo=\"d\\e\""))
    #expect(
      fields.duplicates == [
        .init(reference: "http://c/f", priority: 1, country: nil, isPreferred: false),
        .init(reference: "http://a/f", priority: 2, country: "gb", isPreferred: true),
        .init(reference: "http://b/f", priority: nil, country: nil, isPreferred: false),
        .init(reference: "http://e/f", priority: nil, country: "de", isPreferred: false),
      ])
    #expect(fields.description == "f.meta4")
    #expect(fields.signature == "f.asc")
  }

  @Test(
    "what does not parse ends its line",
    arguments: [
      "<http://a/f", "http://a/f; rel=duplicate", "<http://a /f>; rel=duplicate", "<http://a/f> rel=duplicate",
      "<http://a/f>; rel=\"duplicate", "<http://a/f>; =x; rel=duplicate", "", ",,,", "<\u{1B}[2J>; rel=duplicate",
    ])
  func malformed(line: String) {
    #expect(MirrorFields(head(200, "Link: \(line)")).isEmpty)
  }

  @Test("keeps the links before a broken one, and the first of two parameters")
  func partly() {
    let fields = MirrorFields(head(200, "Link: <http://a/f>; rel=duplicate; rel=next; pri=3; pri=4, <b"))
    #expect(fields.duplicates.map(\.reference) == ["http://a/f"])
    #expect(fields.duplicates.first?.priority == 3)
  }

  @Test("hostile fields are bounded")
  func bounds() {
    let many = String(repeating: "<http://a/f>; rel=duplicate,", count: 1000)
    #expect(MirrorFields(head(200, "Link: \(many)", "Link: \(many)")).duplicates.count == LinkField.mostLinks)
    let long = "<http://a/\(String(repeating: "x", count: LinkField.longestTarget))>; rel=duplicate"
    #expect(MirrorFields(head(200, "Link: \(long)")).isEmpty)
    let parameters = (0..<100).map { ";x\($0)" }.joined()
    #expect(MirrorFields(head(200, "Link: <http://a/f>\(parameters); rel=duplicate")).isEmpty)
  }
}
