import TestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A tebibyte that is nearly all zeros, so that its holes need no disk: four blocks in each 16 GiB have a page in each
/// 64 that is not zero.
struct HollowEntity: Sendable {
  static let size: Int64 = 1 << 40
  /// The block size that Sheaf chooses for a file of this size.
  static let block: Int64 = 8 << 20
  static let blocks = Int(size / block)

  /// What the server says of it, and where the pages come from.
  let entity: Entity

  init(seed: UInt64) { entity = Entity(seed: seed, size: Self.size) }

  static func isHollow(_ block: Int) -> Bool { block % 2048 >= 4 }

  func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) {
    guard let base = buffer.baseAddress else { return }
    memset(base, 0, buffer.count)
    let (page, every): (Int64, Int64) = (4096, 64 * 4096)
    let end = offset + Int64(buffer.count)
    // The first page that may reach into the buffer.
    var place = (offset / every) * every
    while place < end {
      let (lower, upper) = (max(place, offset), min(place + page, end))
      if lower < upper, !Self.isHollow(Int(place / Self.block)) {
        let start = Int(lower - offset)
        entity.fill(UnsafeMutableRawBufferPointer(rebasing: buffer[start..<(start + Int(upper - lower))]), at: lower)
      }
      place += every
    }
  }

  /// Right in every way, with these bytes.
  var behaviour: Behaviour {
    .correct.amending { [self] _, answer in
      answer.body.pieces = answer.body.pieces.map { piece in
        guard case .entity(_, let range) = piece else { return piece }
        return .made(count: range.upperBound - range.lowerBound) { fill($0, at: range.lowerBound + $1) }
      }
    }
  }
}
