/// Who is asking a server, and what proves it.
package struct Login: Hashable, Sendable {
  package let name: String
  package let password: String

  package init(name: String, password: String) {
    self.name = name
    self.password = password
  }

  /// As the value of an Authorization field (RFC 7617).
  package var fieldValue: String { "Basic " + base64(Array("\(name):\(password)".utf8)) }
}
