import SheafCore

/// The digest that the finished file must have.
public struct Checksum: Hashable, Sendable, CustomStringConvertible {
  /// The algorithms that Sheaf computes.
  public enum Algorithm: String, Sendable, CaseIterable {
    case sha256 = "sha-256"
    case sha512 = "sha-512"
    case sha1 = "sha-1"
    case md5
    case crc32

    /// The digest's length in bytes.
    public var byteCount: Int {
      switch self {
      case .sha256: 32
      case .sha512: 64
      case .sha1: 20
      case .md5: 16
      case .crc32: 4
      }
    }
  }

  /// How the digest is computed.
  public let algorithm: Algorithm
  /// The digest itself, `algorithm.byteCount` bytes.
  public let bytes: [UInt8]

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
    guard let digest = SheafCore.bytes(ofHexadecimal: hex) else {
      throw Self.unusable("checksum '\(printable(text))' is not hexadecimal")
    }
    if let name {
      guard let algorithm = Algorithm(named: name) else {
        throw Self.unusable("checksum type '\(printable(name))' is not known")
      }
      guard digest.count == algorithm.byteCount else {
        throw Self.unusable(
          "a \(algorithm.rawValue) checksum has \(algorithm.byteCount * 2) hexadecimal digits, not \(hex.count)")
      }
      self.init(algorithm, digest)
    } else {
      guard let algorithm = Algorithm.allCases.first(where: { $0.byteCount == digest.count }) else {
        throw Self.unusable("no checksum type has \(hex.count) hexadecimal digits")
      }
      self.init(algorithm, digest)
    }
  }

  package init(_ algorithm: Algorithm, _ bytes: [UInt8]) {
    self.algorithm = algorithm
    self.bytes = bytes
  }

  /// `sha-256=` and the digest in lower-case hexadecimal.
  public var description: String { "\(algorithm.rawValue)=\(hexadecimal(bytes))" }

  private static func unusable(_ message: String) -> DownloadError {
    DownloadError(
      Failure(.usage, message, suggestion: "give sha-256=HEX, sha-512=HEX, sha-1=HEX, md5=HEX or crc32=HEX"))
  }
}

extension Checksum.Algorithm {
  /// The algorithm that people mean by `name`: case and the dash do not matter.
  init?(named name: String) {
    let plain = name.lowercased().filter { $0 != "-" && $0 != "_" }
    guard let found = Self.allCases.first(where: { $0.rawValue.filter { $0 != "-" } == plain }) else { return nil }
    self = found
  }
}
