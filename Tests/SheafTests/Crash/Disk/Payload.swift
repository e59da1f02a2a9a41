@testable import Sheaf

/// Bytes that were written once and are shared by every image of the disk that has them, divided as files are.
final class Payload: Sendable {
  static let chunkSize = 64 << 10

  let bytes: [UInt8]
  /// The same bytes in whole chunks, and what is left over.
  let chunks: [Chunk]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    chunks = stride(from: 0, to: bytes.count, by: Self.chunkSize).map {
      Chunk(Array(bytes[$0..<min($0 + Self.chunkSize, bytes.count)]))
    }
  }

  /// A piece of a file and its CRC-32, by which images are told apart.
  final class Chunk: Sendable {
    static let zeros = Chunk([UInt8](repeating: 0, count: Payload.chunkSize))

    let bytes: [UInt8]
    let checksum: UInt32

    init(_ bytes: [UInt8]) {
      self.bytes = bytes
      checksum = crc32(of: bytes)
    }
  }
}
