/// Which blocks of a damaged or unfinished file are kept, and which of these are compared with the source first.
package struct RepairPlan: Sendable {
  /// What says which parts of the file are good.
  package enum Basis: String, Sendable {
    /// Digests of its pieces: proof.
    case pieces
    /// A manifest of the same URL and identity: what Sheaf itself noted.
    case manifest
    /// Another program's control file, or a manifest of another URL: a hint.
    case controlFile = "control-file"
    /// Nothing but the bytes that are there.
    case content

    /// Whether what is kept must be compared with the source.
    package var isHint: Bool { self == .controlFile || self == .content }
  }

  package let basis: Basis
  package let blocks: BlockMap
  /// The blocks that are kept, samples included.
  package let kept: Bitmap
  /// The blocks to compare with the source; none if the basis is no hint.
  package let samples: [Int]

  /// - Parameters:
  ///   - good: the bytes that are thought to be good, as far as the file goes.
  ///   - unwritten: blocks of zeros. Where there is no proof they and their neighbours are not kept: a file that was given its
  ///     length in advance has zeros where nothing has arrived, which seldom begin or end where a block does.
  ///   - mostSamples: how many blocks to compare; nil for as many as usual.
  ///   - random: whoever forged a control file must not know where it will be looked at.
  package init(
    _ basis: Basis, of blocks: BlockMap, good: RangeSet, unwritten: Bitmap, mostSamples: Int? = nil,
    using random: inout some RandomNumberGenerator
  ) {
    var kept = Bitmap(count: blocks.count)
    for index in 0..<blocks.count { kept[index] = good.contains(blocks.range(of: index)) }
    if basis.isHint {
      let suspects = unwritten.ranges(where: true).flatMap { $0 }.filter { kept[$0] }
      for suspect in suspects {
        for index in max(0, suspect - 1)...min(blocks.count - 1, suspect + 1) { kept[index] = false }
      }
    }
    self.basis = basis
    self.blocks = blocks
    self.kept = kept
    samples = basis.isHint ? Self.samples(of: kept, most: mostSamples, using: &random) : []
  }

  package var keptBytes: Int64 { blocks.byteCount(of: kept) }

  /// One in so many blocks is compared, within these bounds.
  private static let usualShare = 16
  private static let usualCount = 4...16

  /// Edges first, where a program that was interrupted may have noted more than it had written; the rest by chance, spread
  /// over all that is kept.
  private static func samples(
    of kept: Bitmap, most: Int?, using random: inout some RandomNumberGenerator
  ) -> [Int] {
    let runs = kept.ranges(where: true)
    let count = kept.setCount
    let wanted = min(
      count, most ?? min(max(count / usualShare, usualCount.lowerBound), usualCount.upperBound))
    guard wanted > 0 else { return [] }
    var edges = Set(runs.compactMap { $0.last } + runs.compactMap { $0.first }).sorted()
    // Some are left for the inside, unless there is none.
    let mostEdges = max(1, wanted - wanted / 4)
    if edges.count > mostEdges { edges = (0..<mostEdges).map { edges[$0 * (edges.count - 1) / max(1, mostEdges - 1)] } }
    var chosen = Set(edges)
    let inside = runs.flatMap { $0 }.filter { !chosen.contains($0) }
    let places = min(wanted - chosen.count, inside.count)
    for place in 0..<max(0, places) {
      let stratum = place * inside.count / places..<(place + 1) * inside.count / places
      chosen.insert(inside[Int.random(in: stratum, using: &random)])
    }
    return chosen.sorted()
  }
}
