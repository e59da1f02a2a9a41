#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The file system of this machine.
struct LocalFileSystem: FileSystem {
  func directory(at path: String) throws(SystemError) -> any Directory { try LocalDirectory.shared(at: path) }

  func makeDirectory(_ path: String) throws(SystemError) {
    guard mkdir(path, 0o777) == 0 else { throw SystemError("mkdir") }
  }
}
