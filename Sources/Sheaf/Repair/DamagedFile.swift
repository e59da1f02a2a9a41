#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import SheafCore

/// The file that is to be repaired, open for reading and locked. Nothing of it is ever changed.
struct DamagedFile: Sendable {
  let target: Target
  let file: PartFile
  /// In bytes.
  let length: Int64
  /// The rights that its users have.
  let mode: mode_t
}

/// What the blocks of a file hold, cut where the file or the whole ends.
struct BlockContent: Sendable {
  /// The CRC-32 of each block that is all there; nil for the others.
  var checksums: [UInt32?]
  /// The blocks that are all there and hold nothing but zeros.
  var zeros: Bitmap

  init(of map: BlockMap) {
    checksums = Array(repeating: nil, count: map.count)
    zeros = Bitmap(count: map.count)
  }
}
