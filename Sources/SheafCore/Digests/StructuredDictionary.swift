/// A dictionary by the grammar of RFC 9651 section 3.2, of which only byte sequences are kept.
///
/// RFC 9651 section 4.2 wants a field that does not parse ignored as a whole, so one wrong byte means nil here.
package struct StructuredDictionary: Hashable, Sendable {
  package struct Member: Hashable, Sendable {
    package var key: String
    /// Nil for a member of any other type than a byte sequence.
    package var bytes: [UInt8]?
  }

  /// In the order of their keys' first appearance; of a key that comes twice the last value counts (section 4.2.2).
  package private(set) var members: [Member] = []

  /// A field that is longer than this is not read.
  package static let longest = 8 << 10

  /// - Parameter lines: the values of every field line of the name, which are one list (RFC 9110 section 5.3).
  package init?(parsing lines: [String]) {
    guard lines.reduce(0, { $0 + $1.utf8.count + 1 }) <= Self.longest else { return nil }
    var scanner = Scanner(rest: Array(lines.joined(separator: ",").utf8)[...])
    scanner.skip(" ")
    while !scanner.rest.isEmpty {
      guard let key = scanner.key(), let bytes = scanner.value() else { return nil }
      set(key, bytes)
      scanner.skip(" \t")
      guard !scanner.rest.isEmpty else { return }
      guard scanner.take(",") else { return nil }
      scanner.skip(" \t")
      // A comma must be followed by another member.
      if scanner.rest.isEmpty { return nil }
    }
  }

  private mutating func set(_ key: String, _ bytes: [UInt8]?) {
    if let index = members.firstIndex(where: { $0.key == key }) {
      members[index].bytes = bytes
    } else {
      members.append(Member(key: key, bytes: bytes))
    }
  }
}

/// Reads from the front. Each method returns nil, or false, where the grammar is broken.
private struct Scanner {
  var rest: ArraySlice<UInt8>

  mutating func skip(_ characters: String) {
    while let next = rest.first, characters.utf8.contains(next) { rest.removeFirst() }
  }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  mutating func prefix(while condition: (UInt8) -> Bool) -> String {
    let taken = rest.prefix(while: condition)
    rest.removeFirst(taken.count)
    return String(decoding: taken, as: UTF8.self)
  }

  /// Section 4.2.3.3.
  mutating func key() -> String? {
    guard let first = rest.first, isLowercase(first) || first == UInt8(ascii: "*") else { return nil }
    return prefix { isLowercase($0) || isDigit($0) || "_-.*".utf8.contains($0) }
  }

  /// A member's value with its parameters; the inner nil stands for a value that is no byte sequence.
  mutating func value() -> [UInt8]?? {
    // Without a value a member is true (section 3.2).
    guard take("=") else { return parameters() ? .some(nil) : nil }
    var result: [UInt8]?
    if rest.first == UInt8(ascii: "(") {
      guard innerList() else { return nil }
    } else {
      guard let item = item() else { return nil }
      result = item
    }
    return parameters() ? .some(result) : nil
  }

  /// Section 4.2.1.2. Inner lists do not nest.
  private mutating func innerList() -> Bool {
    guard take("(") else { return false }
    while true {
      skip(" ")
      if take(")") { return true }
      guard item() != nil, parameters(), rest.first == UInt8(ascii: " ") || rest.first == UInt8(ascii: ")") else {
        return false
      }
    }
  }

  /// Section 4.2.3.2.
  private mutating func parameters() -> Bool {
    while take(";") {
      skip(" ")
      guard key() != nil else { return false }
      if take("="), item() == nil { return false }
    }
    return true
  }

  /// A bare item (section 4.2.3.1); the inner nil stands for any other type than a byte sequence.
  private mutating func item() -> [UInt8]?? {
    guard let first = rest.first else { return nil }
    switch first {
    case UInt8(ascii: ":"): return byteSequence().map { .some($0) }
    case UInt8(ascii: "\""): return string() ? .some(nil) : nil
    case UInt8(ascii: "?"):
      rest.removeFirst()
      return take("0") || take("1") ? .some(nil) : nil
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return number() ? .some(nil) : nil
    case UInt8(ascii: "*"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"):
      _ = prefix { isTokenCharacter($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }
      return .some(nil)
    // Dates and display strings have no place in the fields that are read here.
    default: return nil
    }
  }

  /// Section 4.2.7.
  private mutating func byteSequence() -> [UInt8]? {
    guard take(":"), let end = rest.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let text = String(decoding: rest[..<end], as: UTF8.self)
    rest = rest[(end + 1)...]
    return text.isEmpty ? [] : bytes(ofBase64: text)
  }

  /// Section 4.2.5.
  private mutating func string() -> Bool {
    guard take("\"") else { return false }
    while let next = rest.popFirst() {
      switch next {
      case UInt8(ascii: "\""): return true
      case UInt8(ascii: "\\"):
        guard let escaped = rest.popFirst(), "\"\\".utf8.contains(escaped) else { return false }
      case 0x20...0x7E: break
      default: return false
      }
    }
    return false
  }

  /// Section 4.2.4.
  private mutating func number() -> Bool {
    _ = take("-")
    let whole = prefix(while: isDigit)
    guard (1...15).contains(whole.utf8.count) else { return false }
    guard take(".") else { return true }
    return whole.utf8.count <= 12 && (1...3).contains(prefix(while: isDigit).utf8.count)
  }
}

private func isLowercase(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
