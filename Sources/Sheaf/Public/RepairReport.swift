/// What repairing a file came to.
///
/// `blocks` is `keptBlocks` plus those that were fetched; `keptBlocks` is those that something proves, `comparedBlocks`, and
/// `trustedBlocks`.
public struct RepairReport: Hashable, Sendable {
  /// What said which parts of the file were good.
  public enum Basis: String, Sendable {
    /// The digests of its pieces.
    case pieces
    /// The digest of the whole file, which it had already.
    case digest
    /// What Sheaf noted when it fetched it from this URL.
    case manifest
    /// Another program's control file, or a manifest of another URL.
    case controlFile = "control-file"
    /// Nothing but the bytes that were there.
    case content
  }

  /// What said which parts of the file were good.
  public let basis: Basis
  /// The file that had been there was right, and was left alone.
  public let wasIntact: Bool
  /// Bytes of a block; the last one may be shorter.
  public let blockSize: Int64
  /// Blocks of the repaired file.
  public let blocks: Int
  /// Those of the damaged file that are in the repaired one.
  public let keptBlocks: Int
  /// Those of the kept blocks that were compared with what the source sends.
  public let comparedBlocks: Int
  /// Those of the kept blocks that nothing vouches for: neither a digest nor the source.
  public let trustedBlocks: Int

  init(
    basis: Basis, wasIntact: Bool, blockSize: Int64, blocks: Int, keptBlocks: Int, comparedBlocks: Int,
    trustedBlocks: Int
  ) {
    self.basis = basis
    self.wasIntact = wasIntact
    self.blockSize = blockSize
    self.blocks = blocks
    self.keptBlocks = keptBlocks
    self.comparedBlocks = comparedBlocks
    self.trustedBlocks = trustedBlocks
  }
}
