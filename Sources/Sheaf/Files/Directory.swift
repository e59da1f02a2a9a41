import CSystem
#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import SheafCore
import Synchronization

/// The directory of the target, held open from start to end so that nobody can swap it under us.
///
/// Downloads into the same directory share one, so that its names are synced once for all of them.
final class Directory: Sendable {
  let path: String
  private let descriptor: FileDescriptor

  /// Weak, and with the object's identity beside it, so that a directory that goes can tell whether the entry is its own.
  private final class Entry {
    weak var directory: Directory?
    let identity: ObjectIdentifier

    init(_ directory: Directory) {
      self.directory = directory
      identity = ObjectIdentifier(directory)
    }
  }

  private static let inUse = Mutex<[String: Entry]>([:])

  /// The directory at `path`, made with its parents if it is missing: the one that others hold open already if the path
  /// still leads there.
  static func shared(making path: String) throws(Failure) -> Directory {
    if let known = inUse.withLock({ $0[path]?.directory }), known.isAt(path) { return known }
    let new = try Directory(making: path)
    inUse.withLock { $0[path] = Entry(new) }
    return new
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

  /// Opens the directory at `path` and makes it, with its parents, if it is missing.
  private init(making path: String) throws(Failure) {
    self.path = path
    do {
      descriptor = try Self.open(path)
    } catch  where error.code == ENOENT {
      do {
        try Self.make(path)
        descriptor = try Self.open(path)
      } catch {
        throw Failure(error, .directoryFailed, "making the directory", path)
      }
    } catch {
      throw Failure(error, .directoryFailed, "opening the directory", path)
    }
  }

  private static func open(_ path: String) throws(SystemError) -> FileDescriptor {
    #if canImport(Glibc)
      let number = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    #else
      let number = Darwin.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    #endif
    guard number >= 0 else { throw SystemError("open") }
    return FileDescriptor(owning: number)
  }

  private static func make(_ path: String) throws(SystemError) {
    var made = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      made += part + "/"
      if mkdir(made, 0o777) != 0 && errno != EEXIST { throw SystemError("mkdir") }
    }
  }

  func path(of name: String) -> String {
    path == "." ? name : path.hasSuffix("/") ? path + name : "\(path)/\(name)"
  }

  /// Makes the file `name`, for this user alone; nil if the name is taken.
  func create(_ name: String) throws(SystemError) -> FileDescriptor? {
    do {
      return try open(name, flags: O_RDWR | O_CREAT | O_EXCL)
    } catch  where error.code == EEXIST {
      return nil
    }
  }

  /// Opens `name`, never through a symbolic link; nil if there is nothing of that name.
  func open(_ name: String, flags: Int32) throws(SystemError) -> FileDescriptor? {
    let number = openat(descriptor.number, name, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
    guard number >= 0 else {
      if errno == ENOENT { return nil }
      throw SystemError("open")
    }
    return FileDescriptor(owning: number)
  }

  /// What is under `name`, not following a symbolic link; nil if nothing is.
  func status(of name: String) throws(SystemError) -> stat? {
    var status = stat()
    guard fstatat(descriptor.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      if errno == ENOENT { return nil }
      throw SystemError("fstatat")
    }
    return status
  }

  /// Whether `name` is a name of the file whose status is given.
  func leads(from name: String, to file: stat) throws(SystemError) -> Bool {
    guard let named = try status(of: name) else { return false }
    return named.st_ino == file.st_ino && named.st_dev == file.st_dev
  }

  /// Gives the file `name` the name `newName`; with `replacing` an old file of that name is replaced in one step,
  /// else the call fails with `EEXIST`.
  func rename(_ name: String, to newName: String, replacing: Bool) throws(SystemError) {
    if replacing {
      guard renameat(descriptor.number, name, descriptor.number, newName) == 0 else { throw SystemError("rename") }
      return
    }
    if CSystem_renameExclusively(descriptor.number, name, newName) == 0 { return }
    guard errno == EINVAL || errno == ENOSYS || errno == ENOTSUP else { throw SystemError("rename") }
    // A file system without exclusive renaming: a hard link also fails if the name is taken.
    guard linkat(descriptor.number, name, descriptor.number, newName, 0) == 0 else { throw SystemError("link") }
    guard unlinkat(descriptor.number, name, 0) == 0 else { throw SystemError("unlink") }
  }

  /// Removes the file `name`; false if there was none.
  @discardableResult
  func remove(_ name: String) throws(SystemError) -> Bool {
    if unlinkat(descriptor.number, name, 0) == 0 { return true }
    guard errno == ENOENT else { throw SystemError("unlink") }
    return false
  }

  /// Waits until the names in the directory are on the disk. Some file systems cannot do this and say so.
  func sync() throws(SystemError) {
    do {
      try descriptor.sync()
    } catch  where error.code == EINVAL || error.code == ENOTSUP {
      return
    }
  }

  /// Bytes that an ordinary user may still write; nil if the file system does not say.
  var freeBytes: Int64? {
    var status = statvfs()
    guard fstatvfs(descriptor.number, &status) == 0 else { return nil }
    let (bytes, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
    return overflow ? nil : Int64(clamping: bytes)
  }
}
