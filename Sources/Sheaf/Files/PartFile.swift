#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import SheafCore

/// The unfinished output, open and locked for this process.
///
/// Transfers write and the digest reads at the same time, at offsets of their own; the kernel keeps them apart.
final class PartFile: Sendable {
  let path: String
  let descriptor: FileDescriptor

  init(path: String, descriptor: consuming FileDescriptor) {
    self.path = path
    self.descriptor = descriptor
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(Failure) {
    do {
      try descriptor.write(bytes, at: offset)
    } catch {
      throw Failure(error, .fileIO, "writing", path)
    }
  }

  /// Reads as many bytes as there are at `offset`.
  func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int64) throws(Failure) -> Int {
    do {
      return try descriptor.read(into: bytes, at: offset)
    } catch {
      throw Failure(error, .fileIO, "reading", path)
    }
  }

  /// Calls `take` with all bytes of `range` in order, in pieces of up to 256 KiB.
  /// - Throws: a failure if the file ends before the range does.
  func read(_ range: ByteRange, _ take: (UnsafeRawBufferPointer) -> Void) throws(Failure) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 4096)
    defer { buffer.deallocate() }
    var offset = range.lower
    while offset < range.upper {
      let wanted = UnsafeMutableRawBufferPointer(
        rebasing: buffer.prefix(Int(min(Int64(buffer.count), range.upper - offset))))
      let count = try read(into: wanted, at: offset)
      guard count > 0 else { throw Failure(.fileIO, "\(printable(path)) became shorter while it was in use") }
      take(UnsafeRawBufferPointer(rebasing: wanted.prefix(count)))
      offset += Int64(count)
    }
  }
}
