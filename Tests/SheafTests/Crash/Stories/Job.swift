import SheafCore
import TestSupport

@testable import Sheaf

/// One file that is to be downloaded in a story.
struct Job: Sendable {
  let path: String
  let tag: String
  let content: [UInt8]
  var overwrites = false
  var hasManifest = true

  init(_ path: String = "file.bin", seed: UInt64, size: Int, tag: String? = nil) {
    self.path = path
    self.tag = tag ?? "\"\(seed)-\(size)\""
    content = Entity(seed: seed, size: Int64(size)).bytes(in: 0..<Int64(size))
  }

  var identity: Identity { Identity(total: Int64(content.count), validator: .strongTag(tag)) }
  var map: BlockMap { BlockMap(total: Int64(content.count)) }

  func target() throws -> Target { try Target(.file(path), urlPath: "/") }

  var manifest: Manifest {
    Manifest(
      total: Int64(content.count), blockSize: map.blockSize, validator: identity.validator,
      sourceHash: Self.sourceHash, source: "https://example.org/file.bin", blocks: Bitmap(count: map.count),
      checksums: Array(repeating: 0, count: map.count))
  }

  static let sourceHash = [UInt8](repeating: 7, count: 32)
  static let pieceSize: Int64 = 512 << 10

  /// What is to be fetched for these blocks, as several connections would bring it: first the first piece of each, then
  /// the second of each.
  func pieces(of blocks: [Int]) -> [ByteRange] {
    var pieces: [ByteRange] = []
    for order in 0..<map.blockSize / Self.pieceSize {
      for index in blocks {
        let block = map.range(of: index)
        let start = block.lower + order * Self.pieceSize
        if start < block.upper { pieces.append(ByteRange(start, min(start + Self.pieceSize, block.upper))) }
      }
    }
    return pieces
  }
}
