import Simulation
import TestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// kill -9 at random moments, and then the right file all the same.
struct KillRun {
  let options: SoakOptions

  private static let connections: Int64 = 4
  private static let interval = 0.02
  /// Bytes a second for each connection.
  private static let rate: Int64 = 24 << 20
  private static let block: Int64 = 1 << 20

  /// What the kills cost.
  private struct Cost: Sendable {
    var kills: Int64 = 0
    var again: Int64 = 0
    var worst: Int64 = 0
  }

  func play() async throws -> Tally {
    let cost = Monitor(Cost())
    let seed = options.seed
    // Each lane has a file of its own; made here, because its digest takes time.
    let lanes = Lanes(.kill, options, count: 4)
    let places = Monitor(0)
    var tally = await lanes.play(
      options.cycles(quick: 200, full: 10_000),
      keeping: {
        try Stage(
          place: places.withLock {
            $0 += 1; return $0
          })
      },
      { stage, cycle in try Self.play(stage, Dice(seed: Int(truncatingIfNeeded: seed &+ UInt64(cycle))), cost) })
    let (total, kills) = cost.read { ($0, max($0.kills, 1)) }
    tally.remarks.append(
      "\(total.kills) kills, \(total.again / kills) bytes fetched again for each, at most \(total.worst)")
    // At most one block for each connection, what arrives between two checkpoints, and what the origin had sent into
    // sockets that nobody read any more.
    let budget =
      Self.connections * (Self.block + (512 << 10)) + Int64(Double(Self.rate * Self.connections) * Self.interval * 2)
    let excess = total.again / kills > budget ? ["FAIL: more than \(budget) bytes fetched again for each kill"] : []
    tally.add(excess)
    tally.remarks += excess
    return tally
  }

  /// What a lane keeps: a file, its origin and a directory.
  private struct Stage {
    let entity: Entity
    let origin: Origin
    let directory: TemporaryDirectory
    let client: Client

    init(place: Int) throws {
      entity = Entity(seed: UInt64(60 + place), size: (24 << 20) + Int64(place) * 77_777)
      origin = try Origin(entity: entity, behaviour: .correct.rate(KillRun.rate))
      // The death of a process loses nothing that was written, on whatever disk: a RAM disk makes the moments random
      // instead of the syncs' length.
      directory = try makeDirectory()
      client = Client(
        arguments: [
          "-q", "-x\(KillRun.connections)", "--auto-save-interval=\(KillRun.interval)",
          "--checksum=sha-256=\(hexadecimal(entity.sha256()))", origin.url,
        ], directory: directory.path)
    }
  }

  /// One to three kills, then a run to the end.
  private static func play(_ stage: Stage, _ dice: Dice, _ cost: Monitor<Cost>) throws -> [String] {
    var dice = dice
    stage.origin.clearLog()
    var kills: Int64 = 0
    for _ in 0..<dice.pick(1...3) {
      let goal = stage.origin.log.bytesSent + dice.bytes(0...(20 << 20))
      let process = try stage.client.start()
      stage.origin.wait(seconds: 10) { $0.bytesSent >= goal || process.hasEnded(within: 0) }
      process.kill(SIGKILL)
      process.wait()
      // It was faster.
      if stage.directory.names() == ["file.bin"] { break }
      kills += 1
    }
    let last = try stage.client.run()
    var complaints = last.complaints(versions: [stage.entity])
    if !last.succeeded { complaints.append("\(String(describing: last.status)): \(last.errors.suffix(300))") }
    let again = max(0, stage.origin.log.bytesSent - stage.entity.size)
    cost.withLock { cost in
      cost.kills += kills
      cost.again += again
      if kills > 0 { cost.worst = max(cost.worst, again / kills) }
    }
    for name in stage.directory.names() { try stage.directory.remove(name) }
    return complaints
  }
}
