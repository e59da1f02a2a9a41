import CDeflate
import SheafCore

/// CRC-32 as another library computes it.
@Sendable func referenceCRC32(_ bytes: [UInt8]) -> UInt32 {
  bytes.withUnsafeBytes { libdeflate_crc32(0, $0.baseAddress, $0.count) }
}

let manifestFormat = ManifestFormat(crc32: referenceCRC32)

/// A manifest whose blocks and checksums follow from `seed`.
func sampleManifest(
  blocks count: Int = 20, blockSize: Int64 = 1 << 20, validator: Validator = .strongTag("\"v1\""), seed: UInt64 = 7
) -> Manifest {
  var numbers = SeededNumbers(seed: seed)
  var blocks = Bitmap(count: count)
  for index in 0..<count { blocks[index] = Bool.random(using: &numbers) }
  return Manifest(
    total: Int64(count) * blockSize - 17, blockSize: blockSize, validator: validator,
    sourceHash: (0..<32).map { _ in UInt8.random(in: 0...255, using: &numbers) },
    source: "https://example.org/pub/file.iso", blocks: blocks,
    checksums: (0..<count).map { _ in UInt32.random(in: 0 ... .max, using: &numbers) })
}

/// The file after `writes`.
func applying(_ writes: [ManifestWrite], to file: [UInt8]) -> [UInt8] {
  var result = file
  for write in writes {
    result.replaceSubrange(Int(write.offset)..<Int(write.offset) + write.bytes.count, with: write.bytes)
  }
  return result
}
