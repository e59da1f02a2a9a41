import Simulation
import TestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A tebibyte over 16 connections, killed again and again and continued to the end.
///
/// The plan, the manifest and the checkpoints are those of a tebibyte; what is thinned is the content. Half of the kills
/// hit a download that has hardly begun. Then its manifest is made to claim the blocks that are holes, as if they had
/// been fetched, and the other half hit one that is nearly complete and checks a tebibyte of claims each time.
struct BigRun {
  let options: SoakOptions

  #if os(Linux)
    func play() async throws -> Tally {
      guard geteuid() == 0 else { return Tally(remarks: ["skipped: mounting needs root"]) }
      var tally = Tally()
      // tmpfs promises more than there is memory, as sparse files need it.
      let disk = try RAMDisk(bytes: 2 << 40)
      var download = try HollowDownload(disk, seed: options.seed)
      let kills = options.cycles(quick: 4, full: 50)
      for kill in 0..<kills {
        if kill == kills / 2 {
          try download.manifest.claimHollowBlocks()
          tally.remarks.append("\(kills / 2) kills from the start on: \(download.summary)")
        }
        let goal: ClosedRange<Int64> = kill < kills / 2 ? (64 << 20)...(384 << 20) : (8 << 20)...(64 << 20)
        let complaints = try await download.interrupt(after: goal)
        for complaint in complaints { say("FAIL big \(kill + 1): \(complaint)\n") }
        tally.add(complaints)
      }
      let start = monotonicSeconds()
      let complaints = try await download.complete()
      for complaint in complaints { say("FAIL big, in the end: \(complaint)\n") }
      tally.add(complaints)
      tally.remarks.append("all \(kills) kills: \(download.summary)")
      tally.remarks.append("the last run checked and completed it in \(Int(monotonicSeconds() - start)) s")
      return tally
    }
  #else
    func play() async throws -> Tally { Tally(remarks: ["skipped: no tmpfs"]) }
  #endif
}

#if os(Linux)
  /// The download of a hollow entity and what is known of it.
  private struct HollowDownload {
    let manifest: HollowManifest
    private let entity: HollowEntity
    private let origin: Origin
    private let client: Client
    private let directory: String
    private var dice: Dice
    private var claimed: [Range<Int>] = []
    private var (peakMemory, manifestSize, bytesSent) = (Int64(0), 0, Int64(0))

    init(_ disk: RAMDisk, seed: UInt64) throws {
      dice = Dice(seed: Int(truncatingIfNeeded: seed))
      entity = HollowEntity(seed: seed)
      origin = try Origin(entity: entity.entity, behaviour: entity.behaviour)
      directory = disk.directory.path
      manifest = HollowManifest(path: disk.directory.file("file.bin.sheaf"))
      client = Client(arguments: ["-q", "-x16", "--auto-save-interval=0.05", origin.url], directory: directory)
    }

    var summary: String {
      let count = claimed.reduce(0) { $0 + $1.count }
      return "\(count) of \(HollowEntity.blocks) blocks claimed, \(bytesSent >> 20) MiB sent, manifest of "
        + "\(manifestSize) bytes, at most \(peakMemory >> 10) KiB resident"
    }

    /// Kills a run after so many bytes, and looks at what it left.
    mutating func interrupt(after goals: ClosedRange<Int64>) async throws -> [String] {
      let goal = dice.bytes(goals)
      origin.clearLog()
      let process = try client.start()
      let isReached = await origin.reached(seconds: 60) { $0.bytesSent >= goal || process.hasEnded(within: 0) }
      let hasEnded = process.hasEnded(within: 0)
      measure(process)
      process.kill(SIGKILL)
      _ = await process.result()
      bytesSent += origin.log.bytesSent
      var complaints: [String] = []
      if hasEnded || !isReached { complaints.append("not in the middle of it: \(process.text(of: .errors))") }
      let (decoded, size) = try manifest.read()
      manifestSize = size
      if size > 1 << 20 { complaints.append("a manifest of \(size) bytes") }
      let blocks = decoded.manifest.blocks
      let lost = claimed.filter { range in !range.allSatisfy { blocks[$0] } }
      if !lost.isEmpty { complaints.append("no longer claims \(lost.prefix(3))") }
      claimed = blocks.ranges(where: true)
      let part = HollowFile(path: "\(directory)/file.bin.part", entity: entity)
      if let difference = try part.difference(in: blocks, releasing: true) {
        complaints.append("claimed \(difference)")
      }
      return complaints
    }

    mutating func complete() async throws -> [String] {
      origin.clearLog()
      let process = try client.start()
      let deadline = monotonicSeconds() + 1800
      while await !offThePool({ process.hasEnded(within: 0.2) }), monotonicSeconds() < deadline { measure(process) }
      process.kill(SIGKILL)
      let result = await process.result()
      bytesSent += origin.log.bytesSent
      var complaints = peakMemory > 32 << 20 ? ["\(peakMemory >> 10) KiB resident"] : []
      guard result.status == .exited(0) else { return complaints + ["\(result.status): \(result.errors)"] }
      let path = "\(directory)/file.bin"
      var status = stat()
      guard stat(path, &status) == 0, Int64(status.st_size) == HollowEntity.size else {
        return complaints + ["\(status.st_size) bytes"]
      }
      let names = TemporaryDirectory.names(in: directory)
      if names != ["file.bin"] { complaints.append("left \(names)") }
      if let difference = try HollowFile(path: path, entity: entity).difference() { complaints.append(difference) }
      // What is no hole has been looked at; where there are holes must be zeros.
      let blocks = Int64(status.st_blocks) * 512 / HollowEntity.block
      let solid = Int64((0..<HollowEntity.blocks).count { !HollowEntity.isHollow($0) })
      if blocks < solid { complaints.append("\(blocks) blocks are there, and \(solid) are not zeros") }
      return complaints
    }

    /// The most that the process has had resident so far. What the system says after its end counts the process that
    /// started it, too.
    private mutating func measure(_ process: ChildProcess) {
      if let resident = Gauge.residentPeak(of: process.pid) { peakMemory = max(peakMemory, resident) }
    }
  }
#endif
