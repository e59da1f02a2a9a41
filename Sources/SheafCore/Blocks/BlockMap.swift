/// How a file of known length is divided into blocks, the units of checkpointing.
///
/// All blocks are of one size, a power of two of at least 1 MiB, but the last, which may be shorter.
package struct BlockMap: Hashable, Sendable {
  package let total: Int64
  package let blockSize: Int64

  package static let smallestBlock: Int64 = 1 << 20
  /// Enough blocks for fine-grained resuming, few enough that the manifest of a 1 TiB file stays below 1 MiB.
  private static let mostBlocks: Int64 = 1 << 17

  /// The division Sheaf chooses for a new download.
  package init(total: Int64) {
    var size = Self.smallestBlock
    while (total - 1) / size >= Self.mostBlocks { size *= 2 }
    self.init(total: total, blockSize: size)
  }

  /// A division made earlier, such as a manifest's.
  package init(total: Int64, blockSize: Int64) {
    precondition(total >= 0 && blockSize > 0, "no blocks of \(blockSize) in \(total)")
    self.total = total
    self.blockSize = blockSize
  }

  package var count: Int { total == 0 ? 0 : index(of: total - 1) + 1 }

  /// The block that holds the byte at `offset`.
  package func index(of offset: Int64) -> Int { Int(offset / blockSize) }

  package func range(of index: Int) -> ByteRange { range(of: index..<index + 1) }

  /// The bytes of several adjacent blocks.
  package func range(of indices: Range<Int>) -> ByteRange {
    ByteRange(start(of: indices.lowerBound), start(of: indices.upperBound))
  }

  /// The end of the block that holds the byte at `offset`.
  package func end(of offset: Int64) -> Int64 { start(of: index(of: offset) + 1) }

  /// How many bytes the blocks in `bitmap` have together.
  package func byteCount(of bitmap: Bitmap) -> Int64 {
    bitmap.ranges(where: true).reduce(0) { $0 + range(of: $1).count }
  }

  /// The first byte of a block, or the file's end. Beyond the last block a product could be too large for Int64: the
  /// total is whatever a server says.
  private func start(of index: Int) -> Int64 { index < count ? Int64(index) * blockSize : total }
}
