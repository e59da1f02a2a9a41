#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import SheafCore

/// Reads Metalink documents on this machine's disks. What it does blocks the thread that asks for it.
package enum MetalinkReader {
  /// The bytes of a document; nobody has looked at them.
  /// - Throws: `DownloadError` for a file that cannot be read, is not a regular one, or is too large.
  package static func read(_ path: String) throws(DownloadError) -> [UInt8] {
    do throws(SystemError) {
      let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard number >= 0 else { throw SystemError("open") }
      let file = LocalFile(FileDescriptor(owning: number))
      let status = try file.status()
      if status.st_mode & S_IFMT == S_IFREG, status.st_size <= Metalink.Bounds.document {
        return try file.read(first: Int(status.st_size))
      }
    } catch {
      throw DownloadError(Failure(error, .openFailed, "opening", path))
    }
    throw DownloadError(Failure(.openFailed, "\(printable(path)) is not a Metalink document"))
  }
}
