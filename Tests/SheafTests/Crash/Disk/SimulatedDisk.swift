import Synchronization

@testable import Sheaf

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A disk in memory that notes every step taken on it, as long as the machine runs; `Journal` has what a power cut makes
/// of them.
final class SimulatedDisk: FileSystem {
  struct State: Sendable {
    var image: DiskImage
    var record: [Effect] = []
    var moment = 1_000_000
    var locked: Set<Int> = []
    var syncs = 0
  }

  /// What this disk cannot do.
  struct Faults: Sendable {
    /// The sync of this number fails, counted from 1.
    var failingSync: Int?
    /// Else renaming without replacing takes a link and a removal.
    var renamesExclusively = true
  }

  let state: Mutex<State>
  let faults: Faults
  /// Called after each sync of data, when the disk is done with it and the caller does not know yet.
  let afterDataSync = Mutex<(@Sendable () -> Void)?>(nil)

  init(_ image: DiskImage = DiskImage(), faults: Faults = Faults()) {
    state = Mutex(State(image: image))
    self.faults = faults
  }

  var image: DiskImage { state.withLock { $0.image } }
  var record: [Effect] { state.withLock { $0.record } }
  var syncCount: Int { state.withLock { $0.syncs } }

  func note(_ milestone: Milestone) { state.withLock { $0.record.append(.noted(milestone)) } }

  func directory(at path: String) throws(SystemError) -> any Directory {
    let image = image
    guard let number = image.number(at: path) else { throw SystemError("open", code: ENOENT) }
    guard image.directories[number] != nil else { throw SystemError("open", code: ENOTDIR) }
    return SimulatedDirectory(path, number, on: self)
  }

  func makeDirectory(_ path: String) throws(SystemError) {
    let parts = path.split(separator: "/")
    let parent = parts.dropLast().joined(separator: "/")
    let error = state.withLock { state -> Int32? in
      guard let above = state.image.number(at: parent) else { return ENOENT }
      guard state.image.number(at: path) == nil else { return EEXIST }
      let number = state.image.nextNumber
      state.image.nextNumber += 1
      state.image.directories[number] = [:]
      state.record.append(.madeDirectory(number))
      state.name([String(parts[parts.count - 1]): number], in: above)
      return nil
    }
    if let error { throw SystemError("mkdir", code: error) }
  }

  /// Carries out a sync of a file or a directory, which may be one that fails.
  func sync(_ number: Int, _ effect: Effect) throws(SystemError) {
    let fails = state.withLock { state in
      state.syncs += 1
      let fails = state.syncs == faults.failingSync
      state.record.append(fails ? .failedToSync(number) : effect)
      return fails
    }
    if fails { throw SystemError("fsync", code: EIO) }
  }
}

extension SimulatedDisk.State {
  /// Changes names in a directory, in one step.
  mutating func name(_ names: [String: Int?], in directory: Int) {
    for (name, number) in names { image.directories[directory]?[name] = number }
    record.append(.named(in: directory, names))
  }
}
