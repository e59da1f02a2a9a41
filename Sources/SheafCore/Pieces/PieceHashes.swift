/// The digests of a file's pieces: equally long ones, the last one perhaps shorter.
package struct PieceHashes: Hashable, Sendable {
  /// Bytes of each piece but the last.
  package let pieceLength: Int64
  /// One for each piece, in order, all of one algorithm.
  package let digests: [Digest]
  /// Bytes of the whole file.
  package let total: Int64
  package let algorithm: DigestAlgorithm

  /// Nil unless there are exactly as many digests as a file of that length has pieces, all of one algorithm, and at least
  /// one.
  package init?(pieceLength: Int64, digests: [Digest], total: Int64) {
    guard pieceLength > 0, total > 0, let algorithm = digests.first?.algorithm,
      Int64(digests.count) == (total - 1) / pieceLength + 1, digests.allSatisfy({ $0.algorithm == algorithm })
    else { return nil }
    self.pieceLength = pieceLength
    self.digests = digests
    self.total = total
    self.algorithm = algorithm
  }

  package var count: Int { digests.count }

  package func range(of index: Int) -> ByteRange { range(of: index..<index + 1) }

  /// The bytes of several adjacent pieces.
  package func range(of indices: Range<Int>) -> ByteRange {
    ByteRange(start(of: indices.lowerBound), start(of: indices.upperBound))
  }

  /// The pieces that have at least one byte of `range`.
  package func pieces(touching range: ByteRange) -> Range<Int> {
    let upper = min(range.upper, total)
    guard range.lower < upper else { return 0..<0 }
    return Int(range.lower / pieceLength)..<Int((upper - 1) / pieceLength) + 1
  }

  /// The pieces that have all their bytes in `range`.
  package func pieces(within range: ByteRange) -> Range<Int> {
    let lower = Int((min(range.lower, total) + pieceLength - 1) / pieceLength)
    let upper = range.upper >= total ? count : Int(range.upper / pieceLength)
    return lower < upper ? lower..<upper : 0..<0
  }

  /// A product beyond the last piece could be too large for Int64.
  private func start(of index: Int) -> Int64 { index < count ? Int64(index) * pieceLength : total }
}
