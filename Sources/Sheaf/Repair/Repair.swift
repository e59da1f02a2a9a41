import SheafCore

/// What a run knows of the file that it repairs.
struct Repair: Sendable {
  let damaged: DamagedFile
  let pieces: PieceHashes?
  /// What the damaged file holds, by the source's blocks.
  var content: BlockContent?
  /// What says which parts of it are good.
  var basis = RepairPlan.Basis.content
  /// Nil if nothing is kept.
  var plan: RepairPlan?
  /// The CRC-32 of the blocks that are kept.
  var known: [UInt32?] = []
  var sampling: Sampling?
  /// A part of the file, at least, is the source's.
  var isAlike = false
  /// The file is another one than the source's, and nothing else says that the source's is wanted.
  var isForeign = false
  /// The digest that the whole file had before anything was done.
  var hadDigest = false
  /// Nothing needs to be put into its place.
  var isIntact = false

  init(_ damaged: DamagedFile, pieces: PieceHashes?) {
    self.damaged = damaged
    self.pieces = pieces
  }

  /// All bytes were forgotten, and what comes now comes from the source.
  mutating func keepsNothing() {
    plan = nil
    sampling = nil
  }

  /// The pieces that are not known to be right, once all blocks have these CRC-32.
  func unproven(_ checksums: [UInt32]) -> [Int] {
    guard let pieces else { return [] }
    guard let plan, plan.basis == .pieces, checksums.count == plan.blocks.count else { return Array(0..<pieces.count) }
    var unproven: Set<Int> = []
    for index in 0..<checksums.count where !plan.kept[index] || known[index] != checksums[index] {
      unproven.formUnion(pieces.pieces(touching: plan.blocks.range(of: index)))
    }
    return unproven.sorted()
  }

  /// Whether the file is what is wanted already: as long, and every block the same.
  func isUnchanged(_ checksums: [UInt32], total: Int64) -> Bool {
    damaged.length == total && content?.checksums == checksums
  }

  /// What came of it.
  /// - Parameter isVerified: a digest that nobody could forge vouches for the whole file.
  func report(total: Int64, isVerified: Bool) -> RepairReport {
    let map = plan?.blocks ?? BlockMap(total: total)
    var kept = plan?.kept.setCount ?? (isIntact ? map.count : 0)
    if let sampling { kept = sampling.agreed + sampling.trusted.setCount }
    let isProven = isVerified || hadDigest || pieces != nil
    let basis: RepairReport.Basis =
      switch basis {
      case .pieces: .pieces
      case .manifest: .manifest
      case .controlFile: .controlFile
      case .content: pieces != nil ? .pieces : hadDigest ? .digest : .content
      }
    let compared = sampling?.agreed ?? 0
    return RepairReport(
      basis: basis, wasIntact: isIntact, blockSize: map.blockSize, blocks: map.count, keptBlocks: kept,
      comparedBlocks: compared, trustedBlocks: isProven || plan?.basis == .manifest ? 0 : kept - compared)
  }
}
