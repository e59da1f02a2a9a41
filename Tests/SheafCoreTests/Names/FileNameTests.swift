import SheafCore
import Testing

private let long = String(repeating: "a", count: 300)

struct FileNameTests {
  @Test(
    "makes a safe name of the last segment of a path",
    arguments: [
      ("/pub/debian-12.iso", "debian-12.iso"), ("debian.iso", "debian.iso"), ("/a%20b.bin", "a b.bin"),
      ("/%E6%97%A5%E6%9C%AC.txt", "日本.txt"), ("/日本.txt", "日本.txt"), ("/a+b.txt", "a+b.txt"),
      ("/archive.tar.gz", "archive.tar.gz"), ("/~user", "~user"), ("/a=b&c;d", "a=b&c;d"), ("/-", "_-"),
      // Nothing there.
      ("", "download"), ("/", "download"), ("/pub/", "download"), ("/.", "download"), ("/..", "download"),
      ("/%2e%2E", "download"), ("/...", "download"), ("/. .", "download"), ("/%20", "download"), ("/a%2F", "download"),
      // Paths in disguise.
      ("/..%2f..%2fetc%2fpasswd", "passwd"), ("/..%5C..%5Cboot.ini", "boot.ini"), ("/a\\b", "b"),
      ("/%2Fetc%2Fpasswd", "passwd"), ("/C:%5Cx.exe", "x.exe"), ("/C:x.exe", "C_x.exe"), ("/x:stream", "x_stream"),
      ("/%252e%252e%252fx", "%2e%2e%2fx"), ("/..%2f%2e%2e", "download"),
      // Names that mean something to a shell, a tool or a file system.
      ("/.bashrc", "_bashrc"), ("/%2ewgetrc", "_wgetrc"), ("/..x", "_.x"), ("/-rf", "_-rf"), ("/--help", "_--help"),
      ("/name.", "name"), ("/name. . ", "name"), ("/name%20", "name"), ("/ name", " name"),
      // Characters that lie.
      ("/a%00.txt", "a_.txt"), ("/a%0Ab", "a_b"), ("/a%1B%5B2Jb", "a_[2Jb"), ("/a%7Fb", "a_b"), ("/a%C2%9Bb", "a_b"),
      ("/gpj.%E2%80%AEexe", "gpj._exe"), ("/a%E2%80%8Bb", "a_b"), ("/a%EF%BB%BFb", "a_b"), ("/a%D8%9Cb", "a_b"),
      ("/a%E2%81%A6b", "a_b"), ("/a%C2%ADb", "a_b"), ("/a%E2%80%A8b", "a_b"), ("/a\u{202E}b", "a_b"),
      // No UTF-8: a stray byte, an overlong slash, half a surrogate pair.
      ("/a%FFb", "a_b"), ("/a%C0%AFb", "a__b"), ("/a%ED%A0%80b", "a___b"), ("/%00%00", "__"),
      // Percent signs that encode nothing.
      ("/100%", "100%"), ("/100%2", "100%2"), ("/%zz", "%zz"), ("/%+1", "%+1"), ("/%%41", "%A"),
      // A dot under a combining mark is still a dot to the file system.
      ("/.\u{301}x", "_\u{301}x"), ("/-\u{301}x", "_-\u{301}x"),
    ])
  func fromPath(path: String, name: String) {
    #expect(fileName(fromURLPath: path) == name)
  }

  @Test(
    "cuts a long name on a character boundary and keeps a short extension",
    arguments: [
      (long, String(repeating: "a", count: 249)),
      (long + ".iso", String(repeating: "a", count: 245) + ".iso"),
      (long + "." + long, String(repeating: "a", count: 249)),
      ("x." + long, "x." + String(repeating: "a", count: 247)),
      (String(repeating: "é", count: 200), String(repeating: "é", count: 124)),
      (String(repeating: "日", count: 100) + ".bin", String(repeating: "日", count: 81) + ".bin"),
      (String(repeating: "e\u{301}", count: 100) + ".gz", String(repeating: "e\u{301}", count: 82) + ".gz"),
      (String(repeating: "a", count: 248) + " b", String(repeating: "a", count: 248)),
      (String(repeating: " ", count: 300) + "x", "download"),
      (String(repeating: "a", count: 249), String(repeating: "a", count: 249)),
      ("-" + String(repeating: "a", count: 248), "_-" + String(repeating: "a", count: 247)),
      ("e" + String(repeating: "\u{301}", count: 500) + ".gz", "e" + String(repeating: "\u{301}", count: 122) + ".gz"),
    ])
  func cut(segment: String, name: String) {
    #expect(Array(fileName(fromURLPath: "/" + segment).unicodeScalars) == Array(name.unicodeScalars))
  }

  @Test("takes a name from elsewhere without decoding it")
  func sanitizing() {
    #expect(fileName(sanitizing: "a%2Fb".utf8) == "a%2Fb")
    #expect(fileName(sanitizing: "../a/.b".utf8) == "_b")
    #expect(fileName(sanitizing: [0x61, 0xFF]) == "a_")
  }

  @Test("keeps its promises for random bytes")
  func properties() {
    var numbers = SeededNumbers(seed: 66)
    let alphabet = Array("./\\-: %2Fe0a~".utf8) + [0, 0x1B, 0x7F, 0x80, 0xC2, 0xE2, 0xAE, 0xCC, 0x81, 0xF0, 0xFF]
    for round in 0..<4000 {
      let length = round % 10 == 0 ? 600 : Int.random(in: 0...20, using: &numbers)
      let bytes = (0..<length).map { _ in alphabet.randomElement(using: &numbers) ?? 0 }
      let names = [
        fileName(sanitizing: bytes), fileName(fromURLPath: String(decoding: bytes, as: UTF8.self)),
      ]
      for name in names {
        #expect((1...longestFileName).contains(name.utf8.count))
        #expect(!name.utf8.contains(UInt8(ascii: "/")) && !name.utf8.contains(UInt8(ascii: "\\")))
        #expect(!name.unicodeScalars.contains(where: isUnprintable))
        #expect(name.utf8.first != UInt8(ascii: ".") && name.utf8.first != UInt8(ascii: "-"))
        #expect(name.utf8.last != UInt8(ascii: ".") && name.utf8.last != UInt8(ascii: " "))
        #expect(fileName(sanitizing: name.utf8) == name)
      }
    }
  }
}
