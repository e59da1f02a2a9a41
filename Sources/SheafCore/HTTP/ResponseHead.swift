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
  package var fields: [Field]

  package init(status: Int, fields: [Field] = []) {
    self.status = status
    self.fields = fields
  }

  /// The values of every field called `name`, whatever its case, in order and without the white space around them.
  ///
  /// A field that is a comma-separated list is not taken apart.
  package func values(_ name: String) -> [String] {
    fields.filter { equalIgnoringCase($0.name, name) }.map { trimmed($0.value) }
  }

  /// The value of the field called `name`; nil when there is none and when there are several.
  package func value(_ name: String) -> String? {
    let all = values(name)
    return all.count == 1 ? all[0] : nil
  }
}
