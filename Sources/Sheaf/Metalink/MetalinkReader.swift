#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import SheafCore

/// Reads Metalink documents on this machine's disks. What it does blocks the thread that asks for it.
enum MetalinkReader {
  /// The bytes of a document; nobody has looked at them.
  /// - Throws: a failure for a file that cannot be read, is not a regular one, or is too large.
  static func read(_ path: String) throws(Failure) -> [UInt8] {
    let document = "the Metalink document '\(printable(path))'"
    let reason: String
    do throws(SystemError) {
      // A pipe or a device would keep the caller waiting.
      let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard number >= 0 else { throw SystemError("open") }
      let file = LocalFile(FileDescriptor(owning: number))
      let status = try file.status()
      if status.st_mode & S_IFMT == S_IFREG, status.st_size <= Metalink.Bounds.document {
        return try file.read(first: Int(status.st_size))
      }
      reason = status.st_mode & S_IFMT == S_IFREG ? "\(MetalinkProblem.tooLarge)" : "is not a regular file"
    } catch {
      throw Failure(.metalink, "\(document) cannot be read: \(error.message)")
    }
    throw Failure(.metalink, "\(document) \(reason)")
  }
}
