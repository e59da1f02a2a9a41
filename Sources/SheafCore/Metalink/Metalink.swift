/// What a Metalink document says of the files it describes: version 4 (RFC 5854) or 3.
///
/// Everything in it is as trustworthy as the way the document came.
package struct Metalink: Hashable, Sendable {
  package struct File: Hashable, Sendable {
    /// A safe file name without directories, whatever the document says (RFC 5854 section 4.1.2.1 lets it name some).
    package var name: String
    /// In bytes.
    package var size: Int64?
    /// Of the whole file; the strongest first, none that contradict each other.
    package var digests: [Digest] = []
    /// The digests of its pieces, if the size is known and there are as many as there should be.
    package var pieces: PieceHashes?
    /// The best first.
    package var sources: [Source] = []

    package init(name: String) { self.name = name }
  }

  package struct Source: Hashable, Sendable {
    /// An http or https URL.
    package var url: String
    /// 1 is the best, 999,999 the worst (RFC 5854 section 4.2.16); version 3's preference turned round.
    package var priority: Int
    /// ISO 3166-1 alpha-2, in lower case.
    package var country: String?
  }

  package var files: [File] = []

  /// What hostile documents are held to.
  package enum Bounds {
    package static let document = 32 << 20
    package static let depth = 32
    package static let files = 10_000
    /// Of one file.
    package static let sources = 256
    /// Of all files together.
    package static let pieces = 1 << 19
    /// Bytes of an element's text or an attribute's value.
    package static let text = 8 << 10
    package static let fileSize: Int64 = 1 << 60
    package static let worstPriority = 999_999
  }
}

/// Why a Metalink document is not used.
package enum MetalinkProblem: Error, Hashable, Sendable, CustomStringConvertible {
  case tooLarge
  /// The XML is broken; the line is counted from 1.
  case malformed(line: Int)
  /// A document type can define entities, which nobody needs here and which blow up.
  case documentType
  case tooDeep
  case tooMany(String)
  case tooLong(String)
  case notMetalink
  case noFiles
  case nameMissing
  case nameTwice

  /// A part of a sentence that begins with the document.
  package var description: String {
    switch self {
    case .tooLarge: "is too large"
    case .malformed(let line): "is no well-formed XML (line \(line))"
    case .documentType: "has a document type declaration, which is refused"
    case .tooDeep: "is nested too deeply"
    case .tooMany(let what): "has too many \(what)"
    case .tooLong(let what): "has a \(what) that is too long"
    case .notMetalink: "is no Metalink document of version 3 or 4"
    case .noFiles: "describes no file"
    case .nameMissing: "has a file without a name"
    case .nameTwice: "describes two files that would have one name"
    }
  }
}
