#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import SheafCore

/// What repairing a file asks of the disk besides what a download does.
extension PartStore {
  /// Opens and locks a file that is to be repaired.
  func openDamaged(_ damaged: Target) throws(Failure) -> DamagedFile {
    let file: any OpenFile
    let status: stat
    do throws(SystemError) {
      let directory = try files.directory(at: damaged.directory)
      guard let found = try directory.open(damaged.name, .reading) else { throw SystemError("open", code: ENOENT) }
      file = found
      status = try found.status()
    } catch  where error.code == ENOENT {
      throw Failure(
        .openFailed, "there is no file \(printable(damaged.path))",
        suggestion: "check the name; sheaf URL fetches all of it")
    } catch {
      throw Failure(error, .openFailed, "opening", damaged.path)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw Failure(.openFailed, "\(printable(damaged.path)) is not a regular file")
    }
    guard file.lock() else {
      throw Failure(
        .inUse, "\(printable(damaged.path)) is in use, here or by another process", suggestion: "wait for that")
    }
    return DamagedFile(
      target: damaged, file: PartFile(path: damaged.path, file: file), length: Int64(status.st_size),
      mode: status.st_mode & 0o777)
  }

  /// What lies beside that file. Called before `open`, which removes a manifest that belongs to no part file.
  func hint(beside damaged: Target) throws(Failure) -> RepairHint? {
    do throws(SystemError) {
      let directory = try files.directory(at: damaged.directory)
      for (manifest, part) in manifestNames(of: damaged) {
        let hasOther = part == damaged.name ? false : try directory.status(of: part) != nil
        if !hasOther, let hint = try manifestHint(manifest, in: directory) { return hint }
      }
      for (suffix, parse) in RepairHint.foreign {
        let name = damaged.name + suffix
        guard let file = try directory.open(name, .reading) else { continue }
        let status = try file.status()
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= ForeignProgress.largestFile,
          let progress = parse(try file.read(first: Int(status.st_size)))
        else { return .unusable(name: directory.path(of: name)) }
        return .foreign(progress, name: directory.path(of: name))
      }
      return nil
    } catch {
      throw Failure(error, .openFailed, "looking beside", damaged.path)
    }
  }

  /// Manifests that can be about this file, and the part files that they belong to otherwise.
  private func manifestNames(of damaged: Target) -> [(manifest: String, part: String)] {
    var names = [(damaged.manifestName, damaged.partName)]
    if damaged.name.hasSuffix(".part") { names.append((String(damaged.name.dropLast(5)) + ".sheaf", damaged.name)) }
    return names
  }

  private func manifestHint(_ name: String, in directory: any Directory) throws(SystemError) -> RepairHint? {
    guard let file = try directory.open(name, .reading) else { return nil }
    let path = directory.path(of: name)
    let status = try file.status()
    guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= ManifestLayout.maximumFileSize else { return nil }
    let bytes = try file.read(first: Int(status.st_size))
    guard let decoded = try? ManifestFormat(crc32: crc32(of:)).decode(bytes) else { return .unusable(name: path) }
    return .manifest(decoded.manifest, name: path, isOurs: (try? requireOurs(status, path)) != nil)
  }

  /// Puts these bytes of another file into their places in the part file.
  func copy(_ ranges: [ByteRange], from source: PartFile) throws(Failure) {
    guard let part else { return }
    do throws(SystemError) {
      for range in ranges { try part.file.copy(range, from: source.file) }
    } catch {
      throw Failure(error, .fileIO, "copying \(printable(source.path)) to", part.path)
    }
  }

  /// Waits until what was copied is on the disk, before a manifest vouches for it.
  func syncCopy() throws(Failure) {
    if isDurable { try part?.syncData() }
  }

  /// The finished file is to have these rights.
  func keep(mode: mode_t) { self.mode = mode }

  /// Ends the work and leaves nothing of it.
  func forget() {
    manifest = nil
    try? removeManifest()
    abandon(keepingPart: false)
  }
}
