#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A descriptor of the system, closed when it goes out of scope.
struct FileDescriptor: ~Copyable, Sendable {
  let number: Int32

  /// Takes over a descriptor that is open.
  init(owning number: Int32) { self.number = number }

  deinit { close(number) }

  func status() throws(SystemError) -> stat {
    var status = stat()
    guard fstat(number, &status) == 0 else { throw SystemError("fstat") }
    return status
  }

  /// Waits until data and metadata are on the disk.
  func sync() throws(SystemError) {
    #if canImport(Glibc)
      guard fsync(number) == 0 else { throw SystemError("fsync") }
    #else
      guard fcntl(number, F_FULLFSYNC) == 0 else { throw SystemError("F_FULLFSYNC") }
    #endif
  }
}
