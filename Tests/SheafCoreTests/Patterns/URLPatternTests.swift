import SheafCore
import Testing

@Suite("A URL pattern")
struct URLPatternTests {
  static func all(_ text: String) throws -> [String] {
    let pattern = try URLPattern(text)
    return (0..<pattern.count).map { pattern[$0].url }
  }

  @Test(
    "stands for what aria2 and curl make of it",
    arguments: [
      ("http://h/a", ["http://h/a"]),
      ("http://{a,b}/c", ["http://a/c", "http://b/c"]),
      ("f[8-11]", ["f8", "f9", "f10", "f11"]),
      ("f[008-010]", ["f008", "f009", "f010"]),
      ("f[01-10:4]", ["f01", "f05", "f09"]),
      ("f[0-0]", ["f0"]),
      ("f[a-e:2]", ["fa", "fc", "fe"]),
      ("f[X-Z].{x,}", ["fX.x", "fX.", "fY.x", "fY.", "fZ.x", "fZ."]),
      ("[1-2][a-b]", ["1a", "1b", "2a", "2b"]),
      (#"\{a,b\}\[1\]{c\,d,e}"#, ["{a,b}[1]c,d", "{a,b}[1]e"]),
      (#"a\b"#, [#"a\b"#]),
      ("http://[::1]:80/[1-2]", ["http://[::1]:80/1", "http://[::1]:80/2"]),
      ("", [""]),
    ])
  func expands(text: String, urls: [String]) throws {
    #expect(try Self.all(text) == urls)
  }

  @Test(
    "that makes no sense is refused, and says why",
    arguments: [
      "{a", "a}", "[1-2", "1]", "{}", "{a,{b}}", "{a,[1-2]}", "[2-1]", "[1]", "[a-B]", "[1-b]", "[1-3:0]", "[1-3:x]",
      "[-1-3]", "[aa-bb]", "[1-99999999999999999999]", "[1-1000001]", "[0-999999][0-9]", "[0-999999999999999999][0-99]",
    ])
  func refuses(text: String) {
    let failure = #expect(throws: Failure.self) { try URLPattern(text) }
    #expect(failure?.kind == .usage && failure?.suggestion?.isEmpty == false)
  }

  @Test("makes any of a million URLs without making the others")
  func lazy() throws {
    let pattern = try URLPattern("http://h/[000-999]/[00-99][0-9]")
    #expect(pattern.count == 1_000_000)
    #expect(pattern[999_999].url == "http://h/999/999")
    #expect(pattern[123_456].values == ["123", "45", "6"])
  }

  @Test("puts its values into a name")
  func names() {
    let values = ["a", "07"]
    #expect(URLPattern.substituted(values, in: "x#1-#2.iso") == "xa-07.iso")
    #expect(URLPattern.substituted(values, in: "#3 # #0 #12 ##1") == "#3 # #0 #12 #a")
    #expect(URLPattern.substituted([], in: "#1") == "#1")
  }

  @Test("of random characters is refused or stands for what it says", arguments: 0..<300)
  func random(seed: UInt64) {
    var numbers = SeededNumbers(seed: seed)
    let text = String(
      (0..<Int.random(in: 0..<24, using: &numbers)).map { _ in
        "{}[],:-\\019azAZ/".randomElement(using: &numbers) ?? "a"
      })
    guard let pattern = try? URLPattern(text) else { return }
    #expect((1...URLPattern.mostURLs).contains(pattern.count))
    for index in [0, pattern.count / 2, pattern.count - 1] { #expect(pattern[index].url.count <= text.count + 20) }
    // Different places of one pattern are different wherever its words are.
    #expect(pattern.count == 1 || pattern[0].values.count == pattern[pattern.count - 1].values.count)
  }
}
