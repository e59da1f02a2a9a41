import Synchronization

@testable import Sheaf

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Passes everything on but what its mutant gets wrong.
final class MutantDirectory: Directory {
  private let base: any Directory
  private let mutant: Mutant
  /// Syncs of data that wait for the manifest's.
  private let postponed = Mutex<[any OpenFile]>([])

  init(_ base: any Directory, _ mutant: Mutant) {
    self.base = base
    self.mutant = mutant
  }

  var path: String { base.path }
  var freeBytes: Int64? { base.freeBytes }

  func create(_ name: String) throws(SystemError) -> (any OpenFile)? { view(of: try base.create(name), name) }

  func open(_ name: String, _ access: FileAccess) throws(SystemError) -> (any OpenFile)? {
    view(of: try base.open(name, access), name)
  }

  private func view(of file: (any OpenFile)?, _ name: String) -> (any OpenFile)? {
    file.map { MutantFile($0, mutant, isManifest: name.hasSuffix(".sheaf"), in: self) }
  }

  func postpone(_ file: any OpenFile) { postponed.withLock { $0.append(file) } }

  func takePostponed() -> [any OpenFile] {
    postponed.withLock { files in
      defer { files = [] }
      return files
    }
  }

  func sync() throws(SystemError) {
    do {
      if mutant != .skipsDirectorySync { try base.sync() }
    } catch  where mutant == .ignoresFailedSync {
      return
    }
  }

  func status(of name: String) throws(SystemError) -> stat? { try base.status(of: name) }
  func rename(_ name: String, to newName: String) throws(SystemError) { try base.rename(name, to: newName) }
  func renameExclusively(_ name: String, to newName: String) throws(SystemError) {
    try base.renameExclusively(name, to: newName)
  }
  func link(_ name: String, to newName: String) throws(SystemError) { try base.link(name, to: newName) }
  func remove(_ name: String) throws(SystemError) -> Bool { try base.remove(name) }
}
