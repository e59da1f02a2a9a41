import SheafCore
import Testing

@Suite("NetrcFile")
struct NetrcFileTests {
  private func login(_ text: String, _ host: String = "h") throws -> Login? {
    try NetrcFile(parsing: text.utf8).login(for: host)
  }

  @Test(
    "finds the name and password of a host",
    arguments: [
      "machine h login me password secret", "machine h\n  login me\n\tpassword secret\n",
      "machine other login x password y machine h password secret login me",
      "# a comment\nmachine h # another\nlogin me password secret", "machine H login me password secret",
      "machine h account a login me password secret", "machine h login \"me\" password \"secret\"",
      "macdef init\ncd /tmp\nmachine h login no password no\n\nmachine h login me password secret",
      "machine h login me password secret\nmachine h login other password other",
      "machine h login me\nmachine h login me password secret", "machine h\r\nlogin me\r\npassword secret\r\n",
      "default login no password no machine h login me password secret",
    ])
  func finds(text: String) throws {
    #expect(try login(text) == .init(name: "me", password: "secret"))
  }

  @Test("reads what is quoted, and a password that looks like a comment")
  func quoted() throws {
    #expect(try login(#"machine h login "a \"b\\" password "p q\n""#) == .init(name: "a \"b\\", password: "p q\n"))
    #expect(try login("machine h login a password #1").map(\.password) == "#1")
    #expect(try login("machine h login machine password login").map(\.name) == "machine")
  }

  @Test(
    "has nothing for other hosts, for half an entry, and never for everybody",
    arguments: [
      "", "machine g login me password p", "machine h login me", "machine h password p",
      "default login me password p", "machine h default login me password p", "login me password p",
    ])
  func nothing(text: String) throws {
    #expect(try login(text) == nil)
  }

  @Test(
    "names the line of what makes no sense, and repeats nothing of it",
    arguments: [
      ("machine", 1), ("machine h\nlogin", 2), ("machine h login me\npasword secret", 2), ("\n\n\"secret", 3),
      ("machine h login \"secret\nx\"", 1), ("secret", 1),
    ])
  func problems(text: String, line: Int) {
    let problem = #expect(throws: NetrcFile.Problem.self) { try NetrcFile(parsing: text.utf8) }
    #expect(problem?.line == line)
    #expect(problem?.message.contains("secret") == false)
  }

  @Test("refuses what is no text")
  func bytes() {
    #expect(throws: NetrcFile.Problem.self) { try NetrcFile(parsing: Array("machine h login ".utf8) + [0xFF]) }
    #expect(throws: NetrcFile.Problem.self) { try NetrcFile(parsing: Array("machine h login a".utf8) + [0]) }
  }

  @Test("ends for any bytes")
  func anything() {
    var numbers = SeededNumbers(seed: 9)
    let alphabet = Array("machinelogindefaultpasswordmacdef \"\\#\n".utf8) + [0, 0xFF]
    for _ in 0..<4000 {
      let bytes = (0..<Int.random(in: 0...60, using: &numbers)).map { _ in alphabet.randomElement(using: &numbers) ?? 0
      }
      _ = try? NetrcFile(parsing: bytes)
    }
  }

  @Test(
    "writes base64",
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
      ("foobar", "Zm9vYmFy"), ("\u{FF}\u{FE}?>", "w7/Dvj8+"),
    ])
  func encoding(text: String, encoded: String) {
    #expect(base64(Array(text.utf8)) == encoded)
  }
}
