/// A JSON value (RFC 8259).
package enum JSON: Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// Written with at most three digits after the point; what is no number is written as `null`.
  case number(Double)
  case string(String)
  case array([JSON])
  /// The members in the order in which they are written.
  case object([(name: String, value: JSON)])

  /// The text, without line breaks.
  package var text: String {
    var text = ""
    write(to: &text)
    return text
  }

  private func write(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .integer(let value): text += "\(value)"
    case .number(let value): text += Self.thousandths(value)
    case .string(let value): Self.write(value, to: &text)
    case .array(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += "," }
        element.write(to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { text += "," }
        Self.write(member.name, to: &text)
        text += ":"
        member.value.write(to: &text)
      }
      text += "}"
    }
  }

  /// Escapes what RFC 8259 demands, and whatever could move a cursor or reorder a line when the JSON is read
  /// on a terminal.
  private static func write(_ value: String, to text: inout String) {
    text += "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where isUnprintable(scalar):
        for unit in UTF16.encode(scalar) ?? .init() {
          text += "\\u" + hexadecimal([UInt8(unit >> 8), UInt8(unit & 0xFF)])
        }
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }

  private static func thousandths(_ value: Double) -> String {
    guard value.isFinite else { return "null" }
    guard abs(value) < 1e12 else { return "\(value)" }
    let scaled = Int64((abs(value) * 1000).rounded())
    var fraction = "\(scaled % 1000)"
    fraction = String(repeating: "0", count: 3 - fraction.count) + fraction
    while fraction.last == "0" { fraction.removeLast() }
    return (value < 0 && scaled > 0 ? "-" : "") + "\(scaled / 1000)" + (fraction.isEmpty ? "" : ".\(fraction)")
  }

  /// The value of an object's first member of this name.
  package subscript(_ name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  package var stringValue: String? { if case .string(let value) = self { value } else { nil } }
  package var integerValue: Int64? { if case .integer(let value) = self { value } else { nil } }
  package var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }
  package var elements: [JSON]? { if case .array(let elements) = self { elements } else { nil } }
}
