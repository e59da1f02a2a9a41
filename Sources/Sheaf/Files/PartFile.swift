import SheafCore
import Synchronization

/// The unfinished output, open and locked for this process.
///
/// Transfers write and the digest reads at the same time, at offsets of their own; the kernel keeps them apart.
final class PartFile: Sendable {
  let path: String
  let file: any OpenFile
  /// How a sync failed, if one has.
  private let lostWrites = Mutex<Failure?>(nil)

  init(path: String, file: any OpenFile) {
    self.path = path
    self.file = file
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(Failure) {
    do {
      try file.write(bytes, at: offset)
    } catch {
      throw Failure(error, .fileIO, "writing", path)
    }
  }

  /// Reads as many bytes as there are at `offset`.
  func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int64) throws(Failure) -> Int {
    do {
      return try file.read(into: bytes, at: offset)
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

  /// Bytes that the file has on the disk, holes left out; 0 if the system does not say.
  var allocatedBytes: Int64 { (try? file.status()).map { Int64($0.st_blocks) * 512 } ?? 0 }

  func resize(to size: Int64) throws(Failure) {
    do {
      try file.resize(to: size)
    } catch {
      throw Failure(error, .fileIO, size == 0 ? "emptying" : "sizing", path)
    }
  }

  /// Takes the space for so many bytes; false if the file system cannot do that.
  func reserve(_ size: Int64) throws(Failure) -> Bool {
    do {
      return try file.reserve(size)
    } catch {
      throw Failure(error, .fileIO, "reserving space for", path)
    }
  }

  /// Waits until the data is on the disk.
  func syncData() throws(Failure) {
    try sync { file throws(SystemError) in try file.syncData() }
  }

  /// Waits until data and metadata are on the disk.
  func sync() throws(Failure) {
    try sync { file throws(SystemError) in try file.sync() }
  }

  /// The kernel forgets a failed sync at once, and perhaps the bytes, so no later sync of this file can be believed: the
  /// first failure is the answer to all of them.
  private func sync(_ work: (any OpenFile) throws(SystemError) -> Void) throws(Failure) {
    if let failure { throw failure }
    do {
      try work(file)
    } catch {
      let failure = Failure(error, .fileIO, "syncing", path)
      lostWrites.withLock { $0 = failure }
      throw failure
    }
  }

  /// How the first sync that failed did.
  var failure: Failure? { lostWrites.withLock { $0 } }
}
