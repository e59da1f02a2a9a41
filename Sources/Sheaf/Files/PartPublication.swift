#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import SheafCore

/// The publication of one part file.
struct PartPublication: Publication {
  let part: PartFile
  let directory: any Directory
  let target: Target
  let identity: Identity
  let sourceHash: [UInt8]
  /// An existing file of the target's name is replaced.
  let isReplacing: Bool
  let hasManifest: Bool
  /// Nil for the usual one.
  var mode: mode_t?
  /// When the server says that the file was changed, in seconds since 1970; nil leaves it at what it is.
  var modifiedAt: Int64?

  /// The user's mask, read once: the system only tells it by setting it.
  private static let creationMask: mode_t = {
    let mask = umask(0o077)
    umask(mask)
    return mask
  }()

  func prepare() throws(Failure) {
    do {
      let status = try part.file.status()
      guard try directory.leads(from: target.partName, to: status), status.st_nlink == 1 else {
        throw Failure(.renameFailed, "\(printable(part.path)) was replaced while it was in use")
      }
      if let total = identity.total, Int64(status.st_size) != total {
        // Without a length from the server the file was only ever as long as what arrived; else somebody cut it.
        throw Failure(.fileIO, "\(printable(part.path)) has \(status.st_size) bytes instead of \(total)")
      }
      try part.file.setMode(mode ?? 0o666 & ~Self.creationMask)
      if let modifiedAt { try part.file.setModificationTime(modifiedAt) }
      let finished = modifiedAt == nil ? status : try part.file.status()
      CompletionRecord(identity, sourceHash: sourceHash, of: finished)?.attach(to: part.file)
    } catch let failure as Failure {
      throw failure
    } catch let error as SystemError {
      throw Failure(error, .fileIO, "finishing", part.path)
    } catch {
      throw Failure(.fileIO, "cannot finish \(printable(part.path))")
    }
  }

  func startWriteback() { part.file.startWriteback() }

  func sync() throws(Failure) { try part.sync() }

  func rename() throws(Failure) {
    let path = directory.path(of: target.name)
    do {
      try directory.rename(target.partName, to: target.name, replacing: isReplacing)
    } catch  where error.code == EEXIST {
      throw Failure(
        .exists, "\(printable(path)) appeared meanwhile; the download is complete in \(printable(part.path))",
        suggestion: "move one of them away")
    } catch {
      throw Failure(error, .renameFailed, "renaming to", path)
    }
  }

  var place: ObjectIdentifier { ObjectIdentifier(directory) }

  func syncPlace() throws(Failure) {
    do {
      try directory.sync()
    } catch {
      throw Failure(error, .fileIO, "syncing the directory of", directory.path(of: target.name))
    }
  }

  func tidyUp() {
    if hasManifest { _ = try? directory.remove(target.manifestName) }
  }
}
