import SheafCore
import Testing

struct EntityTagTests {
  @Test(
    "reads one tag and keeps it as it is",
    arguments: [
      ("\"xyzzy\"", false), ("W/\"xyzzy\"", true), ("\"\"", false), ("W/\"\"", true), ("\"W/\"", false),
      ("\"a,b\"", false), ("\"!#~\"", false), ("\"a\\b\"", false), ("\"5f-\u{FC}\"", false),
    ])
  func wellFormed(text: String, isWeak: Bool) throws {
    let tag = try #require(EntityTag(parsing: text))
    #expect(tag.isWeak == isWeak)
    #expect(tag.fieldValue == text)
  }

  @Test(
    "refuses what is no single tag",
    arguments: [
      "", "\"", "xyzzy", "'xyzzy'", "\"xyzzy", "xyzzy\"", "w/\"xyzzy\"", "W/", "W/\"", "W/xyzzy", "W/ \"xyzzy\"",
      "\"a\", \"b\"", "\"a\"\"b\"", "\"a b\"", "\"a\tb\"", "\"a\u{7F}\"", "\"a\r\nX: 1\"", " \"a\"", "\"a\" ",
      "\"a\"-gzip", "*", "\"a\u{0}\"", "\u{201C}a\u{201D}", "\"a\"\u{301}",
    ])
  func malformed(text: String) {
    #expect(EntityTag(parsing: text) == nil)
  }
}
