import Testing
import SheafCore

@testable import SheafCommand

@Suite("JSON")
struct JSONTests {
  @Test(
    "escapes what it must, and what could disturb a terminal",
    arguments: [
      ("plain ü 日本 😀", "plain ü 日本 😀"), ("\"\\/", "\\\"\\\\/"), ("\n\r\t", "\\n\\r\\t"), ("\r\n", "\\r\\n"),
      ("\0\u{1F}\u{7F}\u{9B}", "\\u0000\\u001f\\u007f\\u009b"), ("\u{202E}\u{2028}", "\\u202e\\u2028"),
      ("\u{E0001}", "\\udb40\\udc01"), ("", ""),
    ])
  func strings(value: String, text: String) {
    #expect(JSON.string(value).text == "\"\(text)\"")
  }

  @Test("escapes every control character")
  func controls() {
    for code in UInt8(0)..<32 {
      let text = JSON.string(String(UnicodeScalar(code))).text
      #expect(text.utf8.allSatisfy { $0 >= 32 })
    }
  }

  @Test(
    "writes numbers that every reader takes",
    arguments: [
      (0, "0"), (2.1, "2.1"), (2.1044, "2.104"), (2.9996, "3"), (0.05, "0.05"), (-0.5, "-0.5"), (-0.0001, "0"),
      (1e-9, "0"),
      (.nan, "null"), (.infinity, "null"), (1e20, "1e+20"),
    ] as [(Double, String)])
  func numbers(value: Double, text: String) {
    #expect(JSON.number(value).text == text)
  }

  @Test("keeps the order of members and puts all on one line")
  func objects() {
    let value = JSON.object([
      ("z", .null), ("a", .array([.bool(true), .integer(.min), .array([])])), ("\n", .object([])),
    ])
    #expect(value.text == #"{"z":null,"a":[true,-9223372036854775808,[]],"\n":{}}"#)
  }
}
