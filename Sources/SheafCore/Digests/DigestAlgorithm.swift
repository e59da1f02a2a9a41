/// How a digest is computed. The cases stand in the order of their strength, the best first.
package enum DigestAlgorithm: String, Hashable, Sendable, CaseIterable {
  case sha512 = "sha-512"
  case sha256 = "sha-256"
  case sha1 = "sha-1"
  case md5
  case crc32c
  case crc32

  /// What a match says.
  package enum Strength: Hashable, Sendable {
    /// Nobody can make other bytes with the same digest: the file is the one that the digest was made of.
    case integrity
    /// Damage on the way would show, but whoever wants to can make other bytes with the same digest
    /// (RFC 9530 section 5 calls these insecure).
    case transport
  }

  package var strength: Strength {
    switch self {
    case .sha512, .sha256: .integrity
    case .sha1, .md5, .crc32c, .crc32: .transport
    }
  }

  /// The length of a digest in bytes.
  package var byteCount: Int {
    switch self {
    case .sha512: 64
    case .sha256: 32
    case .sha1: 20
    case .md5: 16
    case .crc32c, .crc32: 4
    }
  }

  /// The algorithm that people mean by `name`: case, dashes and underscores do not matter.
  package init?(named name: some StringProtocol) {
    guard name.utf8.count <= 16 else { return nil }
    switch name.lowercased().filter({ $0 != "-" && $0 != "_" }) {
    case "sha512", "sha2512": self = .sha512
    case "sha256", "sha2256": self = .sha256
    case "sha1", "sha": self = .sha1
    case "md5": self = .md5
    case "crc32c": self = .crc32c
    case "crc32": self = .crc32
    default: return nil
    }
  }

  /// The algorithm whose digests people give without its name, told by their length. Nobody means CRC-32C without saying so.
  package init?(byteCount: Int) {
    guard let found = Self.allCases.first(where: { $0.byteCount == byteCount && $0 != .crc32c }) else { return nil }
    self = found
  }
}

extension DigestAlgorithm: Comparable {
  /// The weaker one is less.
  package static func < (one: Self, other: Self) -> Bool { one.rank < other.rank }

  private var rank: Int {
    switch self {
    case .sha512: 5
    case .sha256: 4
    case .sha1: 3
    case .md5: 2
    case .crc32c: 1
    case .crc32: 0
    }
  }
}
