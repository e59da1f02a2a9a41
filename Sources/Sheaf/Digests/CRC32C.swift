/// The CRC-32C (RFC 9260 appendix B) of what `checksum` covers followed by `bytes`; 0 covers nothing.
///
/// Eight bytes at a time by as many tables, since no library at hand has it.
func crc32c(_ checksum: UInt32, _ bytes: UnsafeRawBufferPointer) -> UInt32 {
  tables.withUnsafeBufferPointer { tables in
    var state = ~checksum
    var offset = 0
    while offset + 8 <= bytes.count {
      let low = state ^ UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
      let high = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self))
      state = 0
      for place in 0..<4 {
        let shift = UInt32(8 * place)
        state ^= tables[(7 - place) << 8 | Int(low >> shift & 0xFF)]
        state ^= tables[(3 - place) << 8 | Int(high >> shift & 0xFF)]
      }
      offset += 8
    }
    while offset < bytes.count {
      state = state >> 8 ^ tables[Int((state ^ UInt32(bytes[offset])) & 0xFF)]
      offset += 1
    }
    return ~state
  }
}

/// Table `t` has the CRC of each byte followed by `t` zeros.
private let tables: [UInt32] = {
  var tables = [UInt32](repeating: 0, count: 8 << 8)
  for byte in 0..<256 {
    var state = UInt32(byte)
    for _ in 0..<8 { state = state & 1 == 0 ? state >> 1 : state >> 1 ^ 0x82F6_3B78 }
    tables[byte] = state
  }
  for index in 256..<(8 << 8) {
    let before = tables[index - 256]
    tables[index] = before >> 8 ^ tables[Int(before & 0xFF)]
  }
  return tables
}()
