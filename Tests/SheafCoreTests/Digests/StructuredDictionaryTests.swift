import Testing

@testable import SheafCore

@Suite("Structured dictionaries")
struct StructuredDictionaryTests {
  typealias Member = StructuredDictionary.Member

  @Test(
    "keeps byte sequences and passes over everything else that is well-formed",
    arguments: [
      ("sha-256=:Zg==:", [Member(key: "sha-256", bytes: [102])]),
      ("a=:Zg==:, b=:Zm8=:", [Member(key: "a", bytes: [102]), Member(key: "b", bytes: [102, 111])]),
      ("a=:Zg==:;q=1;x,b=1.5", [Member(key: "a", bytes: [102]), Member(key: "b", bytes: nil)]),
      (
        "a, b=?0 , c=\"x\\\"y\", d=tok/en, e=(1 \"a\" :Zg==:;p);q, f=-7",
        "abcdef".map { Member(key: "\($0)", bytes: nil) }
      ),
      ("a=1, a=:Zg==:", [Member(key: "a", bytes: [102])]), ("  a=::  ", [Member(key: "a", bytes: [])]), ("", []),
      ("*a_-.*9=:Zg==:", [Member(key: "*a_-.*9", bytes: [102])]),
    ] as [(String, [Member])])
  func reads(text: String, members: [Member]) {
    #expect(StructuredDictionary(parsing: [text])?.members == members)
  }

  @Test(
    "refuses the whole field for one wrong byte",
    arguments: [
      "a=:Zg==:,", ",a=:Zg==:", "A=:Zg==:", "a=:Zg=:", "a=:Zg==", "a =:Zg==:", "a= :Zg==:", "a=:Zg==: b", "a=:Zg==:;",
      "a=\"x", "a=\"\u{7}\"", "a=(1", "a=(1 (2))", "a=(1\"b\")", "a=@1", "a=?2", "a=1234567890123456", "a=1.2345",
      "sha-256=:???:, =, \"", "a=:Zg==:,,b", "a=%",
    ])
  func refuses(text: String) {
    #expect(StructuredDictionary(parsing: [text]) == nil)
  }

  @Test("takes several lines for one list, and none that is too long")
  func lines() {
    #expect(StructuredDictionary(parsing: ["a=:Zg==:", "b=:Zm8=:"])?.members.map(\.key) == ["a", "b"])
    #expect(StructuredDictionary(parsing: ["a=\"" + String(repeating: "x", count: 9000) + "\""]) == nil)
  }
}
