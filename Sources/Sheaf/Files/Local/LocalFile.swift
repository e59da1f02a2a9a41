import CSystem
#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import SheafCore

/// An open file of the system.
final class LocalFile: OpenFile {
  private let descriptor: FileDescriptor

  init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }

  func status() throws(SystemError) -> stat { try descriptor.status() }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SystemError) {
    var rest = bytes
    var place = offset
    while let base = rest.baseAddress, !rest.isEmpty {
      let count = pwrite(descriptor.number, base, rest.count, off_t(place))
      if count < 0 {
        if errno == EINTR { continue }
        throw SystemError("pwrite")
      }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
      place += Int64(count)
    }
  }

  func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int64) throws(SystemError) -> Int {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[done...])
      let count = pread(descriptor.number, rest.baseAddress, rest.count, off_t(offset + Int64(done)))
      if count < 0 {
        if errno == EINTR { continue }
        throw SystemError("pread")
      }
      if count == 0 { break }
      done += count
    }
    return done
  }

  func copy(_ range: ByteRange, from source: any OpenFile) throws(SystemError) {
    var offset = range.lower
    if let source = source as? LocalFile {
      while offset < range.upper {
        let count = CSystem_copyRange(
          source.descriptor.number, descriptor.number, offset, Int(clamping: range.upper - offset))
        if count < 0 && errno == ENOSPC { throw SystemError("copy_file_range") }
        // File systems that cannot do it have many ways to say so.
        guard count > 0 else { break }
        offset += Int64(count)
      }
    }
    try copyByHand(ByteRange(offset, range.upper), from: source)
  }

  func resize(to size: Int64) throws(SystemError) {
    // ext4 writes a file out when it is closed if it was ever truncated to nothing, even from nothing.
    guard Int64(try status().st_size) != size else { return }
    while ftruncate(descriptor.number, off_t(size)) != 0 {
      guard errno == EINTR else { throw SystemError("ftruncate") }
    }
  }

  func reserve(_ size: Int64) throws(SystemError) -> Bool {
    while CSystem_reserve(descriptor.number, off_t(size)) != 0 {
      if errno == EINTR { continue }
      guard [EOPNOTSUPP, ENOTSUP, ENOSYS, EINVAL].contains(errno) else { throw SystemError("fallocate") }
      return false
    }
    return true
  }

  func setModificationTime(_ seconds: Int64) throws(SystemError) {
    let time = timespec(tv_sec: Int(seconds), tv_nsec: 0)
    guard
      withUnsafePointer(
        to: (time, time),
        { pointer in
          pointer.withMemoryRebound(to: timespec.self, capacity: 2) { futimens(descriptor.number, $0) }
        }) == 0
    else { throw SystemError("futimens") }
  }

  func setMode(_ mode: mode_t) throws(SystemError) {
    guard fchmod(descriptor.number, mode) == 0 else { throw SystemError("fchmod") }
  }

  func syncData() throws(SystemError) {
    #if canImport(Glibc)
      guard fdatasync(descriptor.number) == 0 else { throw SystemError("fdatasync") }
    #else
      try descriptor.sync()
    #endif
  }

  func sync() throws(SystemError) { try descriptor.sync() }

  func startWriteback() { CSystem_startWriteback(descriptor.number) }

  func lock() -> Bool { flock(descriptor.number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK }

  func attribute(_ name: String, longest: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: longest)
    let count = CSystem_getAttribute(descriptor.number, name, &bytes, bytes.count)
    return count > 0 ? Array(bytes.prefix(count)) : nil
  }

  func setAttribute(_ name: String, to bytes: [UInt8]) {
    _ = CSystem_setAttribute(descriptor.number, name, bytes, bytes.count)
  }
}
