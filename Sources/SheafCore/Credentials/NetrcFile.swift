/// The names and passwords of a netrc file, by host.
///
/// The format is that of ftp(1) and curl: words between blanks, quoted where they contain some, `#` to the end of the line
/// where a word could begin. An entry `default` is read over: it would send a password to every server there is.
package struct NetrcFile: Hashable, Sendable {
  package struct Problem: Error, Hashable, Sendable {
    /// From 1.
    package let line: Int
    /// Repeats nothing of the file.
    package let message: String
  }

  private var logins: [String: Login] = [:]

  package init(parsing text: some Collection<UInt8>) throws(Problem) {
    var words = Words(Array(text))
    var entry: Entry?
    while let word = try words.next() {
      switch word {
      case "machine":
        close(entry)
        entry = Entry(host: try words.value(of: word))
      case "default":
        close(entry)
        entry = Entry(host: nil)
      case "login":
        // Read even if it belongs to nobody.
        let name = try words.value(of: word)
        entry?.name = name
      case "password":
        let password = try words.value(of: word)
        entry?.password = password
      case "account": _ = try words.value(of: word)
      case "macdef": words.skipMacro()
      default: throw Problem(line: words.line, message: "a word is neither machine, login, password nor account")
      }
    }
    close(entry)
  }

  /// The first entry for `host` that has both a name and a password. Case does not matter.
  package func login(for host: String) -> Login? { logins[host.lowercased()] }

  private mutating func close(_ entry: Entry?) {
    guard let host = entry?.host?.lowercased(), let name = entry?.name, let password = entry?.password else { return }
    if logins[host] == nil { logins[host] = Login(name: name, password: password) }
  }

  private struct Entry {
    var host: String?
    var name: String?
    var password: String?
  }

  /// The words of the text, one after the other.
  private struct Words {
    private let bytes: [UInt8]
    private var index = 0
    private(set) var line = 1

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() throws(Problem) -> String? {
      while let byte = current {
        if isSpace(byte) { advance() } else if byte == UInt8(ascii: "#") { skipLine() } else { break }
      }
      guard let first = current else { return nil }
      return first == UInt8(ascii: "\"") ? try quoted() : try text(plain())
    }

    mutating func value(of word: String) throws(Problem) -> String {
      // A value may begin with #, unlike a word.
      while let byte = current, isSpace(byte) { advance() }
      guard let first = current else { throw Problem(line: line, message: "\(word) has no value") }
      return first == UInt8(ascii: "\"") ? try quoted() : try text(plain())
    }

    /// To the next empty line.
    mutating func skipMacro() {
      skipLine()
      while current != nil, current != UInt8(ascii: "\n") { skipLine() }
    }

    private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func advance() {
      if current == UInt8(ascii: "\n") { line += 1 }
      index += 1
    }

    private mutating func skipLine() {
      while let byte = current {
        advance()
        if byte == UInt8(ascii: "\n") { return }
      }
    }

    private mutating func plain() -> [UInt8] {
      var word: [UInt8] = []
      while let byte = current, !isSpace(byte) {
        word.append(byte)
        advance()
      }
      return word
    }

    private mutating func quoted() throws(Problem) -> String {
      let start = line
      advance()
      var word: [UInt8] = []
      while let byte = current, byte != UInt8(ascii: "\n") {
        advance()
        if byte == UInt8(ascii: "\"") { return try text(word) }
        guard byte == UInt8(ascii: "\\"), let escaped = current else {
          word.append(byte)
          continue
        }
        advance()
        switch escaped {
        case UInt8(ascii: "n"): word.append(10)
        case UInt8(ascii: "r"): word.append(13)
        case UInt8(ascii: "t"): word.append(9)
        default: word.append(escaped)
        }
      }
      throw Problem(line: start, message: "a quotation mark is not closed")
    }

    private func text(_ word: [UInt8]) throws(Problem) -> String {
      guard let text = String(validating: word, as: UTF8.self), !word.contains(0) else {
        throw Problem(line: line, message: "it is no text")
      }
      return text
    }

    private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
  }
}
