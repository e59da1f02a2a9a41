#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What came out, as one JSON object a line: first the contender, then each run.
struct ResultLines {
  let contender: Contender
  let results: [CellResult]

  var text: String {
    var lines = [object([("contender", quoted(contender.name)), ("version", quoted(contender.version()))])]
    for result in results.sorted(by: { $0.cell.name < $1.cell.name }) {
      let cell = result.cell
      lines.append(
        object([
          ("scenario", quoted(cell.scenario.name)), ("hazard", quoted(cell.scenario.behaviour.hazard)),
          ("summary", quoted(cell.scenario.behaviour.summary)),
          ("needsDigest", "\(cell.scenario.behaviour.needsDigest)"), ("start", quoted(cell.start.rawValue)),
          ("connections", "\(cell.connections)"), ("seed", "\(cell.seed)"),
          ("verdict", quoted(result.verdict.rawValue)),
          ("status", quoted(result.status)), ("seconds", "\(Double(Int(result.seconds * 1000)) / 1000)"),
          ("requests", "\(result.requests)"), ("bytes", "\(result.bytes)"),
          ("complaints", "[\(result.complaints.map(quoted).joined(separator: ", "))]"),
        ]))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// False when the file cannot be written.
  func write(to path: String) -> Bool {
    guard let file = fopen(path, "w") else { return false }
    let text = text
    let written = fputs(text, file) >= 0
    return fclose(file) == 0 && written
  }

  private func object(_ fields: [(String, String)]) -> String {
    "{\(fields.map { "\(quoted($0)): \($1)" }.joined(separator: ", "))}"
  }

  private func quoted(_ text: String) -> String {
    let inner = text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case _ where scalar.value < 32 || 127..<160 ~= scalar.value:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return "\"\(inner)\""
  }
}
