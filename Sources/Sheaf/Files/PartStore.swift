#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import SheafCore

/// The part file and the manifest of one download: opens, sizes, checkpoints, checks and publishes them.
///
/// Lives on the disk thread, for all of this may block. Only the transfers' writes and the digest's reads go to the
/// part file directly.
actor PartStore {
  nonisolated private let disk: SerialThread
  nonisolated private let publisher: Publisher
  nonisolated var unownedExecutor: UnownedSerialExecutor { disk.asUnownedSerialExecutor() }

  private let target: Target
  private let durability: Durability
  private let format = ManifestFormat(crc32: crc32(of:))

  private var directory: Directory?
  private var part: PartFile?
  private var manifest: ManifestFile?
  private var generation: UInt64 = 0
  /// A sync has failed. The kernel forgets that at once, so no later sync of this file can be believed.
  private var hasLostWrites = false
  /// The part file is the publisher's now.
  private var isPublishing = false
  /// What the manifest on disk will claim after the next checkpoint.
  private var claimed = Bitmap(count: 0)

  init(_ target: Target, durability: Durability, disk: SerialThread, publisher: Publisher) {
    self.target = target
    self.durability = durability
    self.disk = disk
    self.publisher = publisher
  }

  // MARK: - Opening

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

  /// Opens the target's directory, looks for a finished file, and opens and locks the part file.
  func open(continues: Bool, overwrites: Bool) throws(Failure) -> Opening {
    let directory = try Directory.shared(making: target.directory)
    self.directory = directory
    if let finished = try lookForFinished(in: directory, overwrites: overwrites) { return .finished(finished) }
    let (part, isNew) = try lockPart(in: directory)
    self.part = part
    // A new part file has nothing to continue from, whatever a manifest says.
    if isNew {
      let hadManifest = try removeManifest()
      return .fresh(part, note: hadManifest && continues ? "the part file of the manifest is missing" : nil)
    }
    var note: String?
    if continues {
      do {
        if let decoded = try readManifest(in: directory, part: part) {
          generation = decoded.generation
          claimed = decoded.manifest.blocks
          return .resumable(part, decoded.manifest)
        }
      } catch let problem {
        note = problem.reason
      }
    }
    try discard()
    return .fresh(part, note: note)
  }

  private func lookForFinished(in directory: Directory, overwrites: Bool) throws(Failure) -> FinishedFile? {
    let path = directory.path(of: target.name)
    do {
      guard let status = try directory.status(of: target.name) else { return nil }
      guard status.st_mode & S_IFMT != S_IFDIR else {
        throw Failure(.createFailed, "\(printable(path)) is a directory", suggestion: "use -d for a directory")
      }
      if overwrites { return nil }
      guard status.st_mode & S_IFMT == S_IFREG, let file = try directory.open(target.name, flags: O_RDONLY) else {
        return FinishedFile(record: nil, length: Int64(status.st_size))
      }
      return FinishedFile(record: CompletionRecord(of: file), length: Int64(status.st_size))
    } catch let failure as Failure {
      throw failure
    } catch let error as SystemError {
      throw Failure(error, .openFailed, "opening", path)
    } catch {
      throw Failure(.openFailed, "cannot open \(printable(path))")
    }
  }

  /// Opens the part file for this download alone, and says whether it was made for that.
  private func lockPart(in directory: Directory) throws(Failure) -> (PartFile, isNew: Bool) {
    let path = directory.path(of: target.partName)
    // Another process may publish, and so rename, the file between our opening and locking it: then look again.
    for _ in 0..<100 {
      do {
        if let descriptor = try directory.create(target.partName) {
          // Even so another may have found and locked it before us: then it is theirs.
          guard let status = try lock(descriptor, in: directory) else { continue }
          return (PartFile(path: path, descriptor: descriptor), status.st_size == 0)
        }
        guard let descriptor = try directory.open(target.partName, flags: O_RDWR) else { continue }
        let status = try descriptor.status()
        guard status.st_mode & S_IFMT == S_IFREG else {
          throw Failure(.openFailed, "\(printable(path)) is not a regular file", suggestion: "remove it")
        }
        guard status.st_nlink <= 1, status.st_uid == geteuid() else {
          throw Failure(.openFailed, "\(printable(path)) has other names or another owner", suggestion: "remove it")
        }
        guard try lock(descriptor, in: directory) != nil else { continue }
        return (PartFile(path: path, descriptor: descriptor), false)
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
  private func lock(_ descriptor: borrowing FileDescriptor, in directory: Directory) throws -> stat? {
    guard flock(descriptor.number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
      throw Failure(
        .inUse, "\(printable(directory.path(of: target.name))) is being downloaded already, here or by another process",
        suggestion: "wait for that, or choose another name")
    }
    let status = try descriptor.status()
    return try directory.leads(from: target.partName, to: status) ? status : nil
  }

  // MARK: - The manifest

  /// Why an earlier run's manifest is not used, as a sentence part.
  private struct Unusable: Error {
    let reason: String
  }

  /// Reads the manifest; nil if there is none. It is hostile input: any doubt means starting over.
  private func readManifest(in directory: Directory, part: PartFile) throws(Unusable) -> DecodedManifest? {
    do {
      guard let descriptor = try directory.open(target.manifestName, flags: O_RDWR) else { return nil }
      let status = try descriptor.status()
      guard status.st_mode & S_IFMT == S_IFREG else { throw Unusable(reason: "the manifest is not a regular file") }
      guard status.st_uid == geteuid(), status.st_nlink == 1, status.st_mode & 0o022 == 0 else {
        throw Unusable(reason: "the manifest has another owner, other names or may be written by others")
      }
      guard status.st_size <= ManifestLayout.maximumFileSize else {
        throw Unusable(reason: "the manifest is too large")
      }
      let bytes = try descriptor.read(first: Int(status.st_size))
      let decoded = try format.decode(bytes)
      let partStatus = try part.descriptor.status()
      guard Int64(partStatus.st_size) == decoded.manifest.total else {
        throw Unusable(reason: "the part file has another length than the manifest says")
      }
      manifest = ManifestFile(descriptor: descriptor)
      return decoded
    } catch let unusable as Unusable {
      throw unusable
    } catch let problem as ManifestProblem {
      throw Unusable(reason: "the manifest \(problem)")
    } catch let error as SystemError {
      throw Unusable(reason: "the manifest cannot be read (\(error.message))")
    } catch {
      throw Unusable(reason: "the manifest cannot be read")
    }
  }

  /// Gives the part file its final size and, if `new` is there, makes the manifest with all the space it will need.
  /// Returns why there is none after all, if so.
  func layOut(total: Int64?, manifest new: Manifest?) throws(Failure) -> String? {
    guard let directory, let part else { return nil }
    if let total {
      if let free = directory.freeBytes, free < total {
        throw Failure(
          .diskFull, "\(total) bytes are needed for \(printable(part.path)), and \(free) are free",
          suggestion: "free some space, or use -d for another disk")
      }
      do {
        try part.descriptor.resize(to: total)
      } catch {
        throw Failure(error, .fileIO, "sizing", part.path)
      }
    }
    guard let new else { return nil }
    let path = directory.path(of: target.manifestName)
    do {
      let bytes = try format.encode(new)
      // A new file under a new inode: whatever had the name before is not ours to write into.
      try directory.remove(target.manifestName)
      guard let descriptor = try directory.open(target.manifestName, flags: O_RDWR | O_CREAT | O_EXCL) else {
        throw Failure(.createFailed, "cannot create \(printable(path))")
      }
      // Written in full, zeros too, so that a full disk shows now and never at a checkpoint.
      try descriptor.write(bytes, at: 0)
      if durability != .off {
        try descriptor.sync()
        try directory.sync()
      }
      manifest = ManifestFile(descriptor: descriptor)
      generation = 1
      claimed = new.blocks
      return nil
    } catch let problem as ManifestProblem {
      return "the manifest \(problem): this download cannot be continued after an interruption"
    } catch let failure as Failure {
      throw failure
    } catch let error as SystemError {
      throw Failure(error, .createFailed, "creating", path)
    } catch {
      throw Failure(.createFailed, "cannot write \(printable(path))")
    }
  }

  /// Syncs the data, then notes `completions` in the manifest: a bit never vouches for bytes that a power cut could
  /// take back.
  func checkpoint(adding completions: [BlockLedger.Completion], withdrawing refuted: [Int]) throws(Failure) {
    guard let part, let manifest, !hasLostWrites, !isPublishing else { return }
    do {
      if durability != .off { try part.descriptor.syncData() }
    } catch {
      hasLostWrites = true
      throw Failure(error, .fileIO, "syncing", part.path)
    }
    for index in refuted { claimed[index] = false }
    for completion in completions { claimed[completion.index] = true }
    generation += 1
    let writes = format.checkpoint(
      bitmap: claimed, checksums: completions.map { (index: $0.index, crc: $0.checksum) }, generation: generation)
    do throws(SystemError) {
      for write in writes {
        try manifest.descriptor.write(write.bytes, at: write.offset)
      }
      if durability != .off { try manifest.descriptor.syncData() }
    } catch {
      throw Failure(error, .fileIO, "saving the manifest of", part.path)
    }
  }

  // MARK: - Checking

  /// Which of these blocks do not have the CRC-32 that the manifest says.
  func damaged(among indices: Range<Int>, of map: BlockMap, claims: Bitmap, checksums: [UInt32]) throws(Failure)
    -> [Int]
  {
    guard let part else { return [] }
    var damaged: [Int] = []
    for index in indices where claims[index] {
      if try checksum(of: index, in: map, part) != checksums[index] { damaged.append(index) }
    }
    return damaged
  }

  /// The CRC-32 of these blocks as they are in the part file.
  func checksums(of indices: [Int], in map: BlockMap) throws(Failure) -> [UInt32] {
    // Once it is being published nobody asks any more, and a read would keep the file locked for longer.
    guard let part, !isPublishing else { return [] }
    var checksums: [UInt32] = []
    for index in indices { checksums.append(try checksum(of: index, in: map, part)) }
    return checksums
  }

  private func checksum(of index: Int, in map: BlockMap, _ part: PartFile) throws(Failure) -> UInt32 {
    var checksum: UInt32 = 0
    try part.read(map.range(of: index)) { checksum = crc32(checksum, $0) }
    return checksum
  }

  /// Opens the finished file under the target's name for reading.
  func openFinished() throws(Failure) -> PartFile {
    let path = directory?.path(of: target.name) ?? target.name
    do throws(SystemError) {
      if let descriptor = try directory?.open(target.name, flags: O_RDONLY) {
        return PartFile(path: path, descriptor: descriptor)
      }
    } catch {
      throw Failure(error, .openFailed, "reading", path)
    }
    throw Failure(.openFailed, "\(printable(path)) has gone")
  }

  // MARK: - Ending

  /// Gives the complete part file its name and removes the manifest.
  func publish(_ identity: Identity, sourceHash: [UInt8], replacing: Bool) async throws(Failure) {
    guard let directory, let part else { return }
    guard !hasLostWrites else { throw Failure(.fileIO, "not all of \(printable(part.path)) could be written") }
    let publication = PartPublication(
      part: part, directory: directory, target: target, identity: identity, sourceHash: sourceHash,
      isReplacing: replacing, hasManifest: manifest != nil)
    // Others may have wishes while the publisher syncs.
    isPublishing = true
    defer { isPublishing = false }
    if durability == .full {
      try await publisher.publish(publication).get()
    } else {
      for result in Sheaf.publish([publication], isDurable: false) { try result.get() }
    }
    close()
  }

  /// Forgets the bytes and the manifest; the empty part file stays open and locked.
  func discard() throws(Failure) {
    guard let part else { return }
    manifest = nil
    generation = 0
    claimed = Bitmap(count: 0)
    // The manifest first: it must never speak of bytes that are gone.
    try removeManifest()
    do {
      try part.descriptor.resize(to: 0)
    } catch {
      throw Failure(error, .fileIO, "emptying", part.path)
    }
  }

  /// Says whether there was one.
  @discardableResult
  private func removeManifest() throws(Failure) -> Bool {
    guard let directory else { return false }
    do {
      return try directory.remove(target.manifestName)
    } catch {
      throw Failure(error, .fileIO, "removing", directory.path(of: target.manifestName))
    }
  }

  /// Ends the work on the part file, if it was ever ours. Without a manifest its bytes can never be used again: then
  /// it goes, unless `keepingPart` says that people may want to look at it.
  func abandon(keepingPart: Bool) {
    guard !isPublishing else { return }
    if let part, manifest == nil, !keepingPart, ownsName(part) { _ = try? directory?.remove(target.partName) }
    close()
  }

  /// Whether the part file's name still leads to the file that is open and locked here.
  private func ownsName(_ part: PartFile) -> Bool {
    guard let own = try? part.descriptor.status() else { return false }
    return (try? directory?.leads(from: target.partName, to: own)) == true
  }

  /// Removes the manifest and leaves the part file: the bytes are complete and wrong.
  func setAside() {
    manifest = nil
    if let directory { _ = try? directory.remove(target.manifestName) }
    close()
  }

  private func close() {
    manifest = nil
    part = nil
    directory = nil
  }
}

/// The manifest of one download, open.
private final class ManifestFile {
  let descriptor: FileDescriptor

  init(descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
}
