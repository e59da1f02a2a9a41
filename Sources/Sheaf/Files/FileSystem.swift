#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import SheafCore

/// What a download asks of the disk: the one place through which it touches files.
///
/// `LocalFileSystem` is the real one. The crash tests put a simulated disk in its place, which notes every call and then
/// shows the download each state in which a power cut could have left the disk. So each method is one step of the
/// system's, and what is made of several steps is an extension.
protocol FileSystem: Sendable {
  /// Opens the directory at `path`.
  func directory(at path: String) throws(SystemError) -> any Directory
  /// Makes one directory; fails with `EEXIST` if the name is taken.
  func makeDirectory(_ path: String) throws(SystemError)
}

extension FileSystem {
  /// The directory at `path`, made with its parents if it is missing.
  /// - Parameter isDurable: waits until the names of new directories are on the disk.
  func directory(making path: String, isDurable: Bool) throws(Failure) -> any Directory {
    do {
      return try directory(at: path)
    } catch  where error.code == ENOENT {
      do {
        try make(path, isDurable: isDurable)
        return try directory(at: path)
      } catch {
        throw Failure(error, .directoryFailed, "making the directory", path)
      }
    } catch {
      throw Failure(error, .directoryFailed, "opening the directory", path)
    }
  }

  private func make(_ path: String, isDurable: Bool) throws(SystemError) {
    var made = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      let parent = made.isEmpty ? "." : made
      made += part + "/"
      do {
        try makeDirectory(made)
      } catch  where error.code == EEXIST {
        continue
      }
      // A power cut could take the name back and everything below it. One that may only be written, not read, cannot be
      // synced.
      if isDurable { try (try? directory(at: parent))?.sync() }
    }
  }
}
