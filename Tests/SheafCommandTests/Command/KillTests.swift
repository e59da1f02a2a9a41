import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@testable import SheafCommand

/// kill -9 at random moments, and then the right file all the same.
@Suite("kill -9")
struct KillTests {
  static let connections = 4
  static let interval = 0.02
  /// Bytes a second for each connection.
  static let rate: Int64 = 24 << 20
  static let block: Int64 = 1 << 20

  /// What one worker's cycles cost.
  struct Tally: Sendable {
    var cycles = 0
    var kills = 0
    var lost: Int64 = 0
    var worst: Int64 = 0
  }

  @Test("200 cycles, each resumed to the right SHA-256", .timeLimit(.minutes(8)))
  func cycles() async throws {
    let workers = 4
    let tally = try await withThrowingTaskGroup(of: Tally.self) { group in
      for worker in 0..<workers {
        group.addTask { try await Self.run(cycles: 200 / workers, seed: UInt64(worker)) }
      }
      var sum = Tally()
      for try await tally in group {
        sum.cycles += tally.cycles
        sum.kills += tally.kills
        sum.lost += tally.lost
        sum.worst = max(sum.worst, tally.worst)
      }
      return sum
    }
    #expect(tally.cycles == 200)
    // At most one block for each connection, what arrives between two checkpoints, and what the origin had sent into
    // sockets that nobody read any more.
    let budget =
      Int64(Self.connections) * (Self.block + (512 << 10))
      + Int64(Double(Self.rate) * Double(Self.connections) * Self.interval * 2)
    #expect(tally.lost / Int64(max(1, tally.kills)) <= budget)
    print(
      "kill -9: \(tally.cycles) cycles, \(tally.kills) kills, \(tally.lost / Int64(max(1, tally.kills))) bytes fetched "
        + "again per kill, at most \(tally.worst)")
  }

  private static func run(cycles: Int, seed: UInt64) async throws -> Tally {
    var random = SystemRandomNumberGenerator()
    var tally = Tally()
    let entity = Entity(seed: 60 + seed, size: (24 << 20) + Int64(seed) * 77_777)
    let sum = hexadecimal(entity.sha256())
    let origin = try Origin(entity: entity, behaviour: .correct.rate(rate))
    // The death of a process loses nothing that was written, on whatever disk: a RAM disk makes the moments random
    // instead of the syncs' length.
    let directory = try TemporaryDirectory(in: access("/dev/shm", W_OK) == 0 ? "/dev/shm" : nil)
    let arguments = [
      "-q", "-x\(connections)", "--auto-save-interval=\(interval)", "--checksum=sha-256=\(sum)", origin.url,
    ]
    for _ in 0..<cycles {
      origin.clearLog()
      var kills = 0
      // One to three kills, then a run to the end.
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let before = origin.log.bytesSent
        let process = try startSheaf(arguments, in: directory)
        let goal = before + Int64.random(in: 0...(20 << 20), using: &random)
        _ = await origin.reached(seconds: 10) { $0.bytesSent >= goal || process.hasEnded(within: 0) }
        process.kill(9)
        _ = await process.result()
        if directory.names() == ["file.bin"] { break }
        kills += 1
      }
      let last = try await runSheaf(arguments, in: directory)
      #expect(last.status == .exited(0), "\(last.errors)")
      #expect(directory.names() == ["file.bin"])
      #expect(entity.difference(fromFileAt: directory.file("file.bin")) == nil)
      let again = origin.log.bytesSent - entity.size
      tally.cycles += 1
      tally.kills += kills
      tally.lost += max(0, again)
      if kills > 0 { tally.worst = max(tally.worst, again / Int64(kills)) }
      try directory.remove("file.bin")
    }
    return tally
  }
}
