import CDeflate
import CZlib

/// The CRC-32 of what `checksum` covers followed by `bytes`; 0 covers nothing.
func crc32(_ checksum: UInt32, _ bytes: UnsafeRawBufferPointer) -> UInt32 {
  libdeflate_crc32(checksum, bytes.baseAddress, bytes.count)
}

/// The CRC-32 of a whole array.
@Sendable func crc32(of bytes: [UInt8]) -> UInt32 {
  bytes.withUnsafeBytes { crc32(0, $0) }
}

/// The CRC-32 of two adjacent pieces from theirs and the second's length in bytes.
@Sendable func crc32Combined(_ first: UInt32, _ second: UInt32, _ secondLength: Int64) -> UInt32 {
  UInt32(truncatingIfNeeded: crc32_combine(UInt(first), UInt(second), Int(secondLength)))
}
