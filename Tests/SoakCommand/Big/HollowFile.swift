import CDeflate
import SheafCore
import TestSupport

#if os(Linux)
  import Glibc

  /// The part file or the finished file of a hollow entity.
  struct HollowFile {
    let path: String
    let entity: HollowEntity

    /// What is wrong with the bytes that take space; all the others read as zeros. Nil if nothing is.
    ///
    /// Where `blocks` is given only these are looked at. With `releasing` hollow blocks are made holes again: their
    /// bytes stay what they are, and the disk gets its space back.
    func difference(in blocks: Bitmap? = nil, releasing: Bool = false) throws -> String? {
      let file = open(path, O_RDWR | O_CLOEXEC)
      guard file >= 0 else { throw SystemCallFailure("open \(path)") }
      defer { close(file) }
      let count = Int(HollowEntity.block)
      let expected = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 4096)
      let found = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 4096)
      defer {
        expected.deallocate()
        found.deallocate()
      }
      // SEEK_DATA, which Swift's Glibc lacks.
      var place = lseek(file, 0, 3)
      while place >= 0 {
        let block = Int(place) / count
        let start = off_t(block * count)
        let isClaimed = blocks?[block] ?? true
        if isClaimed || releasing {
          guard pread(file, found.baseAddress, count, start) == count else { throw SystemCallFailure("read \(path)") }
          entity.fill(expected, at: Int64(start))
          let isRight = memcmp(found.baseAddress!, expected.baseAddress!, count) == 0
          if isClaimed, !isRight { return "block \(block) is wrong" }
          if releasing, isRight, HollowEntity.isHollow(block) { try Self.release(file, start, count) }
        }
        place = lseek(file, start + off_t(count), 3)
      }
      return nil
    }

    private static func release(_ file: CInt, _ start: off_t, _ count: Int) throws {
      let memory = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_SHARED, file, start)
      guard let memory, memory != MAP_FAILED else { throw SystemCallFailure("mmap") }
      defer { munmap(memory, count) }
      guard madvise(memory, count, MADV_REMOVE) == 0 else { throw SystemCallFailure("MADV_REMOVE") }
    }
  }

  /// The manifest of a hollow entity's download.
  struct HollowManifest {
    let path: String

    private static let format = ManifestFormat { bytes in
      UInt32(bytes.withUnsafeBytes { libdeflate_crc32(0, $0.baseAddress, $0.count) })
    }

    func read() throws -> (manifest: DecodedManifest, size: Int) {
      let file = open(path, O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { throw SystemCallFailure("open \(path)") }
      defer { close(file) }
      var status = stat()
      guard fstat(file, &status) == 0 else { throw SystemCallFailure("fstat \(path)") }
      var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
      guard pread(file, &bytes, bytes.count, 0) == bytes.count else { throw SystemCallFailure("read \(path)") }
      return (try Self.format.decode(bytes), bytes.count)
    }

    /// Claims every hollow block. That is true: they are holes of the part file, and holes are zeros.
    func claimHollowBlocks() throws {
      var decoded = try read().manifest
      let zeros = [UInt8](repeating: 0, count: Int(HollowEntity.block))
      let checksum = UInt32(zeros.withUnsafeBytes { libdeflate_crc32(0, $0.baseAddress, $0.count) })
      for block in 0..<HollowEntity.blocks where HollowEntity.isHollow(block) {
        decoded.manifest.blocks[block] = true
        decoded.manifest.checksums[block] = checksum
      }
      let bytes = try Self.format.encode(decoded.manifest, generation: decoded.generation + 1)
      let file = open(path, O_WRONLY | O_CLOEXEC)
      guard file >= 0 else { throw SystemCallFailure("open \(path)") }
      defer { close(file) }
      guard pwrite(file, bytes, bytes.count, 0) == bytes.count else { throw SystemCallFailure("write \(path)") }
    }
  }
#endif
