/// `bytes` in base64 with padding (RFC 4648 section 4).
package func base64(_ bytes: [UInt8]) -> String {
  let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  var text: [UInt8] = []
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let group = bytes[start..<min(start + 3, bytes.count)]
    let bits = group.reduce(0) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - group.count))
    for place in 0..<4 {
      text.append(place <= group.count ? letters[Int(bits >> UInt32(18 - 6 * place) & 63)] : UInt8(ascii: "="))
    }
  }
  return String(decoding: text, as: UTF8.self)
}

/// The bytes that `text` is the base64 form of (RFC 4648 section 4), with its padding; nil if it is not one.
///
/// Strict: one text for each sequence of bytes, no white space, no bits left over (section 3.5).
package func bytes(ofBase64 text: some StringProtocol) -> [UInt8]? {
  let characters = Array(text.utf8)
  guard !characters.isEmpty, characters.count.isMultiple(of: 4) else { return nil }
  let padding = characters.reversed().prefix { $0 == UInt8(ascii: "=") }.count
  guard padding <= 2 else { return nil }
  var result: [UInt8] = []
  result.reserveCapacity(characters.count / 4 * 3)
  var word: UInt32 = 0
  for (place, character) in characters.dropLast(padding).enumerated() {
    guard let digit = base64Digit(character) else { return nil }
    word = word << 6 | UInt32(digit)
    guard place % 4 == 3 else { continue }
    for shift in [16, 8, 0] { result.append(UInt8(truncatingIfNeeded: word >> UInt32(shift))) }
    word = 0
  }
  switch padding {
  case 1:
    guard word & 0b11 == 0 else { return nil }
    result.append(UInt8(truncatingIfNeeded: word >> 10))
    result.append(UInt8(truncatingIfNeeded: word >> 2))
  case 2:
    guard word & 0b1111 == 0 else { return nil }
    result.append(UInt8(truncatingIfNeeded: word >> 4))
  default: break
  }
  return result
}

private func base64Digit(_ character: UInt8) -> UInt8? {
  switch character {
  case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
  case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
  case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
  case UInt8(ascii: "+"): 62
  case UInt8(ascii: "/"): 63
  default: nil
  }
}
