// The one sanitizer of file names: whatever a server or a link may choose goes through here and nowhere else.

/// The longest file name that leaves room for `.sheaf` and `.part` within the 255 bytes that file systems allow.
package let longestFileName = 255 - 6

/// A safe file name from the percent-encoded path of a URL, its query already taken off; `download` when it has none.
package func fileName(fromURLPath path: String) -> String {
  let bytes = Array(path.utf8)
  let start = bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
  return fileName(sanitizing: percentDecoded(Array(bytes[start...])))
}

/// A safe file name from one that somebody else chose, taken as it is: nothing is decoded.
///
/// The result has no separator, control, bidirectional or zero-width character, does not begin with `.`, `-` or `~` nor end
/// with a dot or a space, is no device of Windows, and has 1 to `longestFileName` bytes. Doing it twice changes nothing.
package func fileName(sanitizing name: some Collection<UInt8>) -> String {
  // Both separators, after all decoding: `..%2f..%5c` must not survive as a path.
  let bytes = Array(name)
  let start = bytes.lastIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }.map { $0 + 1 } ?? 0
  if isFit(bytes[start...]) { return String(decoding: bytes[start...], as: UTF8.self) }
  var scalars = String.UnicodeScalarView()
  for scalar in String(decoding: bytes[start...], as: UTF8.self).unicodeScalars {
    scalars.append(isUnfitForFileName(scalar) ? "_" : scalar)
  }

  var result = withoutTrailingDotsAndSpaces(String(scalars))
  // By bytes, since a combining mark would hide the dot from `hasPrefix`.
  if result.utf8.first == UInt8(ascii: ".") {
    result = "_" + String(result.unicodeScalars.dropFirst())
  } else if result.utf8.first == UInt8(ascii: "-") || result.utf8.first == UInt8(ascii: "~") {
    result = "_" + result
  }
  if isDeviceOfWindows(result) { result = "_" + result }
  result = withoutTrailingDotsAndSpaces(shortened(result))
  if result.isEmpty { return "download" }
  // What was cut away may have been all that told it from one.
  return isDeviceOfWindows(result) ? "_" + result : result
}

/// Whether the name is fit as it is, as nearly all are: letters, digits, dashes and the like, and no device.
private func isFit(_ name: ArraySlice<UInt8>) -> Bool {
  guard let first = name.first, let last = name.last, name.count <= longestFileName else { return false }
  guard first != UInt8(ascii: "."), first != UInt8(ascii: "-"), last != UInt8(ascii: ".") else { return false }
  let isPlain = name.allSatisfy { byte in
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"): true
    default: false
    }
  }
  return isPlain && !isDeviceOfWindows(name)
}

private func isDeviceOfWindows(_ name: String) -> Bool { isDeviceOfWindows(Array(name.utf8)[...]) }

/// File systems are shared, and there `nul.txt` is a device whatever the ending.
private func isDeviceOfWindows(_ name: ArraySlice<UInt8>) -> Bool {
  let stem = name.prefix { $0 != UInt8(ascii: ".") }.prefix(5).map(lowercased)
  guard (3...4).contains(stem.count) else { return false }
  let isNumbered = stem.count == 4 && (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(stem[3])
  return (isNumbered ? ["com", "lpt"] : ["con", "prn", "aux", "nul"]).contains {
    stem.prefix(isNumbered ? 3 : 4).elementsEqual($0.utf8)
  }
}

private func isUnfitForFileName(_ scalar: Unicode.Scalar) -> Bool {
  // U+FFFD stands for bytes that were not UTF-8.
  if isUnprintable(scalar) || scalar == ":" || scalar == "\u{FFFD}" { return true }
  return switch scalar.properties.generalCategory {
  case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
  default: false
  }
}

private func withoutTrailingDotsAndSpaces(_ name: String) -> String {
  var rest = Substring(name).unicodeScalars
  while let last = rest.last, last == "." || last == " " { rest.removeLast() }
  return String(Substring(rest))
}

/// Cuts in front of the extension, if it is a short one, and never inside a character.
private func shortened(_ name: String) -> String {
  guard name.utf8.count > longestFileName else { return name }
  var ending = ""
  if let dot = name.unicodeScalars.lastIndex(of: "."), (2...16).contains(name.utf8[dot...].count) {
    ending = String(name.unicodeScalars[dot...])
  }
  let room = longestFileName - ending.utf8.count
  var stem = ""
  for character in name {
    guard stem.utf8.count + character.utf8.count <= room else { break }
    stem.append(character)
  }
  if stem.isEmpty {
    // One letter under hundreds of combining marks. What is left of it is text all the same.
    for scalar in name.unicodeScalars {
      guard stem.utf8.count + scalar.utf8.count <= room else { break }
      stem.unicodeScalars.append(scalar)
    }
  }
  return stem + ending
}

/// Undoes percent-encoding once. A `%` without two hexadecimal digits stays what it is.
func percentDecoded(_ bytes: [UInt8]) -> [UInt8] {
  guard bytes.contains(UInt8(ascii: "%")) else { return bytes }
  var result: [UInt8] = []
  var index = 0
  while index < bytes.count {
    if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
      let high = hexadecimalDigit(bytes[index + 1]), let low = hexadecimalDigit(bytes[index + 2])
    {
      result.append(high << 4 | low)
      index += 3
    } else {
      result.append(bytes[index])
      index += 1
    }
  }
  return result
}

private func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
  switch lowercased(byte) {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): lowercased(byte) - UInt8(ascii: "a") + 10
  default: nil
  }
}
