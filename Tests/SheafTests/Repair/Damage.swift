import Sheaf
import TestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The file of a repair's tests, as some accident has left it.
struct Damage {
  let entity: Entity
  let directory: TemporaryDirectory
  static let name = "file.bin"

  var path: String { directory.file(Self.name) }

  /// A file with the entity's bytes in these ranges and zeros elsewhere, as long as said.
  init(_ entity: Entity, keeping ranges: [Range<Int64>], length: Int64? = nil) throws {
    self.entity = entity
    directory = try TemporaryDirectory()
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    defer { close(descriptor) }
    for range in ranges {
      var offset = range.lowerBound
      while offset < range.upperBound {
        let piece = entity.bytes(in: offset..<min(range.upperBound, offset + 1 << 20))
        guard pwrite(descriptor, piece, piece.count, off_t(offset)) == piece.count else {
          throw SystemCallFailure("pwrite")
        }
        offset += Int64(piece.count)
      }
    }
    guard ftruncate(descriptor, off_t(length ?? entity.size)) == 0 else { throw SystemCallFailure("ftruncate") }
  }

  /// The whole entity, of which the byte at each of these offsets is another.
  init(_ entity: Entity, flipping offsets: [Int64]) throws {
    try self.init(entity, keeping: [0..<entity.size])
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    defer { close(descriptor) }
    for offset in offsets {
      let byte = entity.bytes(in: offset..<offset + 1).map { $0 ^ 0x40 }
      guard pwrite(descriptor, byte, 1, off_t(offset)) == 1 else { throw SystemCallFailure("pwrite") }
    }
  }

  /// The number of the file under the name: another one means that it was replaced.
  var inode: UInt64 {
    var status = stat()
    return stat(path, &status) == 0 ? UInt64(status.st_ino) : 0
  }

  /// A Metalink document about the entity.
  static func metalink(
    of entity: Entity, name: String = name, pieceLength: Int64 = 1 << 20, hasDigest: Bool = false, url: String? = nil
  ) -> [UInt8] {
    let pieces = stride(from: 0, to: entity.size, by: Int(pieceLength)).map { start in
      "<hash>\(hexadecimal(entity.sha256(of: start..<min(entity.size, start + pieceLength))))</hash>"
    }
    let digest = hasDigest ? "<hash type=\"sha-256\">\(hexadecimal(entity.sha256()))</hash>" : ""
    return Array(
      """
      <?xml version="1.0"?><metalink xmlns="urn:ietf:params:xml:ns:metalink"><file name="\(name)">
      <size>\(entity.size)</size>\(digest)<pieces length="\(pieceLength)" type="sha-256">\(pieces.joined())</pieces>
      \(url.map { "<url>\($0)</url>" } ?? "")</file></metalink>
      """.utf8)
  }

  /// Repairs it.
  func repair(
    from url: String?, metalink: [UInt8]? = nil, samples: Int? = nil, to destination: Destination? = nil,
    _ configure: (inout DownloadOptions) -> Void = { _ in }
  ) async throws -> Fetched {
    var options = DownloadOptions()
    options.durability = .off
    configure(&options)
    var evidence = RepairEvidence()
    evidence.metalink = try metalink.map { try MetalinkDocument($0) }
    evidence.samples = samples
    let download = try Download(repairing: path, from: url, to: destination, evidence: evidence, options: options)
    return await Fetched(download)
  }
}
