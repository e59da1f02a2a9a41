/// What an answer says of other places for the same file (RFC 6249, "Metalink/HTTP").
///
/// Such a claim is worth as much as its server; the digest beside it (section 6) is what a mirror's bytes must have.
package struct MirrorFields: Hashable, Sendable {
  /// `Link: <...>; rel=duplicate` (section 3).
  package struct Duplicate: Hashable, Sendable {
    /// As it was sent: it may be relative.
    package var reference: String
    /// 1 is tried first (section 3.1); nil where nothing, or nonsense, was said.
    package var priority: Int?
    /// ISO 3166-1 alpha-2, in lower case (section 3.2).
    package var country: String?
    /// The mirror has the same strong ETag (section 3.3): bytes may come from both before all are there.
    package var isPreferred: Bool
  }

  /// In the order of their priority; those without one come last.
  package let duplicates: [Duplicate]
  /// Where a Metalink document describes the file (section 4).
  package let description: String?
  /// Where a detached OpenPGP signature of the file is (section 5).
  package let signature: String?

  package var isEmpty: Bool { duplicates.isEmpty && description == nil }

  package init(_ head: ResponseHead) {
    let links = LinkField(head.values("Link")).links
    let found = links.filter { $0.isRelated("duplicate") }.map { link in
      Duplicate(
        reference: link.target,
        priority: link.value("pri").flatMap { decimal($0.utf8) }.flatMap { (1...999_999).contains($0) ? Int($0) : nil },
        country: link.value("geo").flatMap(countryCode),
        isPreferred: link.value("pref") != nil)
    }
    duplicates = found.enumerated().sorted {
      ($0.element.priority ?? .max, $0.offset) < ($1.element.priority ?? .max, $1.offset)
    }.map(\.element)
    let descriptions = links.filter { $0.isRelated("describedby") }
    description = descriptions.first { $0.hasType("application/metalink4+xml") }?.target
    signature = descriptions.first { $0.hasType("application/pgp-signature") }?.target
  }
}

/// The references to other places for the same file that an answer with this head gives, the best first.
package func mirrors(in head: ResponseHead) -> [String] {
  switch head.status {
  case 200, 206, 301, 302, 303, 307, 308: MirrorFields(head).duplicates.map(\.reference)
  default: []
  }
}

extension LinkField.Link {
  fileprivate func hasType(_ type: String) -> Bool { value("type").map { equalIgnoringCase($0, type) } ?? false }
}
