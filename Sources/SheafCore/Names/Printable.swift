/// `text` made safe for a terminal, a log or JSON: every control, bidirectional and zero-width character
/// becomes `?`, so that nothing a server sends can move a cursor or reorder a line.
package func printable(_ text: some StringProtocol) -> String {
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
package func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
  let digits = Array("0123456789abcdef".utf8)
  var text: [UInt8] = []
  for byte in bytes {
    text.append(digits[Int(byte >> 4)])
    text.append(digits[Int(byte & 15)])
  }
  return String(decoding: text, as: UTF8.self)
}
