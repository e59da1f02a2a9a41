import Simulation

/// A value written as JSON (RFC 8259).
struct JSONText {
  let text: String

  init(_ number: Int) { text = "\(number)" }
  init(_ number: Double) { text = number.isFinite ? "\(number)" : "null" }
  init(_ values: [JSONText]) { text = "[" + values.map(\.text).joined(separator: ",") + "]" }

  init(_ members: [(String, JSONText)]) {
    text = "{" + members.map { "\(JSONText($0).text):\($1.text)" }.joined(separator: ",") + "}"
  }

  init(_ string: String) {
    let escaped = string.unicodeScalars.map { scalar -> String in
      switch scalar {
      case "\"": "\\\""
      case "\\": "\\\\"
      case _ where scalar.value < 32: "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      default: String(scalar)
      }
    }
    text = "\"" + escaped.joined() + "\""
  }

  /// A distribution as its landmarks and 101 evenly spaced quantiles, which is what a chart needs.
  init(_ values: Distribution) {
    self.init([
      ("count", JSONText(values.count)), ("mean", JSONText(values.mean)), ("median", JSONText(values.median)),
      ("p90", JSONText(values.quantile(0.9))), ("p99", JSONText(values.quantile(0.99))),
      ("worst", JSONText(values.worst)),
      ("quantiles", JSONText((0...100).map { JSONText(values.quantile(Double($0) / 100)) })),
    ])
  }
}
