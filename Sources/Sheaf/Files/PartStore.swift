#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import SheafCore
import Synchronization

/// The part file and the manifest of one download: opens, sizes, checkpoints, checks and publishes them.
///
/// Lives on the disk thread, for all of this may block. Only the transfers' writes and the digest's reads go to the
/// part file directly.
actor PartStore {
  nonisolated let disk: SerialThread
  nonisolated private let publisher: Publisher
  nonisolated var unownedExecutor: UnownedSerialExecutor { disk.asUnownedSerialExecutor() }

  let target: Target
  let durability: Durability
  let files: any FileSystem

  var manifest: ManifestFile?
  /// The file that the download is to replace, as it was when the target was opened.
  var replaceable: (modifiedAt: Int64, length: Int64)?
  /// What a publication takes, which may be from another thread.
  private let held = Mutex(Held())
  /// How sizing or saving failed, if it has. The download ends with it, so the file must not get its name any more,
  /// not even by an order that was given before anybody knew.
  private var failure: Failure?

  private struct Held {
    var directory: (any Directory)?
    var part: PartFile?
    /// The rights that the finished file is to have, if not the usual ones.
    var mode: mode_t?
    /// The part file is the publisher's now.
    var isPublishing = false
  }

  var directory: (any Directory)? {
    get { held.withLock { $0.directory } }
    set { held.withLock { $0.directory = newValue } }
  }

  var part: PartFile? {
    get { held.withLock { $0.part } }
    set { held.withLock { $0.part = newValue } }
  }

  var mode: mode_t? {
    get { held.withLock { $0.mode } }
    set { held.withLock { $0.mode = newValue } }
  }

  private var isPublishing: Bool { held.withLock { $0.isPublishing } }

  init(
    _ target: Target, durability: Durability, files: any FileSystem = LocalFileSystem(), disk: SerialThread,
    publisher: Publisher
  ) {
    self.target = target
    self.durability = durability
    self.files = files
    self.disk = disk
    self.publisher = publisher
  }

  /// Whether what the manifest says waits for the disk.
  var isDurable: Bool { durability != .off }

  /// Works with a part file that is in no directory.
  func adopt(_ part: PartFile) { self.part = part }

  // MARK: - Saving

  /// Makes the manifest, if `new` is there, with all the space it will need, and gives the part file its final size.
  /// Returns why there is no manifest after all, if so.
  /// - Parameter reserves: takes the space on the disk as well, where the file system can.
  func layOut(total: Int64?, manifest new: Manifest?, reserves: Bool = false) throws(Failure) -> String? {
    try remembering { () throws(Failure) in try makeRoom(total: total, manifest: new, reserves: reserves) }
  }

  private func makeRoom(total: Int64?, manifest new: Manifest?, reserves: Bool) throws(Failure) -> String? {
    guard let directory, let part else { return nil }
    // The first answer's bytes may be there already.
    if let total, let free = directory.freeBytes, free < total - part.allocatedBytes {
      throw Failure(
        .diskFull, "\(total) bytes are needed for \(printable(part.path)), and \(free) are free",
        suggestion: "free some space, or use -d for another disk")
    }
    // The size last: an older manifest that a power cut brings back must not find a part file that fits.
    var note: String?
    if let new { note = try makeManifest(new, in: directory) }
    guard let total else { return note }
    do {
      try part.resize(to: total)
      if reserves, try !part.reserve(total) { note = note ?? "this file system cannot reserve space" }
    } catch {
      manifest = nil
      try? removeManifest()
      throw error
    }
    return note
  }

  private func makeManifest(_ new: Manifest, in directory: any Directory) throws(Failure) -> String? {
    let path = directory.path(of: target.manifestName)
    do {
      manifest = try ManifestFile.make(new, in: directory, name: target.manifestName, isDurable: isDurable)
      return nil
    } catch let unusable as ManifestFile.Unusable {
      return "\(unusable.reason): this download cannot be continued after an interruption"
    } catch let error as SystemError {
      throw Failure(error, .createFailed, "creating", path)
    } catch {
      throw Failure(.createFailed, "cannot write \(printable(path))")
    }
  }

  /// Syncs the data, then notes `completions` in the manifest: a bit never vouches for bytes that a power cut could
  /// take back.
  func checkpoint(adding completions: [BlockLedger.Completion], withdrawing refuted: [Int]) throws(Failure) {
    guard let part, let manifest, !isPublishing else { return }
    try remembering { () throws(Failure) in
      if isDurable { try part.syncData() }
      do throws(SystemError) {
        try manifest.checkpoint(adding: completions, withdrawing: refuted)
      } catch {
        throw Failure(error, .fileIO, "saving the manifest of", part.path)
      }
    }
  }

  private func remembering<Result>(_ work: () throws(Failure) -> Result) throws(Failure) -> Result {
    do throws(Failure) {
      return try work()
    } catch {
      failure = error
      throw error
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
      if try checksum(of: map.range(of: index), part) != checksums[index] { damaged.append(index) }
    }
    return damaged
  }

  /// The CRC-32 of these bytes as they are in the part file; none once it is being published.
  func checksums(of ranges: [ByteRange]) throws(Failure) -> [UInt32] {
    // Then nobody asks any more, and a read would keep the file locked for longer.
    guard let part, !isPublishing else { return [] }
    var checksums: [UInt32] = []
    for range in ranges { checksums.append(try checksum(of: range, part)) }
    return checksums
  }

  private func checksum(of range: ByteRange, _ part: PartFile) throws(Failure) -> UInt32 {
    var checksum: UInt32 = 0
    try part.read(range) { checksum = crc32(checksum, $0) }
    return checksum
  }

  /// Opens the finished file under the target's name for reading.
  func openFinished() throws(Failure) -> PartFile {
    let path = directory?.path(of: target.name) ?? target.name
    do throws(SystemError) {
      if let file = try directory?.open(target.name, .reading) {
        return PartFile(path: path, file: file)
      }
    } catch {
      throw Failure(error, .openFailed, "reading", path)
    }
    throw Failure(.openFailed, "\(printable(path)) has gone")
  }

  // MARK: - Ending
  /// Gives the complete part file its name and removes the manifest.
  func publish(_ identity: Identity, sourceHash: [UInt8], modifiedAt: Int64? = nil, replacing: Bool)
    async throws(Failure)
  {
    if let failure { throw failure }
    let publication = takePublication(
      identity, sourceHash: sourceHash, modifiedAt: modifiedAt, replacing: replacing, hasManifest: manifest != nil)
    guard let publication else { return }
    defer { endPublication() }
    if let failure = publication.part.failure { throw failure }
    if durability == .full {
      try await publisher.publish(publication).get()
    } else {
      for result in Sheaf.publish([publication], isDurable: false) { try result.get() }
    }
    close()
  }

  /// Publishes a part file that nothing was ordered for since it was opened, without a visit to the disk's thread unless
  /// nothing is to be synced; from any thread. `done` is called on whatever thread has done it.
  nonisolated func publishUntouched(
    _ identity: Identity, sourceHash: [UInt8], modifiedAt: Int64? = nil, replacing: Bool,
    done: @escaping @Sendable (Result<Void, Failure>) -> Void
  ) {
    let publication = takePublication(
      identity, sourceHash: sourceHash, modifiedAt: modifiedAt, replacing: replacing, hasManifest: false)
    guard let publication else { return done(.success(())) }
    let ended: @Sendable (Result<Void, Failure>) -> Void = { [self] result in
      held.withLock { held in
        if case .success = result { (held.part, held.directory) = (nil, nil) }
        held.isPublishing = false
      }
      done(result)
    }
    if durability == .full {
      publisher.publish(publication, done: ended)
    } else {
      disk.post { ended(Sheaf.publish([publication], isDurable: false)[0]) }
    }
  }

  /// Others may have wishes while the publisher syncs: from here on they find that the file is not theirs any more.
  nonisolated private func takePublication(
    _ identity: Identity, sourceHash: [UInt8], modifiedAt: Int64?, replacing: Bool, hasManifest: Bool
  ) -> PartPublication? {
    held.withLock { held in
      guard let directory = held.directory, let part = held.part else { return nil }
      held.isPublishing = true
      return PartPublication(
        part: part, directory: directory, target: target, identity: identity, sourceHash: sourceHash,
        isReplacing: replacing, hasManifest: hasManifest, mode: held.mode, modifiedAt: modifiedAt)
    }
  }

  nonisolated private func endPublication() { held.withLock { $0.isPublishing = false } }

  /// Forgets the bytes and the manifest; the empty part file stays open and locked.
  func discard() throws(Failure) {
    guard let part else { return }
    manifest = nil
    // The manifest first: it must never speak of bytes that are gone.
    try removeManifest()
    try part.resize(to: 0)
  }

  /// Removes the manifest, if there is one, before the part file that it speaks of changes.
  func removeManifest() throws(Failure) {
    guard let directory else { return }
    do {
      // Without the sync a power cut could bring it back beside new bytes.
      if try directory.remove(target.manifestName), isDurable { try directory.sync() }
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
    guard let own = try? part.file.status() else { return false }
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
