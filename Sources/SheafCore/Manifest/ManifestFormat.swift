/// Reads and writes manifests: fixed layout, little endian, two slots for the bitmap (`docs/manifest.md`).
///
/// What it reads is hostile input: every bound is checked before it is used, and any doubt is a `ManifestProblem`.
package struct ManifestFormat: Sendable {
  /// CRC-32 as in zlib and PNG.
  let crc32: @Sendable ([UInt8]) -> UInt32

  /// - Parameter crc32: CRC-32 as in zlib and PNG; handed in, because the core has no access to a fast one.
  package init(crc32: @escaping @Sendable ([UInt8]) -> UInt32) {
    self.crc32 = crc32
  }

  /// A complete new file, with the bitmap in the slot of `generation` and nothing in the other one.
  ///
  /// - Throws: `inconsistent`, `tooLarge` or `headerTooLong`. What it returns can be decoded, always.
  package func encode(_ manifest: Manifest, generation: UInt64 = 1) throws(ManifestProblem) -> [UInt8] {
    let header = ManifestHeader(manifest)
    let layout = try header.validated()
    guard manifest.blocks.count == layout.blockCount, manifest.checksums.count == layout.blockCount else {
      throw .inconsistent("bitmap, checksums and length differ in the number of blocks")
    }
    guard 1...ManifestLayout.lastGeneration ~= generation else { throw .inconsistent("its generation") }

    var bytes = try header.encoded(crc32: crc32)
    bytes.reserveCapacity(layout.fileSize)
    let slot = encodedSlot(manifest.blocks, generation: generation, layout: layout)
    let other = [UInt8](repeating: 0, count: layout.slotSize)
    bytes += generation % 2 == 0 ? slot + other : other + slot
    for checksum in manifest.checksums { bytes.append(littleEndian: checksum) }
    return bytes
  }

  /// The writes of one checkpoint, to be carried out in this order: the new checksums, then the whole slot of
  /// `generation`. The bytes of every block in `bitmap` must have been synced before.
  ///
  /// - Parameters:
  ///   - checksums: The CRC-32 of each block that is new since the last checkpoint, in any order. The later of two for
  ///     one block counts.
  ///   - generation: The generation that these writes make: the last one (of `encode` or `decode`) **plus one**, so that
  ///     they go to the slot that holds the older state.
  /// - Precondition: The number of blocks and each index fit the manifest that was encoded or decoded.
  package func checkpoint(
    bitmap: Bitmap, checksums: [(index: Int, crc: UInt32)], generation: UInt64
  ) -> [ManifestWrite] {
    guard let layout = ManifestLayout(blockCount: Int64(bitmap.count)) else {
      preconditionFailure("no manifest has \(bitmap.count) blocks")
    }
    precondition(1...ManifestLayout.lastGeneration ~= generation, "checkpoint of generation \(generation)")

    var writes: [ManifestWrite] = []
    var nextIndex: Int?
    let latest = Dictionary(checksums.map { ($0.index, $0.crc) }, uniquingKeysWith: { $1 })
    for (index, crc) in latest.sorted(by: { $0.key < $1.key }) {
      precondition(0 <= index && index < bitmap.count, "checksum of block \(index) of \(bitmap.count)")
      if index != nextIndex { writes.append(ManifestWrite(offset: Int64(layout.checksumOffset(index)), bytes: [])) }
      writes[writes.count - 1].bytes.append(littleEndian: crc)
      nextIndex = index + 1
    }
    let slot = encodedSlot(bitmap, generation: generation, layout: layout)
    writes.append(ManifestWrite(offset: Int64(layout.slotOffset(generation: generation)), bytes: slot))
    return writes
  }

  /// Reads a whole file.
  ///
  /// A block of the result is a claim: it holds only if the bytes of the part file match the block's CRC-32.
  package func decode(_ bytes: [UInt8]) throws(ManifestProblem) -> DecodedManifest {
    guard bytes.count <= ManifestLayout.maximumFileSize else { throw .tooLarge }
    let header = try ManifestHeader(decoding: bytes, crc32: crc32)
    let layout = try header.validated()
    guard bytes.count == layout.fileSize else {
      throw .wrongSize(expected: Int64(layout.fileSize), actual: Int64(bytes.count))
    }

    let slots = [decodedSlot(0, of: bytes, layout: layout), decodedSlot(1, of: bytes, layout: layout)]
    guard let newest = slots.compactMap(\.self).max(by: { $0.generation < $1.generation }) else {
      throw .nothingUsable
    }
    let checksums = (0..<layout.blockCount).map { bytes.littleEndian32(at: layout.checksumOffset($0)) }
    return DecodedManifest(
      manifest: Manifest(
        total: header.total, blockSize: header.blockSize, validator: header.validator,
        sourceHash: header.sourceHash, source: header.source, blocks: newest.bitmap, checksums: checksums),
      generation: newest.generation)
  }

  /// Generation, CRC-32 of everything else in the slot, bitmap, zeros.
  private func encodedSlot(_ bitmap: Bitmap, generation: UInt64, layout: ManifestLayout) -> [UInt8] {
    var covered: [UInt8] = []
    covered.reserveCapacity(layout.slotSize)
    covered.append(littleEndian: generation)
    covered += bitmap.bytes
    covered += [UInt8](repeating: 0, count: layout.slotSize - 4 - covered.count)
    var slot = Array(covered[..<8])
    slot.append(littleEndian: crc32(covered))
    return slot + covered[8...]
  }

  /// Nil for a slot that was never written, is torn or was tampered with: it does not exist then.
  private func decodedSlot(
    _ parity: UInt64, of bytes: [UInt8], layout: ManifestLayout
  ) -> (generation: UInt64, bitmap: Bitmap)? {
    let start = layout.slotOffset(generation: parity)
    let generation = bytes.littleEndian64(at: start)
    // A slot of the wrong parity would be overwritten by the next checkpoint while it is the only good one.
    guard 1...ManifestLayout.lastGeneration ~= generation, generation % 2 == parity else { return nil }
    let covered = Array(bytes[start..<start + 8] + bytes[start + 12..<start + layout.slotSize])
    guard crc32(covered) == bytes.littleEndian32(at: start + 8) else { return nil }
    let bitmapBytes = covered[8..<8 + Bitmap.byteCount(for: layout.blockCount)]
    guard let bitmap = Bitmap(count: layout.blockCount, bytes: bitmapBytes) else { return nil }
    return (generation, bitmap)
  }
}
