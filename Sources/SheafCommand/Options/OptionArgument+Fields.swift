import Sheaf
import SheafCore

extension OptionArgument {
  /// A header field, or with `@FILE` those of a file that nobody else can read, one a line.
  func headerFields() throws(UsageError) -> [HeaderField] {
    guard text.utf8.first == UInt8(ascii: "@") else { return [try headerField()] }
    guard !isInList else {
      throw UsageError("\(option)=@FILE in a list could send any file to anybody", suggestion: "give -H @FILE to sheaf")
    }
    let path = String(text.dropFirst())
    let bytes: [UInt8]
    do throws(Failure) {
      bytes = try SecretFile.read(path)
    } catch {
      throw UsageError("\(option): \(error.message)", suggestion: error.suggestion ?? "see sheaf --help")
    }
    var fields: [HeaderField] = []
    for (index, line) in bytes.split(separator: 10, omittingEmptySubsequences: false).enumerated() {
      let place = "\(option) @\(printable(path)):\(index + 1):"
      guard let line = String(validating: line.last == 13 ? line.dropLast() : line, as: UTF8.self) else {
        throw UsageError("\(place) the line is not UTF-8")
      }
      if !line.isEmpty { fields.append(try OptionArgument(option: place, text: line).headerField()) }
    }
    return fields
  }

  /// A header field, `Name: value`. The value is never repeated in an error, for it may be a credential.
  func headerField() throws(UsageError) -> HeaderField {
    let expected = "a header field 'Name: value'"
    let example = "'Accept: */*'"
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else {
      throw unlikeSecret(expected, example: example)
    }
    let name = text[..<colon]
    guard !name.isEmpty else { throw unlikeSecret("\(expected) whose name is not empty", example: example) }
    guard name.utf8.allSatisfy(Self.isTokenCharacter) else {
      throw unlikeSecret("\(expected); the name '\(printable(name))' is not one", example: example)
    }
    return HeaderField(name: String(name), value: try fieldValue(text[text.utf8.index(after: colon)...], example))
  }

  /// The value of a header field, without the blanks around it.
  func fieldValue(example: String) throws(UsageError) -> String {
    let value = try fieldValue(text[...], example)
    guard !value.isEmpty else { throw unlikeSecret("a text that is not empty", example: example) }
    return value
  }

  /// A line break or NUL in it could smuggle in further fields or a second request (RFC 9110 section 5.5).
  private func fieldValue(_ value: Substring, _ example: String) throws(UsageError) -> String {
    guard !value.utf8.contains(where: { $0 == 0 || $0 == 10 || $0 == 13 }) else {
      throw unlikeSecret("a text of one line, without CR, LF or NUL", example: example)
    }
    let isBlank = { (character: Character) in character == " " || character == "\t" }
    let start = value.drop(while: isBlank)
    return String(start[..<(start.lastIndex { !isBlank($0) }.map { start.index(after: $0) } ?? start.startIndex)])
  }

  /// RFC 9110 section 5.6.2.
  private static func isTokenCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
