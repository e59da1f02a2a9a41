/// Header fields in the order in which they are written; a name may occur more than once.
package struct OriginHeaders: Sendable, ExpressibleByDictionaryLiteral {
  package private(set) var fields: [(name: String, value: String)] = []

  package init() {}

  package init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { add(name, value) }
  }

  /// The first value under the name, whatever its case. Setting leaves exactly one field, or with nil none.
  package subscript(name: String) -> String? {
    get { fields.first { Self.same($0.name, name) }?.value }
    set {
      let place = fields.firstIndex { Self.same($0.name, name) }
      fields.removeAll { Self.same($0.name, name) }
      if let newValue { fields.insert((name, newValue), at: min(place ?? fields.count, fields.count)) }
    }
  }

  package func all(_ name: String) -> [String] {
    fields.filter { Self.same($0.name, name) }.map(\.value)
  }

  /// Adds a field, even if there is one of that name.
  package mutating func add(_ name: String, _ value: String) {
    fields.append((name, value))
  }

  /// The fields as they go over the wire, each with its line end.
  package var wireText: String {
    fields.reduce(into: "") { $0 += "\($1.name): \($1.value)\r\n" }
  }

  private static func same(_ one: String, _ other: String) -> Bool {
    one.utf8.count == other.utf8.count && one.lowercased() == other.lowercased()
  }
}
