import SheafCore

/// CRC-32 bit by bit through a table, as a reference.
@Sendable func referenceCRC32(_ bytes: [UInt8]) -> UInt32 {
  bytes.withUnsafeBufferPointer { bytes in
    crcTable.withUnsafeBufferPointer { table in
      var crc = UInt32.max
      var index = 0
      while index < bytes.count {
        crc = table[Int(truncatingIfNeeded: (crc ^ UInt32(bytes[index])) & 0xFF)] ^ (crc >> 8)
        index += 1
      }
      return ~crc
    }
  }
}

private let crcTable: [UInt32] = (0..<256).map { byte in
  (0..<8).reduce(UInt32(byte)) { crc, _ in crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
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
