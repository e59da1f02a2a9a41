import SheafCore

/// F1. The parser against a reference that was written from RFC 9110 section 14.4 alone and knows numbers only as
/// strings of digits.
func fuzzContentRange(_ input: Input) {
  // Any bytes that are UTF-8: the head parser makes no other strings.
  let text = input.text
  let found = ContentRange(parsing: text)
  let expected = ReferenceContentRange(text)
  require((found == nil) == (expected == nil), "'\(text)' is read as \(String(describing: found))")
  guard let found, let expected else { return }
  require(found.total.map(String.init) == expected.total, "total \(String(describing: found.total)) of '\(text)'")
  require(found.range.map { String($0.lower) } == expected.first, "start of '\(text)'")
  require(found.range.map { String($0.upper - 1) } == expected.last, "end of '\(text)'")
}

/// The slow way: every way to cut the text into the pieces of the grammar is tried.
private struct ReferenceContentRange {
  private static let largest = "9223372036854775807"

  /// Without leading zeros.
  let first: String?
  let last: String?
  let total: String?

  init?(_ text: String) {
    let scalars = Array(text.unicodeScalars)
    guard scalars.count > 6, String(String.UnicodeScalarView(scalars[..<5])).lowercased() == "bytes",
      scalars[..<5].allSatisfy(\.isASCII), scalars[5] == " "
    else { return nil }
    let value = scalars[6...]
    for slash in value.indices where value[slash] == "/" {
      let length = value[(slash + 1)...]
      let total = Self.number(length)
      guard total != nil || Self.isStar(length) else { continue }
      if Self.isStar(value[..<slash]), let total {
        (self.first, self.last, self.total) = (nil, nil, total)
        return
      }
      for dash in value[..<slash].indices where value[dash] == "-" {
        guard let first = Self.number(value[..<dash]), let last = Self.number(value[(dash + 1)..<slash]),
          !Self.isLess(last, first), Self.isLess(last, total ?? Self.largest)
        else { continue }
        (self.first, self.last, self.total) = (first, last, total)
        return
      }
    }
    return nil
  }

  private static func isStar(_ scalars: ArraySlice<Unicode.Scalar>) -> Bool { scalars.elementsEqual(["*"]) }

  private static func number(_ scalars: ArraySlice<Unicode.Scalar>) -> String? {
    guard !scalars.isEmpty, scalars.allSatisfy({ (48...57).contains($0.value) }) else { return nil }
    var digits = String(String.UnicodeScalarView(scalars))
    while digits.count > 1, digits.first == "0" { digits.removeFirst() }
    return isLess(largest, digits) ? nil : digits
  }

  private static func isLess(_ one: String, _ other: String) -> Bool {
    one.count != other.count ? one.count < other.count : one < other
  }
}
