#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import SheafCore

/// What Sheaf notes about a finished file, in an extended attribute, to know it again later: the validator it was
/// fetched under, its length and its time of modification. A file that was changed afterwards has another time or
/// length, and then the note counts for nothing. No URL is in it, only a hash: validators of different resources may be
/// equal by chance.
struct CompletionRecord: Equatable, Sendable {
  private static let attribute = "user.sheaf.identity"
  private static let version = "1"
  private static let longest = 4096

  let identity: Identity
  let sourceHash: [UInt8]
  private let modified: String

  /// The note for the file as it is now; nil if its identity is worth nothing.
  init?(_ identity: Identity, sourceHash: [UInt8], of status: stat) {
    guard identity.validator.strength == .strong, let total = identity.total, total == Int64(status.st_size) else {
      return nil
    }
    self.identity = identity
    self.sourceHash = sourceHash
    modified = Self.modificationTime(status)
  }

  /// The note on a file; nil if there is none, or if the file has changed since.
  init?(of file: any OpenFile) {
    guard let bytes = file.attribute(Self.attribute, longest: Self.longest), let status = try? file.status() else {
      return nil
    }
    let lines = String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard lines.count == 6, let hash = SheafCore.bytes(ofHexadecimal: lines[5]), lines[0] == Self.version,
      let total = Int64(lines[1]), total == Int64(status.st_size),
      lines[2] == Self.modificationTime(status)
    else { return nil }
    switch lines[3] {
    case "etag": identity = Identity(total: total, validator: .strongTag(lines[4]))
    case "last-modified": identity = Identity(total: total, validator: .strongDate(lines[4]))
    default: return nil
    }
    modified = lines[2]
    sourceHash = hash
  }

  /// Notes it on the file. A file system without extended attributes is no error: the file is only not known again.
  func attach(to file: any OpenFile) {
    let (kind, value) =
      switch identity.validator {
      case .strongTag(let tag): ("etag", tag)
      case .strongDate(let date): ("last-modified", date)
      case .weak, .none: ("none", "")
      }
    let text = [Self.version, String(identity.total ?? 0), modified, kind, value, hexadecimal(sourceHash)].joined(
      separator: "\n")
    let bytes = Array(text.utf8)
    guard bytes.count <= Self.longest else { return }
    file.setAttribute(Self.attribute, to: bytes)
  }

  private static func modificationTime(_ status: stat) -> String {
    #if canImport(Glibc)
      "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
    #else
      "\(status.st_mtimespec.tv_sec).\(status.st_mtimespec.tv_nsec)"
    #endif
  }
}
