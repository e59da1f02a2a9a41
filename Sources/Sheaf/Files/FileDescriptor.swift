import CSystem
#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import SheafCore

/// An open file of the system, closed when it goes out of scope.
struct FileDescriptor: ~Copyable, Sendable {
  let number: Int32

  /// Takes over a descriptor that is open.
  init(owning number: Int32) { self.number = number }

  deinit { close(number) }

  /// The file's size, type, owner and the rest.
  func status() throws(SystemError) -> stat {
    var status = stat()
    guard fstat(number, &status) == 0 else { throw SystemError("fstat") }
    return status
  }

  /// Writes all of `bytes` at `offset`, however many calls that takes.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SystemError) {
    var rest = bytes
    var place = offset
    while let base = rest.baseAddress, !rest.isEmpty {
      let count = pwrite(number, base, rest.count, off_t(place))
      if count < 0 {
        if errno == EINTR { continue }
        throw SystemError("pwrite")
      }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
      place += Int64(count)
    }
  }

  /// Reads as much of `bytes.count` as there is at `offset`; fewer bytes mean the end of the file.
  func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SystemError) -> Int {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[done...])
      let count = pread(number, rest.baseAddress, rest.count, off_t(offset + Int64(done)))
      if count < 0 {
        if errno == EINTR { continue }
        throw SystemError("pread")
      }
      if count == 0 { break }
      done += count
    }
    return done
  }

  func write(_ bytes: [UInt8], at offset: Int64) throws(SystemError) {
    // `withUnsafeBytes` does not carry typed errors.
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(SystemError) in try write(bytes, at: offset) }
    }
    try result.get()
  }

  /// Reads `count` bytes from the start of the file, or all if it is shorter.
  func read(first count: Int) throws(SystemError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let result = bytes.withUnsafeMutableBytes { bytes in
      Result { () throws(SystemError) in try read(into: bytes, at: 0) }
    }
    return Array(bytes.prefix(try result.get()))
  }

  /// Waits until the data, and what is needed to read it back, is on the disk.
  ///
  /// A failure is reported once and then forgotten by the kernel: never try again and believe the second answer.
  func syncData() throws(SystemError) {
    #if canImport(Glibc)
      guard fdatasync(number) == 0 else { throw SystemError("fdatasync") }
    #else
      guard fcntl(number, F_FULLFSYNC) == 0 else { throw SystemError("F_FULLFSYNC") }
    #endif
  }

  /// Lets the disk begin with what a sync will wait for.
  func startWriteback() { CSystem_startWriteback(number) }

  /// Waits until data and metadata are on the disk.
  func sync() throws(SystemError) {
    #if canImport(Glibc)
      guard fsync(number) == 0 else { throw SystemError("fsync") }
    #else
      guard fcntl(number, F_FULLFSYNC) == 0 else { throw SystemError("F_FULLFSYNC") }
    #endif
  }

  /// Makes the file `size` bytes long.
  func resize(to size: Int64) throws(SystemError) {
    // ext4 writes a file out when it is closed if it was ever truncated to nothing, even from nothing.
    guard Int64(try status().st_size) != size else { return }
    while ftruncate(number, off_t(size)) != 0 {
      guard errno == EINTR else { throw SystemError("ftruncate") }
    }
  }
}
