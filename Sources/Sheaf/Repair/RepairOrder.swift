import SheafCore

/// What a download is to make its file of, besides what the source sends.
struct RepairOrder: Sendable {
  /// The file that is damaged or unfinished.
  let damaged: Target
  /// What its pieces must be.
  let pieces: PieceHashes?
  /// How long it must be, in bytes.
  let size: Int64?
  /// How many blocks to compare with the source where nothing proves them; nil for as many as usual.
  let samples: Int?
}
