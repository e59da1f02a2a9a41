package import SheafCore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A small file of the user's that carries something over to the next run, and that may be lost.
package struct StateFile: Sendable {
  private let path: String
  /// In bytes; nothing larger is read.
  private let largest: Int

  package init(_ path: String, largest: Int = 1 << 20) {
    self.path = path
    self.largest = largest
  }

  /// All its bytes; nil if there is no such file. Blocks as long as the disk takes.
  package func read() throws(Failure) -> [UInt8]? {
    do throws(SystemError) {
      // A pipe or a device would keep the caller waiting.
      let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard number >= 0 || errno != ENOENT else { return nil }
      guard number >= 0 else { throw SystemError("open") }
      let file = LocalFile(FileDescriptor(owning: number))
      let status = try file.status()
      if status.st_mode & S_IFMT == S_IFREG, status.st_size <= largest {
        return try file.read(first: Int(status.st_size))
      }
    } catch {
      throw Failure(error, .fileIO, "reading", path)
    }
    throw Failure(.fileIO, "\(printable(path)) is no regular file, or a large one")
  }

  /// Puts other bytes in its place in one step, with mode 0600; the directories on the way are made.
  /// - Parameter isDurable: the bytes are on the disk before they are under the name, so that a power cut leaves the old ones
  ///   or the new ones.
  package func replace(with bytes: [UInt8], isDurable: Bool = false) throws(Failure) {
    for (place, byte) in path.utf8.enumerated().dropFirst() where byte == UInt8(ascii: "/") {
      mkdir(String(decoding: path.utf8.prefix(place), as: UTF8.self), 0o700)
    }
    let new = "\(path).\(getpid())"
    do throws(SystemError) {
      // What an earlier process of this number left.
      unlink(new)
      let number = open(new, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
      guard number >= 0 else { throw SystemError("open") }
      do throws(SystemError) {
        let file = LocalFile(FileDescriptor(owning: number))
        var failure: SystemError?
        bytes.withUnsafeBytes { bytes in
          do throws(SystemError) { try file.write(bytes, at: 0) } catch { failure = error }
        }
        if let failure { throw failure }
        if isDurable { try file.syncData() }
        guard rename(new, path) == 0 else { throw SystemError("rename") }
      } catch {
        unlink(new)
        throw error
      }
    } catch {
      throw Failure(error, .fileIO, "writing", path)
    }
  }
}
