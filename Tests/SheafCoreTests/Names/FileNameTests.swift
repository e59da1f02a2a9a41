import SheafCore
import Testing

private let long = String(repeating: "a", count: 300)

struct FileNameTests {
  @Test(
    "makes a safe name of the last segment of a path",
    arguments: [
      ("/pub/debian-12.iso", "debian-12.iso"), ("debian.iso", "debian.iso"), ("/a%20b.bin", "a b.bin"),
      ("/%E6%97%A5%E6%9C%AC.txt", "日本.txt"), ("/日本.txt", "日本.txt"), ("/a+b.txt", "a+b.txt"),
      ("/archive.tar.gz", "archive.tar.gz"), ("/~user", "_~user"), ("/a=b&c;d", "a=b&c;d"), ("/-", "_-"),
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
      ("/%7e", "_~"), ("/CON", "_CON"), ("/nul.txt", "_nul.txt"), ("/Com1.tar.gz", "_Com1.tar.gz"), ("/lpt9", "_lpt9"),
      ("/com0", "com0"), ("/console", "console"), ("/aux1", "aux1"), ("/CON%20", "_CON"),
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
      ("CON" + String(repeating: " ", count: 300) + "x", "_CON"),
      ("nul." + long, "_nul." + String(repeating: "a", count: 244)),
      (String(repeating: "a", count: 249), String(repeating: "a", count: 249)),
      ("-" + String(repeating: "a", count: 248), "_-" + String(repeating: "a", count: 247)),
      ("e" + String(repeating: "\u{301}", count: 500) + ".gz", "e" + String(repeating: "\u{301}", count: 122) + ".gz"),
    ])
  func cut(segment: String, name: String) {
    #expect(Array(fileName(fromURLPath: "/" + segment).unicodeScalars) == Array(name.unicodeScalars))
  }

  /// O-60: what servers send as `filename`, and the bytes of what they send as `filename*`.
  private static let hostileNames: [(String, String)] = [
    ("../escape.bin", "escape.bin"), ("../../escape.bin", "escape.bin"), ("/tmp/sheaf-escape.bin", "sheaf-escape.bin"),
    ("..\\escape.bin", "escape.bin"), ("..\\..\\escape.bin", "escape.bin"), ("C:\\escape.bin", "escape.bin"),
    ("C:escape.bin", "C_escape.bin"), ("\\\\host\\share\\escape.bin", "escape.bin"),
    ("%2e%2e%2fescape.bin", "%2e%2e%2fescape.bin"), ("..%2fescape.bin", "_.%2fescape.bin"),
    ("%2fetc%2fpasswd", "%2fetc%2fpasswd"), ("..%5cescape.bin", "_.%5cescape.bin"),
    ("a/../../escape.bin", "escape.bin"),
    ("a/b/c.bin", "c.bin"), ("./file.bin", "file.bin"), ("..", "download"), (".", "download"), ("...", "download"),
    ("/", "download"), ("//", "download"), ("\\", "download"), ("", "download"), (" ", "download"), ("~", "_~"),
    ("~/escape.bin", "escape.bin"), ("~root", "_~root"), (".bashrc", "_bashrc"), (".wgetrc", "_wgetrc"),
    (".ssh/authorized_keys", "authorized_keys"), (".aria2", "_aria2"), ("-rf", "_-rf"), ("--help", "_--help"),
    ("-o", "_-o"), ("file.bin.part", "file.bin.part"), ("file.bin.sheaf", "file.bin.sheaf"),
    ("file.bin\u{00}.txt", "file.bin_.txt"), ("file\u{07}.bin", "file_.bin"), ("file\u{1B}[31m.bin", "file_[31m.bin"),
    ("file\u{202E}nib.exe", "file_nib.exe"), ("file\u{200B}.bin", "file_.bin"), ("file.bin.", "file.bin"),
    ("file.bin ", "file.bin"), ("CON", "_CON"), ("nul.txt", "_nul.txt"), ("COM1.bin", "_COM1.bin"),
    ("a:b.bin", "a_b.bin"), ("a*b?.bin", "a*b?.bin"), ("a|b.bin", "a|b.bin"), ("a<b>.bin", "a<b>.bin"),
    ("$(touch owned).bin", "$(touch owned).bin"), ("`touch owned`.bin", "`touch owned`.bin"), ("a;b.bin", "a;b.bin"),
    (long, String(repeating: "a", count: 249)), ("\(long).tar.gz", String(repeating: "a", count: 246) + ".gz"),
    ("..\u{2215}escape.bin", "_.\u{2215}escape.bin"), ("file\r\nSet-Cookie: a=b", "file__Set-Cookie_ a=b"),
    ("\0\r\n\u{1B}", "____"), ("\u{FEFF}.bashrc", "_.bashrc"), ("a.bin\u{2028}.exe", "a.bin_.exe"),
    ("e\u{301}.bin", "e\u{301}.bin"),
  ]

  @Test("makes sixty hostile names harmless", arguments: hostileNames)
  func hostile(name: String, safe: String) {
    #expect(Array(fileName(sanitizing: name.utf8).unicodeScalars) == Array(safe.unicodeScalars))
    #expect(fileName(sanitizing: safe.utf8) == safe)
    // The same behind a URL, where everything may be encoded.
    let encoded = name.utf8.map { "%" + hexadecimal([$0]) }.joined()
    #expect(fileName(fromURLPath: "/pub/" + encoded) == fileName(sanitizing: name.utf8))
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
