import SheafCore
import Testing

struct ResponseHeadTests {
  @Test("finds fields whatever their case, in order, trimmed")
  func values() {
    let answer = head(200, "ETag: \"a\"", "x-thing:  1\t", "X-THING: 2", "X-Things: 3")
    #expect(answer.values("X-Thing") == ["1", "2"])
    #expect(answer.values("etag") == ["\"a\""])
    #expect(answer.values("absent") == [])
  }

  @Test("has a single value only for a field that came once")
  func value() {
    let answer = head(200, "One: 1", "Two: 1", "two: 1", "Empty:")
    #expect(answer.value("one") == "1")
    #expect(answer.value("two") == nil)
    #expect(answer.value("three") == nil)
    #expect(answer.value("empty") == "")
  }

  @Test("ignores case of ASCII letters only")
  func unicodeCase() {
    // U+212A KELVIN SIGN lowercases to k in Unicode; a field name knows nothing of that.
    #expect(head(200, "Lin\u{212A}: x").values("link") == [])
  }
}
