#if os(Linux)
  import Glibc

  /// A file system on a file, mounted on a directory of its own until the last reference goes. Needs root.
  ///
  /// Used by one thread at a time.
  package final class LoopDisk: Sendable {
    package enum Kind: String, CaseIterable, Sendable {
      case ext4Ordered = "ext4"
      case ext4Writeback = "ext4 data=writeback"
      case ext4Sync = "ext4 sync"
      case xfs
      case btrfs

      package var type: String {
        switch self {
        case .ext4Ordered, .ext4Writeback, .ext4Sync: "ext4"
        case .xfs: "xfs"
        case .btrfs: "btrfs"
        }
      }

      /// Without ext4's reserve for root, who would not notice a full disk.
      fileprivate var making: [String] { type == "ext4" ? ["-q", "-m", "0"] : ["-q"] }
      fileprivate var options: String { self == .ext4Writeback ? "data=writeback" : "" }
      fileprivate var flags: UInt { self == .ext4Sync ? UInt(MS_SYNCHRONOUS) : 0 }
    }

    /// What the machine lacks. Said aloud by whoever leaves something out because of it.
    package struct Unavailable: Error, CustomStringConvertible {
      package let description: String
    }

    package let kind: Kind
    /// Where it is mounted.
    package let path: String
    private let directory: TemporaryDirectory
    private let device: String

    /// A new, empty file system. xfs takes no less than 300 MiB; the image is sparse.
    /// - Throws: `Unavailable` where there are no loop devices, no such file system or no `mkfs` for it.
    package init(_ kind: Kind, megabytes: Int = 320) throws {
      self.kind = kind
      guard geteuid() == 0 else { throw Unavailable(description: "mounting needs root") }
      directory = try TemporaryDirectory(in: access("/dev/shm", W_OK) == 0 ? "/dev/shm" : nil)
      path = directory.file("mounted")
      let image = directory.file("image")
      try directory.write([], to: "image")
      guard truncate(image, off_t(megabytes) << 20) == 0, mkdir(path, 0o755) == 0 else {
        throw SystemCallFailure("making \(image)")
      }
      _ = try Self.run("mkfs.\(kind.type)", kind.making + [image])
      device = try Self.run("losetup", ["--find", "--show", image])
      do {
        try mount()
      } catch {
        _ = try? Self.run("losetup", ["--detach", device])
        throw Unavailable(description: "\(error)")
      }
    }

    deinit {
      unmount()
      _ = try? Self.run("losetup", ["--detach", device])
    }

    /// Ends the file system as a power cut would: what is not on the disk by now never gets there. What is still done
    /// with it fails.
    ///
    /// - Throws: `Unavailable` where the file system cannot do that.
    package func cutPower() throws {
      let root = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard root >= 0 else { throw SystemCallFailure("open \(path)") }
      defer { close(root) }
      // XFS_IOC_GOINGDOWN, which ext4 has too, without flushing the log.
      var withoutFlushing: UInt32 = 2
      guard ioctl(root, 0x8004_587D, &withoutFlushing) == 0 else {
        throw Unavailable(description: "\(kind.type) cannot be shut down here: \(SystemCallFailure("ioctl"))")
      }
    }

    /// Unmounts and mounts again, as the next start of the machine would: the journal is replayed.
    package func restart() throws {
      guard unmount() else { throw SystemCallFailure("umount \(path)") }
      try mount()
    }

    /// A process that is just being started still has what its parent had open: that is over in a moment.
    @discardableResult
    private func unmount() -> Bool {
      for _ in 0..<500 {
        if umount2(path, 0) == 0 { return true }
        guard errno == EBUSY else { return false }
        poll(nil, 0, 10)
      }
      return false
    }

    private func mount() throws(SystemCallFailure) {
      guard Glibc.mount(device, path, kind.type, kind.flags, kind.options) == 0 else {
        throw SystemCallFailure("mounting \(kind.rawValue)")
      }
    }

    private static func run(_ program: String, _ arguments: [String]) throws -> String {
      let process: ChildProcess
      do {
        process = try ChildProcess(program, arguments)
      } catch {
        throw Unavailable(description: "no \(program)")
      }
      guard process.wait().isSuccess else {
        throw Unavailable(description: "\(program): \(process.text(of: .errors).split(separator: "\n").first ?? "")")
      }
      return String(process.text(of: .output).split(separator: "\n").first ?? "")
    }
  }
#endif
