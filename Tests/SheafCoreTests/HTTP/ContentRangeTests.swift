import SheafCore
import Testing

/// The twenty malformed values that the misbehaving origin sends as well.
let malformedContentRanges = [
  "bytes=0-99/1000", "0-99/1000", "items 0-99/1000", "bytes 99-0/1000", "bytes 0-1000/1000", "bytes 0-99/50",
  "bytes -1-99/1000", "bytes +0-99/1000", "bytes 0 - 99/1000", "bytes 0-99 / 1000", "bytes  0-99/1000", "bytes 0-99",
  "bytes 0-99/", "bytes 0-/1000", "bytes -99/1000", "bytes 0-99/9223372036854775808",
  "bytes 0-18446744073709551616/18446744073709551617", "bytes 0x0-0x63/1000", "bytes 0-99/1000, bytes 0-99/1000",
  "bytes 0-99,200-299/1000",
]

struct ContentRangeTests {
  @Test(
    "reads what RFC 9110 §14.4 allows",
    arguments: [
      ("bytes 0-99/1000", 0, 100, 1000), ("bytes 0-0/1", 0, 1, 1), ("Bytes 5-9/10", 5, 10, 10),
      ("BYTES 000-009/0010", 0, 10, 10), ("bytes 42-1233/*", 42, 1234, nil),
      ("bytes 4294967295-4294967296/4294967297", 4_294_967_295, 4_294_967_297, 4_294_967_297),
      ("bytes 0-9223372036854775806/9223372036854775807", 0, Int64.max, Int64.max),
      ("bytes 0-9223372036854775806/*", 0, Int64.max, nil),
    ] as [(String, Int64, Int64, Int64?)])
  func wellFormed(text: String, lower: Int64, upper: Int64, total: Int64?) throws {
    let parsed = try #require(ContentRange(parsing: text))
    #expect(parsed.range == ByteRange(lower, upper))
    #expect(parsed.total == total)
  }

  @Test(
    "reads the form of a 416",
    arguments: [("bytes */1000", 1000), ("bytes */0", 0), ("bytes */9223372036854775807", .max)] as [(String, Int64)])
  func unsatisfied(text: String, total: Int64) throws {
    let parsed = try #require(ContentRange(parsing: text))
    #expect(parsed.range == nil)
    #expect(parsed.total == total)
  }

  @Test("refuses the malformed set", arguments: malformedContentRanges)
  func malformed(text: String) {
    #expect(ContentRange(parsing: text) == nil)
  }

  @Test(
    "refuses whatever else is not the grammar",
    arguments: [
      "", "bytes", "bytes ", "bytes /", "bytes */*", "bytes -/10", "bytes */", "bytes */-1", "bytes **/10",
      "bytes 0-9/**",
      "bytes\t0-9/10", " bytes 0-9/10", "bytes 0-9/10 ", "bytes 0-9/10\r", "bytes 0-9/10/11", "bytes 0-9-10/11",
      "bytes ٠-٩/10", "bytes 0-9223372036854775807/*", "bytes 0-99/1e3", "bytes 0-9/10;x", "bytes\u{A0}0-9/10",
      "bytes 0–9/10", "bytes: 0-9/10", "kbytes 0-9/10", "bytes 0-9/0", "bytes 1-0/*", "bytes 0-0/0",
    ])
  func other(text: String) {
    #expect(ContentRange(parsing: text) == nil)
  }

  @Test("agrees with a slow reference on mutated values")
  func differential() {
    var numbers = SeededNumbers(seed: 14)
    let alphabet = Array("0123456789-/* bytes+,=".utf8)
    for _ in 0..<20_000 {
      var text = Array(
        "bytes \(Int.random(in: 0...20, using: &numbers))-\(Int.random(in: 0...20, using: &numbers))/\(Int.random(in: 0...25, using: &numbers))"
          .utf8)
      if Bool.random(using: &numbers) {
        text[Int.random(in: 0..<text.count, using: &numbers)] = alphabet.randomElement(using: &numbers) ?? 0
      }
      let string = String(decoding: text, as: UTF8.self)
      if (ContentRange(parsing: string) != nil) != referenceAccepts(string) { Issue.record("\(string)") }
    }
  }

  /// The grammar by regular expression, the numbers by Int.
  private func referenceAccepts(_ text: String) -> Bool {
    if let match = text.wholeMatch(of: /(?i:bytes) ([0-9]+)-([0-9]+)\/([0-9]+|\*)/) {
      guard let first = Int(match.1), let last = Int(match.2), first <= last else { return false }
      return match.3 == "*" || last < Int(match.3) ?? 0
    }
    return text.wholeMatch(of: /(?i:bytes) \*\/[0-9]+/) != nil
  }
}
