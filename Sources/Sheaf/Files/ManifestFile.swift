#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import SheafCore

/// The manifest of one download, open: made in full once, after that updated by checkpoints.
final class ManifestFile {
  private static let format = ManifestFormat(crc32: crc32(of:))

  private let file: any OpenFile
  private let isDurable: Bool
  private var generation: UInt64
  /// What the file will claim after the next checkpoint.
  private var claimed: Bitmap
  /// How a checkpoint failed, if one has.
  private var failure: SystemError?

  private init(_ file: any OpenFile, isDurable: Bool, generation: UInt64, claimed: Bitmap) {
    self.file = file
    self.isDurable = isDurable
    self.generation = generation
    self.claimed = claimed
  }

  /// Why an earlier run's manifest is not used, as a sentence part.
  struct Unusable: Error {
    let reason: String
  }

  /// Makes the file `name`, with all the space it will ever need, and replaces what had the name before.
  /// - Parameter isDurable: waits for the disk, now and at each checkpoint.
  /// - Throws: `Unusable` if the manifest has no place in the format, or a `SystemError`; then there is none.
  static func make(
    _ manifest: Manifest, in directory: any Directory, name: String, isDurable: Bool
  ) throws -> ManifestFile {
    let bytes: [UInt8]
    do {
      bytes = try format.encode(manifest)
    } catch {
      throw Unusable(reason: "the manifest \(error)")
    }
    // A new file under a new inode: whatever had the name before is not ours to write into.
    try directory.remove(name)
    guard let file = try directory.create(name) else { throw SystemError("open", code: EEXIST) }
    do {
      // Written in full, zeros too, so that a full disk shows now and never at a checkpoint.
      try file.write(bytes, at: 0)
      if isDurable {
        try file.sync()
        try directory.sync()
      }
    } catch {
      _ = try? directory.remove(name)
      throw error
    }
    return ManifestFile(file, isDurable: isDurable, generation: 1, claimed: manifest.blocks)
  }

  /// Opens the file `name` and reads it; nil if there is none. It is hostile input: any doubt about what it says makes
  /// it unusable, and one about whose it is a failure.
  static func open(
    in directory: any Directory, name: String, partSize: Int64, isDurable: Bool
  ) throws -> (ManifestFile, Manifest)? {
    guard let file = try directory.open(name, .writing) else { return nil }
    let status = try file.status()
    try requireOurs(status, directory.path(of: name))
    guard status.st_size <= ManifestLayout.maximumFileSize else { throw Unusable(reason: "the manifest is too large") }
    let bytes = try file.read(first: Int(status.st_size))
    let decoded: DecodedManifest
    do {
      decoded = try format.decode(bytes)
    } catch {
      throw Unusable(reason: "the manifest \(error)")
    }
    let manifest = decoded.manifest
    guard partSize == manifest.total else {
      throw Unusable(reason: "the part file has another length than the manifest says")
    }
    let opened = ManifestFile(
      file, isDurable: isDurable, generation: decoded.generation, claimed: manifest.blocks)
    return (opened, manifest)
  }

  /// Notes which blocks have become complete and which turned out not to be. The data must have been synced.
  ///
  /// After a failure it is not known what the disk holds, and the slot that the next checkpoint would write to may be the
  /// only good one. So the first failure is the answer to all later checkpoints.
  func checkpoint(adding completions: [BlockLedger.Completion], withdrawing refuted: [Int]) throws(SystemError) {
    if let failure { throw failure }
    for index in refuted { claimed[index] = false }
    for completion in completions { claimed[completion.index] = true }
    generation += 1
    let writes = Self.format.checkpoint(
      bitmap: claimed, checksums: completions.map { (index: $0.index, crc: $0.checksum) }, generation: generation)
    do throws(SystemError) {
      for write in writes { try file.write(write.bytes, at: write.offset) }
      if isDurable { try file.syncData() }
    } catch {
      failure = error
      throw error
    }
  }
}
