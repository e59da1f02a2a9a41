/// The final head of one HTTP answer: its status and its fields, in the order they came.
package struct ResponseHead: Hashable, Sendable {
  /// One field line; names keep the case the server used.
  package struct Field: Hashable, Sendable {
    package var name: String
    package var value: String

    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  package var status: Int
  /// Names and values as UTF-8, one after the other: most answers have a dozen fields of which two or three matter.
  private var text: [UInt8] = []
  private var lines: [Line] = []

  private struct Line: Hashable, Sendable {
    let name: Range<Int>
    var value: Range<Int>
  }

  package init(status: Int, fields: [Field] = []) {
    self.status = status
    self.fields = fields
  }

  package var fields: [Field] {
    get { lines.map { Field(name: string($0.name), value: string($0.value)) } }
    set {
      text = []
      lines = []
      for field in newValue { append(name: Array(field.name.utf8)[...], value: Array(field.value.utf8)[...]) }
    }
  }

  /// The values of every field called `name`, whatever its case, in order and without the white space around them.
  ///
  /// A field that is a comma-separated list is not taken apart.
  package func values(_ name: String) -> [String] {
    let wanted = name.utf8
    var found: [String] = []
    for line in lines where line.name.count == wanted.count && isEqual(line.name, wanted) {
      found.append(string(line.value))
    }
    return found
  }

  /// The value of the field called `name`; nil when there is none and when there are several.
  package func value(_ name: String) -> String? {
    let all = values(name)
    return all.count == 1 ? all[0] : nil
  }

  // MARK: - Lines

  /// Adds a field line; both parts are UTF-8 and lose the white space around them.
  mutating func append(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>) {
    let name = add(trimmed(name))
    lines.append(Line(name: name, value: add(trimmed(value))))
  }

  /// Adds to the last line's value what its fold holds, with one space before it (RFC 9112 §5.2).
  mutating func extendLast(with value: ArraySlice<UInt8>) {
    let rest = trimmed(value)
    guard !rest.isEmpty, let last = lines.popLast() else { return }
    if !last.value.isEmpty { text.append(0x20) }
    let more = add(rest)
    lines.append(Line(name: last.name, value: last.value.lowerBound..<more.upperBound))
  }

  private mutating func add(_ bytes: ArraySlice<UInt8>) -> Range<Int> {
    let start = text.count
    text.append(contentsOf: bytes)
    return start..<text.count
  }

  private func isEqual(_ range: Range<Int>, _ name: String.UTF8View) -> Bool {
    var index = range.lowerBound
    for byte in name {
      guard lowercased(text[index]) == lowercased(byte) else { return false }
      index += 1
    }
    return true
  }

  private func string(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }
}
