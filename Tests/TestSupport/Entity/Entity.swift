#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The bytes behind a URL: any amount of content that follows from a seed and is never held in memory.
///
/// Each page of 4 KiB comes from a place in a random tile that the seed and the page's index choose, and begins with
/// eight bytes made of both, so that bytes moved by any distance, or taken from another entity, differ.
package struct Entity: Hashable, Sendable {
  package let seed: UInt64
  package let size: Int64
  /// The pages whose bytes are not those that follow from the seed.
  private var damaged: Set<Int64> = []

  static let pageSize: Int64 = 4096

  package init(seed: UInt64, size: Int64) {
    precondition(size >= 0, "an entity cannot have \(size) bytes")
    self.seed = seed
    self.size = size
  }

  /// The same, but for the page of 4 KiB that each of these offsets lies in.
  package func damaged(at offsets: Int64...) -> Entity {
    var other = self
    for offset in offsets { other.damaged.insert(offset / Self.pageSize) }
    return other
  }

  /// Writes the bytes from `offset` on, as many as the buffer holds.
  ///
  /// - Precondition: they lie within the entity.
  package func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) {
    precondition(
      offset >= 0 && Int64(buffer.count) <= size - offset, "\(buffer.count) bytes at \(offset) of \(size)")
    guard let target = buffer.baseAddress else { return }
    let tile = EntityTile.shared.bytes
    let lastPlace = UInt64(EntityTile.count) - UInt64(Self.pageSize) + 1
    // Depends on the seed alone: hashing it first keeps neighbouring seeds from sharing pages.
    let root = mixed(seed &+ 0x9E37_79B9_7F4A_7C15)
    var done = 0
    while done < buffer.count {
      let position = offset + Int64(done)
      let page = position >> 12
      let within = Int(position & (Self.pageSize - 1))
      let count = min(Int(Self.pageSize) - within, buffer.count - done)
      let hash = mixed((damaged.contains(page) ? ~root : root) ^ UInt64(bitPattern: page))
      memcpy(target + done, tile + Int(hash % lastPlace) + within, count)
      if within < 8 {
        var stamp = mixed(hash).littleEndian
        withUnsafeBytes(of: &stamp) { bytes in
          _ = memcpy(target + done, bytes.baseAddress! + within, min(8 - within, count))
        }
      }
      done += count
    }
  }

  /// The bytes of a range that fits in memory.
  package func bytes(in range: Range<Int64>) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
      fill(
        UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[..<range.count])),
        at: range.lowerBound)
      count = range.count
    }
  }

  /// Calls `body` with one piece after another, in order, until it returns false.
  func forEachPiece(of range: Range<Int64>, _ body: (UnsafeRawBufferPointer, _ offset: Int64) -> Bool) {
    let capacity = Int(min(range.upperBound - range.lowerBound, 256 << 10))
    guard capacity > 0 else { return }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 4096)
    defer { buffer.deallocate() }
    var offset = range.lowerBound
    while offset < range.upperBound {
      let piece = UnsafeMutableRawBufferPointer(
        rebasing: buffer[..<Int(min(Int64(capacity), range.upperBound - offset))])
      fill(piece, at: offset)
      if !body(UnsafeRawBufferPointer(piece), offset) { return }
      offset += Int64(piece.count)
    }
  }
}
