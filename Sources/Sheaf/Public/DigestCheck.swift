import SheafCore

/// A digest that the finished file was compared with, and that it has.
public struct DigestCheck: Hashable, Sendable {
  /// What the match says.
  public enum Strength: String, Sendable {
    /// The file is the one that the digest was made of.
    case integrity
    /// The file was not damaged on the way. Whoever wants to can make another one with the same digest.
    case transport
  }

  /// How the digest is computed.
  public let algorithm: Checksum.Algorithm
  /// Where the digest came from, such as `Repr-Digest of example.org`; nil if it is `DownloadOptions.checksum`. A match is
  /// worth no more than its source: a server that sends a wrong file can send a digest to go with it.
  public let source: String?

  /// What the match says.
  public var strength: Strength { algorithm.inCore.strength == .integrity ? .integrity : .transport }

  package init(_ algorithm: Checksum.Algorithm, source: String?) {
    self.algorithm = algorithm
    self.source = source
  }

  init(_ claim: DigestClaim) {
    self.init(Checksum.Algorithm(claim.digest.algorithm), source: claim.source)
  }
}

/// What is done with digests that servers offer of their own accord.
public enum Verification: String, Sendable, CaseIterable {
  /// Compare the file with the strongest of them. What differs ends the download with `DownloadError.Code.checksum`.
  case auto
  /// The same; and a file that nothing can be compared with ends the download, too.
  case require
  /// Leave them alone.
  case off
}
