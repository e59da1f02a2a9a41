/// Where everything is in a manifest of a given number of blocks; `docs/manifest.md` has the picture.
package struct ManifestLayout: Hashable, Sendable {
  /// Reserves and alignment are in pages of this size, so that no checkpoint write shares one with the header.
  package static let pageSize = 4096
  package static let headerSize = pageSize
  /// Generation and CRC-32 in front of a slot's bitmap.
  package static let slotPrefixSize = 12
  /// A reader refuses larger files before it reads them.
  package static let maximumFileSize = 64 << 20
  package static let smallestBlockSize: Int64 = 1 << 20
  package static let largestTotal: Int64 = 1 << 60
  /// A generation beyond it is no valid one, so that adding one to what was read cannot overflow.
  package static let lastGeneration = UInt64(Int64.max)

  package let blockCount: Int
  /// The size of each of the two slots, a multiple of the page size.
  package let slotSize: Int

  /// Nil when there are no blocks or so many that the file would exceed `maximumFileSize`.
  package init?(blockCount: Int64) {
    // More blocks than CRC-32 values fit into the largest file: refused before any sum that could overflow.
    guard 1...Int64(Self.maximumFileSize / 4) ~= blockCount else { return nil }
    self.blockCount = Int(blockCount)
    let used = Self.slotPrefixSize + Bitmap.byteCount(for: Int(blockCount))
    slotSize = (used + Self.pageSize - 1) / Self.pageSize * Self.pageSize
    guard fileSize <= Self.maximumFileSize else { return nil }
  }

  /// Slot A takes the even generations, slot B the odd ones.
  package func slotOffset(generation: UInt64) -> Int {
    Self.headerSize + (generation % 2 == 0 ? 0 : slotSize)
  }

  package var tableOffset: Int { Self.headerSize + 2 * slotSize }
  package var fileSize: Int { tableOffset + 4 * blockCount }

  package func checksumOffset(_ index: Int) -> Int { tableOffset + 4 * index }
}
