/// What a download is called towards hooks and in sessions, as aria2 does: 16 hexadecimal digits, not all zero.
struct GID: Hashable, Sendable, CustomStringConvertible {
  private let value: UInt64

  /// One that no other download is likely to have.
  init(using numbers: inout some RandomNumberGenerator) { value = .random(in: 1...UInt64.max, using: &numbers) }

  /// Nil for other texts than 16 digits.
  init?(_ text: String) {
    guard text.utf8.count == 16, text.utf8.allSatisfy({ UnicodeScalar($0).properties.isASCIIHexDigit }),
      let value = UInt64(text, radix: 16), value > 0
    else { return nil }
    self.value = value
  }

  var description: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
