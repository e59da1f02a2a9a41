#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import SheafCore

/// The directory of the target, held open from start to end so that nobody can swap it under us. Names are names in it,
/// and a symbolic link under one is never followed.
protocol Directory: AnyObject, Sendable {
  var path: String { get }
  /// Makes the file `name`, for this user alone; nil if the name is taken.
  func create(_ name: String) throws(SystemError) -> (any OpenFile)?
  /// Opens the file `name`; nil if there is nothing of that name.
  func open(_ name: String, _ access: FileAccess) throws(SystemError) -> (any OpenFile)?
  /// What is under `name`; nil if nothing is.
  func status(of name: String) throws(SystemError) -> stat?
  /// Gives the file `name` the name `newName`, in one step, and replaces what had it.
  func rename(_ name: String, to newName: String) throws(SystemError)
  /// The same, but fails with `EEXIST` if `newName` is taken, and with `ENOTSUP` where the file system cannot do that.
  func renameExclusively(_ name: String, to newName: String) throws(SystemError)
  /// Gives the file `name` a second name; fails with `EEXIST` if that is taken.
  func link(_ name: String, to newName: String) throws(SystemError)
  /// Removes the file `name`; false if there was none.
  @discardableResult
  func remove(_ name: String) throws(SystemError) -> Bool
  /// Waits until the names in the directory are on the disk. Some file systems cannot do this, say so, and are taken at
  /// their word.
  func sync() throws(SystemError)
  /// Bytes that an ordinary user may still write; nil if the file system does not say.
  var freeBytes: Int64? { get }
}

/// What a file is opened for.
enum FileAccess {
  case reading
  case writing
}

extension Directory {
  func path(of name: String) -> String {
    path == "." ? name : path.hasSuffix("/") ? path + name : "\(path)/\(name)"
  }

  /// Whether `name` is a name of the file whose status is given.
  func leads(from name: String, to file: stat) throws(SystemError) -> Bool {
    guard let named = try status(of: name) else { return false }
    return named.st_ino == file.st_ino && named.st_dev == file.st_dev
  }

  /// Gives the file `name` the name `newName`; with `replacing` an old file of that name is replaced in one step,
  /// else the call fails with `EEXIST`.
  func rename(_ name: String, to newName: String, replacing: Bool) throws(SystemError) {
    if replacing { return try rename(name, to: newName) }
    do {
      try renameExclusively(name, to: newName)
    } catch  where error.code == ENOTSUP {
      // A hard link also fails if the name is taken. The old name stays until the new one is on the disk: after a power
      // cut there may be both, but never neither.
      try link(name, to: newName)
      try sync()
      try remove(name)
    }
  }
}
