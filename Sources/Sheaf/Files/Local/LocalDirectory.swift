import CSystem
#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import Synchronization

/// An open directory of the system.
///
/// Downloads into the same directory share one, so that its names are synced once for all of them.
final class LocalDirectory: Directory {
  let path: String
  private let descriptor: FileDescriptor

  /// Weak, and with the object's identity beside it, so that a directory that goes can tell whether the entry is its own.
  private final class Entry {
    weak var directory: LocalDirectory?
    let identity: ObjectIdentifier

    init(_ directory: LocalDirectory) {
      self.directory = directory
      identity = ObjectIdentifier(directory)
    }
  }

  private static let inUse = Mutex<[String: Entry]>([:])

  /// The directory at `path`: the one that others hold open already if the path still leads there.
  static func shared(at path: String) throws(SystemError) -> LocalDirectory {
    if let known = inUse.withLock({ $0[path]?.directory }), known.isAt(path) { return known }
    let new = try LocalDirectory(path)
    inUse.withLock { $0[path] = Entry(new) }
    return new
  }

  private init(_ path: String) throws(SystemError) {
    self.path = path
    #if canImport(Glibc)
      let number = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    #else
      let number = Darwin.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    #endif
    guard number >= 0 else { throw SystemError("open") }
    descriptor = FileDescriptor(owning: number)
  }

  deinit {
    let own = ObjectIdentifier(self)
    Self.inUse.withLock { if $0[path]?.identity == own { $0[path] = nil } }
  }

  /// Whether `path`, which may be relative to a working directory that has changed, leads here.
  private func isAt(_ path: String) -> Bool {
    var named = stat()
    guard stat(path, &named) == 0, let own = try? descriptor.status() else { return false }
    return named.st_ino == own.st_ino && named.st_dev == own.st_dev
  }

  func create(_ name: String) throws(SystemError) -> (any OpenFile)? {
    do {
      return try open(name, flags: O_RDWR | O_CREAT | O_EXCL)
    } catch  where error.code == EEXIST {
      return nil
    }
  }

  func open(_ name: String, _ access: FileAccess) throws(SystemError) -> (any OpenFile)? {
    do {
      return try open(name, flags: access == .reading ? O_RDONLY : O_RDWR)
    } catch  where error.code == ENOENT {
      return nil
    }
  }

  private func open(_ name: String, flags: Int32) throws(SystemError) -> LocalFile {
    // Opening a pipe would wait for somebody at its other end.
    let number = openat(descriptor.number, name, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
    guard number >= 0 else { throw SystemError("open") }
    return LocalFile(FileDescriptor(owning: number))
  }

  func status(of name: String) throws(SystemError) -> stat? {
    var status = stat()
    guard fstatat(descriptor.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      if errno == ENOENT { return nil }
      throw SystemError("fstatat")
    }
    return status
  }

  func rename(_ name: String, to newName: String) throws(SystemError) {
    guard renameat(descriptor.number, name, descriptor.number, newName) == 0 else { throw SystemError("rename") }
  }

  func renameExclusively(_ name: String, to newName: String) throws(SystemError) {
    guard CSystem_renameExclusively(descriptor.number, name, newName) != 0 else { return }
    let isUnknown = errno == EINVAL || errno == ENOSYS || errno == ENOTSUP
    throw SystemError("rename", code: isUnknown ? ENOTSUP : errno)
  }

  func link(_ name: String, to newName: String) throws(SystemError) {
    guard linkat(descriptor.number, name, descriptor.number, newName, 0) == 0 else { throw SystemError("link") }
  }

  func remove(_ name: String) throws(SystemError) -> Bool {
    if unlinkat(descriptor.number, name, 0) == 0 { return true }
    guard errno == ENOENT else { throw SystemError("unlink") }
    return false
  }

  func sync() throws(SystemError) {
    do {
      try descriptor.sync()
    } catch  where error.code == EINVAL || error.code == ENOTSUP {
      return
    }
  }

  var freeBytes: Int64? {
    var status = statvfs()
    guard fstatvfs(descriptor.number, &status) == 0 else { return nil }
    let (bytes, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
    return overflow ? nil : Int64(clamping: bytes)
  }
}
