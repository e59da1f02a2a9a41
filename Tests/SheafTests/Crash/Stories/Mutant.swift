import SheafCore

@testable import Sheaf

/// A mistake that a downloader could make with its files, played by a wrong view of the disk.
enum Mutant: String, CaseIterable, Sendable {
  case dropsDataSync = "does not sync the data before a checkpoint"
  case swapsOrder = "syncs the manifest first and the data after it"
  case skipsDirectorySync = "does not sync the directory"
  case ignoresFailedSync = "takes a failed sync for a good one"
  case setsBitEarly = "claims a block that is not there yet"
  case dropsManifestChecksum = "believes a damaged manifest"
  case appends = "appends what it should write in its place"

  func view(of disk: any FileSystem) -> any FileSystem { MutantFileSystem(base: disk, mutant: self) }
}

private struct MutantFileSystem: FileSystem {
  let base: any FileSystem
  let mutant: Mutant

  func directory(at path: String) throws(SystemError) -> any Directory {
    MutantDirectory(try base.directory(at: path), mutant)
  }

  func makeDirectory(_ path: String) throws(SystemError) { try base.makeDirectory(path) }
}
