import SheafCore

/// A head from `Name: value` lines.
func head(_ status: Int, _ lines: String...) -> ResponseHead {
  ResponseHead(
    status: status,
    fields: lines.map { line in
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      return .init(name: String(parts[0]), value: String(parts[1]))
    })
}
