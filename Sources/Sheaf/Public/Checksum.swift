package import SheafCore

/// The digest that the finished file must have.
public struct Checksum: Hashable, Sendable, CustomStringConvertible {
  /// The algorithms that Sheaf computes.
  public enum Algorithm: String, Sendable, CaseIterable {
    /// SHA-256 (FIPS 180-4).
    case sha256 = "sha-256"
    /// SHA-512 (FIPS 180-4).
    case sha512 = "sha-512"
    /// SHA-1, which can be forged: it tells accidents only.
    case sha1 = "sha-1"
    /// MD5, which can be forged: it tells accidents only.
    case md5
    /// The CRC-32 of zlib and gzip (RFC 1952): it tells accidents only.
    case crc32
    /// CRC-32C (Castagnoli, RFC 3720): it tells accidents only.
    case crc32c

    /// The digest's length in bytes.
    public var byteCount: Int { inCore.byteCount }
  }

  /// How the digest is computed.
  public let algorithm: Algorithm
  /// The digest itself, `algorithm.byteCount` bytes.
  public var bytes: [UInt8] { digest.bytes }

  package let digest: Digest

  /// Reads `TYPE=HEX` or `TYPE:HEX`, or a bare hexadecimal digest whose length tells the algorithm.
  ///
  /// Types are written with or without a dash and in either case: `sha-256`, `SHA256`.
  /// - Throws: `DownloadError` with code `usage` when the type is unknown or the length does not fit it.
  public init(parsing text: String) throws(DownloadError) {
    let (name, hex): (String?, Substring) =
      if let separator = text.firstIndex(where: { $0 == "=" || $0 == ":" }) {
        (String(text[..<separator]), text[text.index(after: separator)...])
      } else {
        (nil, text[...])
      }
    guard let bytes = SheafCore.bytes(ofHexadecimal: hex) else {
      throw Self.unusable("checksum '\(printable(text))' is not hexadecimal")
    }
    let algorithm: DigestAlgorithm
    if let name {
      guard let named = DigestAlgorithm(named: name) else {
        throw Self.unusable("checksum type '\(printable(name))' is not known")
      }
      algorithm = named
    } else {
      guard let fitting = DigestAlgorithm(byteCount: bytes.count) else {
        throw Self.unusable("no checksum type has \(hex.count) hexadecimal digits")
      }
      algorithm = fitting
    }
    guard let digest = Digest(algorithm, bytes) else {
      throw Self.unusable(
        "a \(algorithm.rawValue) checksum has \(algorithm.byteCount * 2) hexadecimal digits, not \(hex.count)")
    }
    self.init(digest)
  }

  package init(_ digest: Digest) {
    self.digest = digest
    algorithm = Algorithm(digest.algorithm)
  }

  /// `sha-256=` and the digest in lower-case hexadecimal.
  public var description: String { digest.description }

  private static func unusable(_ message: String) -> DownloadError {
    DownloadError(
      Failure(.usage, message, suggestion: "give sha-256=HEX, sha-512=HEX, sha-1=HEX, md5=HEX or crc32=HEX"))
  }
}

extension Checksum.Algorithm {
  init(_ algorithm: DigestAlgorithm) {
    self =
      switch algorithm {
      case .sha512: .sha512
      case .sha256: .sha256
      case .sha1: .sha1
      case .md5: .md5
      case .crc32: .crc32
      case .crc32c: .crc32c
      }
  }

  var inCore: DigestAlgorithm {
    switch self {
    case .sha512: .sha512
    case .sha256: .sha256
    case .sha1: .sha1
    case .md5: .md5
    case .crc32: .crc32
    case .crc32c: .crc32c
    }
  }
}
