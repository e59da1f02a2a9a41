/// Takes the armour of an OpenPGP cleartext signature (RFC 9580 section 7) off, line by line, without checking it.
struct ClearSignature {
  private enum Place {
    case outside, headers, body, signature
  }

  private var place = Place.outside
  private(set) var isSigned = false

  /// What `line` says once the armour is off; nil if it is part of the armour, empty or a comment.
  mutating func content(of line: String) -> String? {
    if line == "-----BEGIN PGP SIGNED MESSAGE-----" {
      isSigned = true
      place = .headers
      return nil
    }
    if line == "-----BEGIN PGP SIGNATURE-----" {
      isSigned = true
      place = .signature
      return nil
    }
    if line == "-----END PGP SIGNATURE-----" {
      place = .outside
      return nil
    }
    switch place {
    case .signature: return nil
    case .headers:
      // Headers have a colon after their name and end with an empty line, which the caller may leave out.
      let name = line.prefix { $0.isASCII && ($0.isLetter || $0 == "-") }
      if line.isEmpty || (!name.isEmpty && line.dropFirst(name.count).first == ":") { return nil }
      place = .body
      return body(line)
    case .body: return body(line)
    case .outside: return isMeaningless(line) ? nil : line
    }
  }

  /// Lines that begin with a dash are escaped by `- ` (section 7).
  private func body(_ line: String) -> String? {
    let line = line.hasPrefix("- ") ? String(line.dropFirst(2)) : line
    return isMeaningless(line) ? nil : line
  }

  private func isMeaningless(_ line: String) -> Bool {
    line.isEmpty || line.utf8.first == UInt8(ascii: "#") || line.utf8.first == UInt8(ascii: ";")
  }
}
