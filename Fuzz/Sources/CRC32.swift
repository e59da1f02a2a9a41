/// CRC-32 of zlib and PNG, by the book.
@Sendable func crc32(_ bytes: [UInt8]) -> UInt32 {
  var result: UInt32 = 0xFFFF_FFFF
  for byte in bytes { result = table[Int(UInt8(truncatingIfNeeded: result) ^ byte)] ^ result >> 8 }
  return ~result
}

private let table: [UInt32] = (0..<256).map { start in
  (0..<8).reduce(UInt32(start)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
}
