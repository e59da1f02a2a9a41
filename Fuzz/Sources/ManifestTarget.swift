import SheafCore

let manifestFormat = ManifestFormat(crc32: crc32)

/// Nil for what is refused.
func decoded(_ bytes: [UInt8]) -> DecodedManifest? {
  do throws(ManifestProblem) {
    return try manifestFormat.decode(bytes)
  } catch {
    require(!error.description.unicodeScalars.contains(where: isUnprintable), "an unprintable reason")
    return nil
  }
}

/// F4. Decodes, encodes again, damages.
func fuzzManifest(_ input: Input) {
  var input = input
  let file = ManifestFile(&input)
  let (found, peak) = heapPeak { decoded(file.bytes) }
  require(peak <= 2 * file.bytes.count + 65_536, "\(peak) bytes of memory for a file of \(file.bytes.count)")
  guard let found else { return }
  let manifest = found.manifest
  require(manifest.blocks.count == manifest.checksums.count, "bitmap and checksums differ in length")
  require(BlockMap(total: manifest.total, blockSize: manifest.blockSize).count == manifest.blocks.count, "blocks")

  let encoded: [UInt8]
  do throws(ManifestProblem) {
    encoded = try manifestFormat.encode(manifest, generation: found.generation)
  } catch {
    complain("was decoded and cannot be encoded: it \(error)")
  }
  require(decoded(encoded) == found, "decoding what was encoded gives something else")

  // The bits of the header and of the only slot that counts are all guarded; a bit of the table is one checksum.
  let slot = (encoded.count - 4096 - 4 * manifest.blocks.count) / 2
  let used = 4096 + (found.generation % 2 == 0 ? 0 : slot)
  for place in [input.number(bytes: 2), input.number(bytes: 3), 0, 65_535].map({ Int($0) % (encoded.count * 8) }) {
    var damaged = encoded
    damaged[place / 8] ^= 1 << UInt8(place % 8)
    let result = decoded(damaged)
    switch place / 8 {
    case ..<4096, used..<used + slot: require(result == nil, "flipped bit \(place) goes unnoticed")
    case ..<(4096 + 2 * slot): require(result == found, "flipped bit \(place) of an unused slot")
    default:
      let differing = zip(result?.manifest.checksums ?? [], manifest.checksums).count { $0 != $1 }
      require(differing == 1 && result?.manifest.blocks == manifest.blocks, "flipped bit \(place) of the table")
    }
  }
  checkpoint(found, encoded, &input)
}

/// A checkpoint on top: torn after any byte it leaves the old state or the new one.
private func checkpoint(_ found: DecodedManifest, _ file: [UInt8], _ input: inout Input) {
  guard found.generation < ManifestLayout.lastGeneration else { return }
  let manifest = found.manifest
  let index = Int(input.number(bytes: 2)) % manifest.blocks.count
  var blocks = manifest.blocks
  blocks[index].toggle()
  let writes = manifestFormat.checkpoint(
    bitmap: blocks, checksums: [(index, UInt32(truncatingIfNeeded: input.number(bytes: 4)))],
    generation: found.generation + 1)
  var file = file
  var left = Int(input.number(bytes: 2)) % (writes.reduce(1) { $0 + $1.bytes.count })
  let isWhole = left == writes.reduce(0) { $0 + $1.bytes.count }
  for write in writes {
    for (offset, byte) in write.bytes.prefix(left).enumerated() { file[Int(write.offset) + offset] = byte }
    left -= min(left, write.bytes.count)
  }
  let result = decoded(file)
  require(result != nil, "a torn checkpoint destroys the manifest")
  let isNew = result?.generation == found.generation + 1
  require(isNew || !isWhole, "a checkpoint is not there")
  require(result?.manifest.blocks == (isNew ? blocks : manifest.blocks), "a torn checkpoint mixes two states")
}
