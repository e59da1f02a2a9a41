@testable import Sheaf

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A directory of a simulated disk.
final class SimulatedDirectory: Directory {
  let path: String
  private let number: Int
  private let disk: SimulatedDisk

  init(_ path: String, _ number: Int, on disk: SimulatedDisk) {
    self.path = path
    self.number = number
    self.disk = disk
  }

  func create(_ name: String) throws(SystemError) -> (any OpenFile)? {
    let made = disk.state.withLock { state -> Int? in
      guard state.image.directories[number]?[name] == nil else { return nil }
      let file = state.image.nextNumber
      state.image.nextNumber += 1
      state.image.files[file] = DiskImage.File(owner: geteuid())
      state.record.append(.madeFile(file, owner: geteuid()))
      state.name([name: file], in: number)
      return file
    }
    return made.map { SimulatedFile($0, on: disk) }
  }

  func open(_ name: String, _ access: FileAccess) throws(SystemError) -> (any OpenFile)? {
    disk.image.directories[number]?[name].map { SimulatedFile($0, on: disk) }
  }

  func status(of name: String) throws(SystemError) -> stat? {
    let image = disk.image
    guard let file = image.directories[number]?[name] else { return nil }
    guard image.directories[file] == nil else {
      var status = stat()
      status.st_mode = S_IFDIR | 0o700
      return status
    }
    return try SimulatedFile(file, on: disk).status()
  }

  func rename(_ name: String, to newName: String) throws(SystemError) {
    try change("rename") { names in
      guard let file = names[name] else { return .failure(ENOENT) }
      return .success([newName: file, name: nil])
    }
  }

  func renameExclusively(_ name: String, to newName: String) throws(SystemError) {
    guard disk.faults.renamesExclusively else { throw SystemError("rename", code: ENOTSUP) }
    try change("rename") { names in
      guard let file = names[name] else { return .failure(ENOENT) }
      guard names[newName] == nil else { return .failure(EEXIST) }
      return .success([newName: file, name: nil])
    }
  }

  func link(_ name: String, to newName: String) throws(SystemError) {
    try change("link") { names in
      guard let file = names[name] else { return .failure(ENOENT) }
      guard names[newName] == nil else { return .failure(EEXIST) }
      return .success([newName: file])
    }
  }

  func remove(_ name: String) throws(SystemError) -> Bool {
    do {
      try change("unlink") { names in names[name] == nil ? .failure(ENOENT) : .success([name: nil]) }
      return true
    } catch  where error.code == ENOENT {
      return false
    }
  }

  private enum Change {
    case failure(Int32)
    case success([String: Int?])
  }

  private func change(_ call: String, _ work: ([String: Int]) -> Change) throws(SystemError) {
    let error = disk.state.withLock { state -> Int32? in
      switch work(state.image.directories[number] ?? [:]) {
      case .failure(let error): return error
      case .success(let names):
        state.name(names, in: number)
        return nil
      }
    }
    if let error { throw SystemError(call, code: error) }
  }

  func sync() throws(SystemError) { try disk.sync(number, .synced(number)) }

  var freeBytes: Int64? { nil }
}
