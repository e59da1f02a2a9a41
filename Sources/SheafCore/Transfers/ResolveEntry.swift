/// Addresses that the user wants a host and port to have, in curl's form `host:port:address[,address]...`.
package struct ResolveEntry: Hashable, Sendable {
  /// In lower case; an IPv6 address without its brackets.
  package let host: String
  package let port: Int
  /// Numeric, without brackets; never empty.
  package let addresses: [String]

  /// Nil for anything else, wildcards and removals included.
  package init?(_ text: String) {
    var rest = text[...]
    let host: Substring
    if rest.first == "[" {
      guard let end = rest.firstIndex(of: "]") else { return nil }
      host = rest[rest.index(after: rest.startIndex)..<end]
      rest = rest[rest.index(after: end)...]
    } else {
      guard let end = rest.firstIndex(of: ":") else { return nil }
      host = rest[..<end]
      rest = rest[end...]
    }
    let parts = rest.dropFirst().split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard
      !host.isEmpty, !host.contains("*"), rest.first == ":", parts.count == 2, parts[0].utf8.allSatisfy(Self.isDigit),
      let port = Int(parts[0]), (1...65535).contains(port)
    else { return nil }
    var addresses: [String] = []
    for part in parts[1].split(separator: ",", omittingEmptySubsequences: false) {
      var address = part
      if address.first == "[", address.last == "]" { address = address.dropFirst().dropLast() }
      guard Self.isNumeric(String(address)) else { return nil }
      addresses.append(String(address))
    }
    guard !addresses.isEmpty else { return nil }
    (self.host, self.port, self.addresses) = (host.lowercased(), port, addresses)
  }

  /// Whether it looks like a numeric address rather than a name; the system has the last word.
  package static func isNumeric(_ text: String) -> Bool {
    if text.utf8.count(where: { $0 == UInt8(ascii: ":") }) >= 2 {
      return text.utf8.allSatisfy {
        isDigit($0) || ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x66) || $0 == 0x3A || $0 == 0x2E
      }
    }
    // Four numbers of one to three digits, up to 255, with dots between them.
    var dots = 0
    var digits = 0
    var number = 0
    for byte in text.utf8 {
      if byte == UInt8(ascii: ".") {
        guard digits > 0 else { return false }
        (dots, digits, number) = (dots + 1, 0, 0)
      } else {
        guard isDigit(byte), digits < 3 else { return false }
        number = 10 * number + Int(byte - UInt8(ascii: "0"))
        digits += 1
        guard number < 256 else { return false }
      }
    }
    return dots == 3 && digits > 0
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
}
