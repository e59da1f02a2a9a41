/// Why a manifest cannot be used or made. For a reader every one of them means "nothing is downloaded".
package enum ManifestProblem: Error, Hashable, Sendable {
  /// Shorter than a header, or without the magic bytes.
  case notAManifest
  case unsupportedVersion(UInt32)
  /// The header's CRC-32 does not match.
  case damagedHeader
  /// Well-formed fields that contradict each other or the rules of the format; says which.
  case inconsistent(String)
  /// Truncated, or followed by other bytes.
  case wrongSize(expected: Int64, actual: Int64)
  /// Above `ManifestLayout.maximumFileSize`.
  case tooLarge
  /// Validator and source do not fit into the header page. Only writing throws it.
  case headerTooLong
  /// Neither slot is valid.
  case nothingUsable
}

extension ManifestProblem: CustomStringConvertible {
  /// A part of a sentence for people, to follow "the manifest ".
  package var description: String {
    switch self {
    case .notAManifest: "is not one of Sheaf's"
    case .unsupportedVersion(let version): "has format version \(version), which this version of Sheaf does not read"
    case .damagedHeader: "is damaged in its header"
    case .inconsistent(let what): "contradicts itself: \(what)"
    case .wrongSize(let expected, let actual): "has \(actual) bytes instead of \(expected)"
    case .tooLarge: "would be larger than \(ManifestLayout.maximumFileSize) bytes"
    case .headerTooLong: "has no room for the file's validator and source"
    case .nothingUsable: "has no intact record of the blocks"
    }
  }
}
