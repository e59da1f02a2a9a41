#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import SheafCore

/// What an earlier run or somebody else has left is looked at, and the part file is locked.
extension PartStore {
  enum Opening: Sendable {
    /// A file is under the target's name and must stay. Nothing was opened.
    case finished(FinishedFile)
    /// An empty part file, and why an earlier one was not used, if there was one.
    case fresh(PartFile, note: String?)
    /// A part file with what an earlier run left in it.
    case resumable(PartFile, Manifest)
  }

  /// A file under the target's name.
  struct FinishedFile: Sendable {
    /// What was noted about it when it was published, if that is still true.
    let record: CompletionRecord?
    let length: Int64
  }

  /// Opens as `open` does and calls `done` on the disk's thread; from any thread.
  nonisolated func open(
    continues: Bool, overwrites: Bool, done: @escaping @Sendable (Result<Opening, Failure>) -> Void
  ) {
    disk.post { [self] in
      done(
        assumeIsolated { store in
          Result { () throws(Failure) in try store.open(continues: continues, overwrites: overwrites) }
        })
    }
  }

  /// Opens the target's directory, looks for a finished file, and opens and locks the part file.
  func open(continues: Bool, overwrites: Bool) throws(Failure) -> Opening {
    let directory = try files.directory(making: target.directory, isDurable: isDurable)
    self.directory = directory
    if let finished = try lookForFinished(in: directory, overwrites: overwrites) { return .finished(finished) }
    // Before anything is made or emptied: what is refused stays as it is.
    let hasManifest = try lookForManifest(in: directory)
    let (part, isNew) = try lockPart(in: directory)
    // A new part file has nothing to continue from, whatever a manifest says.
    if isNew {
      self.part = part
      if hasManifest { try removeManifest() }
      return .fresh(part, note: hasManifest && continues ? "the part file of the manifest is missing" : nil)
    }
    var note: String?
    if continues {
      switch try openManifest(in: directory, of: part) {
      case .success(let (manifest, content)?):
        self.part = part
        self.manifest = manifest
        return .resumable(part, content)
      case .success(nil): break
      case .failure(let unusable): note = unusable.reason
      }
    }
    self.part = part
    try discard()
    return .fresh(part, note: note)
  }

  private func lookForFinished(in directory: any Directory, overwrites: Bool) throws(Failure) -> FinishedFile? {
    let path = directory.path(of: target.name)
    do {
      guard let status = try directory.status(of: target.name) else { return nil }
      switch status.st_mode & S_IFMT {
      case S_IFDIR:
        throw Failure(.createFailed, "\(printable(path)) is a directory", suggestion: "use -d for a directory")
      case S_IFREG:
        try removeSecondName(of: status, in: directory)
        if overwrites {
          replaceable = (modifiedAt: Self.modificationTime(status), length: Int64(status.st_size))
          return nil
        }
        guard let file = try directory.open(target.name, .reading) else { return nil }
        return FinishedFile(record: CompletionRecord(of: file), length: Int64(status.st_size))
      default:
        // Replacing it would take a link, a pipe or a device away from whoever uses it.
        guard overwrites else { return FinishedFile(record: nil, length: Int64(status.st_size)) }
        let kind = status.st_mode & S_IFMT == S_IFLNK ? "a symbolic link, which is not followed" : "not a regular file"
        throw Failure(
          .createFailed, "\(printable(path)) is \(kind)", suggestion: "remove it, or choose another name with -o")
      }
    } catch let failure as Failure {
      throw failure
    } catch let error as SystemError {
      throw Failure(error, .openFailed, "opening", path)
    } catch {
      throw Failure(.openFailed, "cannot open \(printable(path))")
    }
  }

  private static func modificationTime(_ status: stat) -> Int64 {
    #if canImport(Glibc)
      Int64(status.st_mtim.tv_sec)
    #else
      Int64(status.st_mtimespec.tv_sec)
    #endif
  }

  /// Where a file system needs two steps for renaming, a crash between them leaves the finished file under both names.
  private func removeSecondName(of finished: stat, in directory: any Directory) throws(SystemError) {
    guard finished.st_nlink > 1, try directory.leads(from: target.partName, to: finished) else { return }
    try directory.remove(target.partName)
  }

  func lookForManifest(in directory: any Directory) throws(Failure) -> Bool {
    let path = directory.path(of: target.manifestName)
    do {
      guard let status = try directory.status(of: target.manifestName) else { return false }
      try requireOurs(status, path)
      return true
    } catch let failure as Failure {
      throw failure
    } catch let error as SystemError {
      throw Failure(error, .openFailed, "opening", path)
    } catch {
      throw Failure(.openFailed, "cannot open \(printable(path))")
    }
  }

  /// Opens the part file for this download alone, and says whether it was made for that.
  func lockPart(in directory: any Directory) throws(Failure) -> (PartFile, isNew: Bool) {
    let path = directory.path(of: target.partName)
    // Another process may publish, and so rename, the file between our opening and locking it: then look again.
    for _ in 0..<100 {
      do {
        if let file = try directory.create(target.partName) {
          // Even so another may have found and locked it before us: then it is theirs.
          guard let status = try lock(file, in: directory) else { continue }
          return (PartFile(path: path, file: file), status.st_size == 0)
        }
        guard let file = try directory.open(target.partName, .writing) else { continue }
        try requireOurs(try file.status(), path)
        guard try lock(file, in: directory) != nil else { continue }
        return (PartFile(path: path, file: file), false)
      } catch let failure as Failure {
        throw failure
      } catch let error as SystemError {
        throw Failure(error, .createFailed, "creating", path)
      } catch {
        throw Failure(.createFailed, "cannot create \(printable(path))")
      }
    }
    throw Failure(.inUse, "\(printable(path)) keeps being replaced by another process")
  }

  /// Locks the part file and returns its status; nil if the name leads to another file by now.
  private func lock(_ file: any OpenFile, in directory: any Directory) throws -> stat? {
    guard file.lock() else {
      throw Failure(
        .inUse, "\(printable(directory.path(of: target.name))) is being downloaded already, here or by another process",
        suggestion: "wait for that, or choose another name")
    }
    let status = try file.status()
    return try directory.leads(from: target.partName, to: status) ? status : nil
  }

  /// Reads the manifest of an earlier run; nil if there is none. One that cannot be used means starting over, and one
  /// that may not be ours is a failure.
  private func openManifest(
    in directory: any Directory, of part: PartFile
  ) throws(Failure) -> Result<(ManifestFile, Manifest)?, ManifestFile.Unusable> {
    let path = directory.path(of: target.manifestName)
    do {
      let size = Int64(try part.file.status().st_size)
      return .success(
        try ManifestFile.open(in: directory, name: target.manifestName, partSize: size, isDurable: isDurable))
    } catch let unusable as ManifestFile.Unusable {
      return .failure(unusable)
    } catch let failure as Failure {
      throw failure
    } catch let error as SystemError {
      // It may hold hours of work: not to be thrown away because it cannot be read just now.
      throw Failure(error, .openFailed, "reading", path)
    } catch {
      throw Failure(.openFailed, "cannot read \(printable(path))")
    }
  }
}
