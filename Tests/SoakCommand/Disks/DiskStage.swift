#if os(Linux)
  import Glibc
  import Simulation
  import TestSupport

  /// An empty directory on a disk, and an origin: where one story is played. Used by one thread.
  final class DiskStage {
    let disk: LoopDisk
    let origin: Origin
    let work: String
    let entity: Entity
    var dice: Dice

    init(_ disk: LoopDisk, seed: UInt64) throws {
      self.disk = disk
      dice = Dice(seed: Int(seed))
      entity = Entity(seed: seed &+ 900, size: (20 << 20) + Int64(seed % 1000) * 4097)
      origin = try Origin()
      work = "\(disk.path)/work"
      try empty()
      origin.serve(entity)
    }

    /// Removes what an earlier story left. The directory stays after a power cut.
    func empty() throws {
      for name in TemporaryDirectory.names(in: work) { unlink("\(work)/\(name)") }
      guard mkdir(work, 0o755) == 0 || errno == EEXIST else { throw SystemCallFailure("mkdir \(work)") }
      let root = open(disk.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard root >= 0 else { throw SystemCallFailure("open \(disk.path)") }
      defer { close(root) }
      guard fsync(root) == 0 else { throw SystemCallFailure("fsync \(disk.path)") }
    }

    /// About as many bytes a second over all four connections.
    func serve(bytesPerSecond: Int64) { origin.serve(entity, behaviour: .correct.rate(bytesPerSecond / 4)) }

    func start(_ options: [String] = []) throws -> ChildProcess {
      try Client(
        arguments: ["-q", "-x4", "--auto-save-interval=0.05", "-o", "\(work)/file.bin"] + options + [origin.url],
        directory: "/"
      ).start()
    }

    func run(_ options: [String] = []) throws -> Ending { Ending(of: try start(options), in: work) }

    /// Runs it to the right file, or says what went wrong.
    func complete(_ options: [String] = []) throws -> [String] {
      let ending = try run(options)
      return ending.complaints(versions: [entity])
        + (ending.succeeded ? [] : ["\(String(describing: ending.status)): \(ending.errors.suffix(300))"])
    }

    /// Blocks until so many bytes have been sent in all, or the process ends.
    func wait(_ process: ChildProcess, until bytes: Int64) {
      origin.wait { $0.bytesSent >= bytes || process.hasEnded(within: 0) }
    }

    /// Fills the disk until no more than `bytes` are left.
    func fill(leaving bytes: Int64) throws {
      let file = open("\(disk.path)/filler", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
      guard file >= 0 else { throw SystemCallFailure("open filler") }
      defer { close(file) }
      // Most of it at once, for a slow disk; not all file systems can.
      var free = statvfs()
      if fstatvfs(file, &free) == 0 {
        let most = Int64(free.f_bavail) * Int64(free.f_frsize) - max(bytes, 16 << 20)
        if most > 0 { _ = posix_fallocate(file, 0, off_t(most)) }
      }
      let piece = [UInt8](repeating: 0xA5, count: 1 << 20)
      var status = statvfs()
      while fstatvfs(file, &status) == 0 {
        let free = Int64(status.f_bavail) * Int64(status.f_frsize) - bytes
        // To the last byte it is the system's refusal that counts, not its estimate.
        let count = bytes == 0 ? piece.count : Int(min(Int64(piece.count), free))
        guard count > 0, write(file, piece, count) > 0 else { break }
        // btrfs only knows what is free once it has written.
        if free < 16 << 20 { fdatasync(file) }
      }
    }

    func unfill() {
      unlink("\(disk.path)/filler")
      sync()
    }
  }
#endif
