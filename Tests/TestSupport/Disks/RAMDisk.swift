#if os(Linux)
  import Glibc

  /// A tmpfs of a given size, mounted on a directory of its own until the last reference goes. Needs root.
  package final class RAMDisk: Sendable {
    package let directory: TemporaryDirectory

    package convenience init(megabytes: Int) throws { try self.init(bytes: Int64(megabytes) << 20) }

    /// `bytes` counts in pages; one page or less is one page.
    package init(bytes: Int64) throws {
      directory = try TemporaryDirectory()
      // To tmpfs, no size at all means no limit.
      try call("size=\(max(bytes, 1))")
    }

    package func resize(megabytes: Int) throws { try call("size=\(megabytes)m", MS_REMOUNT) }
    package func forbidWriting() throws { try call("", MS_REMOUNT, MS_RDONLY) }

    /// Takes so much of the space, or as much as there is.
    package func occupy(megabytes: Int) {
      let filler = open(directory.file("filler"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
      guard filler >= 0 else { return }
      defer { close(filler) }
      let piece = [UInt8](repeating: 0xA5, count: 1 << 20)
      for _ in 0..<megabytes where write(filler, piece, piece.count) != piece.count { break }
    }

    /// Gives it back.
    package func vacate() { unlink(directory.file("filler")) }

    /// The system call and not the command: that one looks its target up in a table that changes while others mount.
    private func call(_ options: String, _ flags: Int...) throws {
      let all = UInt(flags.reduce(0, |))
      guard mount("tmpfs", directory.path, "tmpfs", all, options) == 0 else {
        throw SystemCallFailure("mount \(options)")
      }
    }

    deinit { umount2(directory.path, CInt(MNT_DETACH)) }
  }
#endif
