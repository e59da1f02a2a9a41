/// The links of an answer's `Link` fields, by the grammar of RFC 8288 section 3.
package struct LinkField: Hashable, Sendable {
  package struct Link: Hashable, Sendable {
    /// The reference, as it was sent: it may be relative.
    package var target: String
    /// In the order they came, names in lower case. Of a name that comes twice the first counts (section 3.3).
    package var parameters: [Parameter]

    package func value(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

    /// Whether `relation` is among the link's relation types, which are compared without regard to case (section 2.1.1).
    package func isRelated(_ relation: String) -> Bool {
      value("rel")?.split(separator: " ").contains { equalIgnoringCase($0, relation) } ?? false
    }
  }

  package struct Parameter: Hashable, Sendable {
    package var name: String
    /// Empty for a parameter without a value.
    package var value: String
  }

  package private(set) var links: [Link] = []

  /// No more links, parameters of one or bytes of one reference are read.
  package static let mostLinks = 64
  package static let mostParameters = 16
  package static let longestTarget = 4096
  private static let longestLine = 64 << 10

  /// What does not parse ends its line; the links before it stand.
  package init(_ lines: [String]) {
    for line in lines where line.utf8.count <= Self.longestLine {
      var rest = Array(line.utf8)[...]
      while links.count < Self.mostLinks, let link = Self.link(&rest) {
        links.append(link)
        Self.skipBlanks(&rest)
        while rest.first == UInt8(ascii: ",") {
          rest.removeFirst()
          Self.skipBlanks(&rest)
        }
      }
    }
  }

  private static func link(_ rest: inout ArraySlice<UInt8>) -> Link? {
    skipBlanks(&rest)
    guard rest.popFirst() == UInt8(ascii: "<"), let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return nil }
    let target = rest[..<end]
    rest = rest[(end + 1)...]
    // Nothing else can stand in a URI (RFC 3986).
    guard target.count <= longestTarget, target.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
    var link = Link(target: String(decoding: target, as: UTF8.self), parameters: [])
    while true {
      skipBlanks(&rest)
      guard let next = rest.first, next != UInt8(ascii: ",") else { return link }
      guard next == UInt8(ascii: ";") else { return nil }
      rest.removeFirst()
      skipBlanks(&rest)
      // An empty parameter is allowed.
      guard let parameter = parameter(&rest) else {
        guard rest.isEmpty || ",;".utf8.contains(rest[rest.startIndex]) else { return nil }
        continue
      }
      if link.parameters.count < mostParameters, link.value(parameter.name) == nil { link.parameters.append(parameter) }
    }
  }

  private static func parameter(_ rest: inout ArraySlice<UInt8>) -> Parameter? {
    let name = rest.prefix(while: isTokenCharacter)
    guard !name.isEmpty else { return nil }
    rest.removeFirst(name.count)
    skipBlanks(&rest)
    var parameter = Parameter(name: String(decoding: name.map(lowercased), as: UTF8.self), value: "")
    guard rest.first == UInt8(ascii: "=") else { return parameter }
    rest.removeFirst()
    skipBlanks(&rest)
    if rest.first == UInt8(ascii: "\"") {
      guard let value = quotedString(&rest) else {
        rest = []
        return nil
      }
      parameter.value = value
    } else {
      let value = rest.prefix { !";, \t".utf8.contains($0) }
      rest.removeFirst(value.count)
      parameter.value = String(decoding: value, as: UTF8.self)
    }
    return parameter
  }

  /// RFC 9110 section 5.6.4.
  private static func quotedString(_ rest: inout ArraySlice<UInt8>) -> String? {
    rest.removeFirst()
    var value: [UInt8] = []
    while let next = rest.popFirst() {
      switch next {
      case UInt8(ascii: "\""): return String(decoding: value, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let escaped = rest.popFirst() else { return nil }
        value.append(escaped)
      default: value.append(next)
      }
    }
    return nil
  }

  private static func skipBlanks(_ rest: inout ArraySlice<UInt8>) {
    while let next = rest.first, isBlank(next) { rest.removeFirst() }
  }
}
