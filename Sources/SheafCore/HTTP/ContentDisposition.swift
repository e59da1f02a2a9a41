/// The file name that an answer suggests (RFC 6266), as bytes that nobody has made safe yet; nil if it suggests none.
///
/// `filename*` (RFC 8187) counts more than `filename`. A name in an unknown coding is not guessed at.
package func suggestedName(in head: ResponseHead) -> [UInt8]? {
  guard let field = head.value("Content-Disposition") else { return nil }
  var plain: [UInt8]?
  var extended: [UInt8]?
  for (name, value) in dispositionParameters(Array(field.utf8)) {
    switch name {
    case "filename" where plain == nil: plain = value
    case "filename*" where extended == nil: extended = extendedValue(value)
    default: break
    }
  }
  let name = extended ?? plain
  return name?.isEmpty == false ? name : nil
}

/// The parameters behind the disposition's type, names in lower case, quotes and backslashes taken off.
private func dispositionParameters(_ field: [UInt8]) -> [(name: String, value: [UInt8])] {
  var parameters: [(name: String, value: [UInt8])] = []
  var rest = field[...].drop { $0 != UInt8(ascii: ";") }
  while rest.popFirst() != nil {
    let name = rest.prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ";") }
    rest = rest.dropFirst(name.count)
    guard rest.first == UInt8(ascii: "=") else { continue }
    rest = rest.dropFirst().drop { $0 == 0x20 || $0 == 0x09 }
    var value: [UInt8] = []
    if rest.first == UInt8(ascii: "\"") {
      rest = rest.dropFirst()
      while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
        // A backslash that is not meant as an escape is a separator of Windows, which the sanitizer takes out.
        let isEscape = byte == UInt8(ascii: "\\") && [UInt8(ascii: "\""), UInt8(ascii: "\\")].contains(rest.first)
        value.append(isEscape ? rest.removeFirst() : byte)
      }
      rest = rest.drop { $0 != UInt8(ascii: ";") }
    } else {
      value = Array(rest.prefix { $0 != UInt8(ascii: ";") })
      rest = rest.dropFirst(value.count)
      while value.last == 0x20 || value.last == 0x09 { value.removeLast() }
    }
    let key = String(decoding: name, as: UTF8.self).lowercased().filter { $0 != " " && $0 != "\t" }
    parameters.append((key, value))
  }
  return parameters
}

/// The bytes of `UTF-8'en'percent-encoded` in UTF-8 (RFC 8187 section 3.2); nil for another coding or none.
private func extendedValue(_ value: [UInt8]) -> [UInt8]? {
  let parts = value.split(separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
  guard parts.count == 3 else { return nil }
  let bytes = percentDecoded(Array(parts[2]))
  switch String(decoding: parts[0], as: UTF8.self).lowercased() {
  case "utf-8": return String(validating: bytes, as: UTF8.self) == nil ? nil : bytes
  case "iso-8859-1": return Array(String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })).utf8)
  default: return nil
  }
}
