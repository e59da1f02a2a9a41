/// `text` made safe for a terminal, a log or JSON: every control, bidirectional and zero-width character
/// becomes `?`, so that nothing a server sends can move a cursor or reorder a line.
package func printable(_ text: some StringProtocol) -> String {
  var plain = String(text)
  // Nearly always; and many thousands of names may pass here.
  if plain.withUTF8({ bytes in bytes.allSatisfy { (0x20..<0x7F).contains($0) } }) { return plain }
  var result = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    result.append(isUnprintable(scalar) ? "?" : scalar)
  }
  return String(result)
}

/// C0, DEL, C1, the bidirectional controls, zero-width characters and the byte-order mark.
package func isUnprintable(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0...0x1F, 0x7F...0x9F: true
  case 0x061C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB: true
  case 0xE0000...0xE007F: true
  default: false
  }
}

/// `bytes` in lower-case hexadecimal.
package func hexadecimal(_ bytes: [UInt8]) -> String {
  let digit = { (value: UInt8) in value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10) }
  return String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
    for (index, byte) in bytes.enumerated() {
      text[2 * index] = digit(byte >> 4)
      text[2 * index + 1] = digit(byte & 15)
    }
    return text.count
  }
}

/// The bytes that `text` is the hexadecimal form of, in either case; nil if it is not one or is empty.
package func bytes(ofHexadecimal text: some StringProtocol) -> [UInt8]? {
  let digits = text.utf8.map { digit -> UInt8? in
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
  guard !digits.isEmpty, digits.count.isMultiple(of: 2), !digits.contains(nil) else { return nil }
  return stride(from: 0, to: digits.count, by: 2).map { (digits[$0] ?? 0) << 4 | (digits[$0 + 1] ?? 0) }
}
