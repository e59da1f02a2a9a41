import TestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Random servers and random options: status 0 means a right file, anything else none, and with a server that is
/// right in the end it does end right.
struct ScenarioRun {
  let options: SoakOptions

  private struct Counts: Sendable {
    var runs = 0
    var succeeded = 0
    var stopped = 0
  }

  func play() async throws -> Tally {
    let seed = options.seed
    let counts = Monitor(Counts())
    var tally = await Lanes(.scenarios, options, count: 4).play(options.cycles(quick: 40, full: 20_000)) { cycle in
      let scenario = Scenario(seed: seed &+ UInt64(cycle))
      let complaints = try Self.play(scenario, counts)
      return complaints.isEmpty ? [] : [scenario.description] + complaints
    }
    let total = counts.read { $0 }
    tally.remarks.append(
      "\(total.runs) runs against faulty servers: \(total.succeeded) got the file, \(total.stopped) were stopped, "
        + "\(total.runs - total.succeeded - total.stopped) failed")
    return tally
  }

  private static func play(_ scenario: Scenario, _ counts: Monitor<Counts>) throws -> [String] {
    let origin = try Origin()
    let directory = try makeDirectory()
    let others = try Origin()
    let mirrors = try scenario.mirrors.enumerated().map { index, mirror in
      guard let entity = mirror.entity else { return "http://127.0.0.1:\(try LoopbackSocket.freePort())/file.bin" }
      others.serve(entity, behaviour: mirror.script?.behaviour ?? .correct.rate(8 << 20), at: "/\(index)/file.bin")
      return others.url("/\(index)/file.bin")
    }
    let client = Client(
      arguments: scenario.options + mirrors.flatMap { ["--mirror", $0] } + [origin.url], directory: directory.path)
    for script in scenario.scripts {
      origin.serve(scenario.entity, behaviour: script.behaviour)
      origin.clearLog()
      let process = try client.start()
      let isStopped = stop(process, scenario, origin)
      let ending = Ending(of: process, in: directory.path, within: 10)
      counts.withLock { counts in
        counts.runs += 1
        if ending.succeeded { counts.succeeded += 1 } else if isStopped { counts.stopped += 1 }
      }
      var complaints = ending.complaints(versions: scenario.versions)
      // SIGINT too, where it comes before the process has begun to listen for it.
      if isStopped { complaints.removeAll { $0.hasPrefix("died of signal \(scenario.ending.signal):") } }
      if ending.number == 1 { complaints.append("status 1: \(ending.errors.suffix(300))") }
      if let number = ending.number, number != 0, !isStopped { complaints += ending.errorLineComplaints }
      if !complaints.isEmpty { return complaints.map { "[\(script.description)]: \($0)" } }
      // The signal may come just after the file has its name.
      if ending.succeeded || isStopped && ending.holds(oneOf: scenario.versions) { return [] }
    }
    origin.serve(scenario.entity)
    var last = try client.run()
    // Bytes of a lie may have been kept: then the digest says so, and the next run starts over.
    if last.number == 32 { last = try client.run() }
    // A server that is right in the end may be one of several by then.
    var complaints = last.complaints(versions: mirrors.isEmpty ? [scenario.entity] : scenario.versions)
    if !last.succeeded { complaints.append("\(String(describing: last.status)): \(last.errors.suffix(300))") }
    return complaints.map { "with a right server in the end: \($0)" }
  }

  /// Ends a run that is to be interrupted, or that takes too long; whether it did.
  private static func stop(_ process: ChildProcess, _ scenario: Scenario, _ origin: Origin) -> Bool {
    if scenario.ending == .patience {
      if process.hasEnded(within: 15) { return false }
    } else {
      // Somewhere in the file, or while nothing happens.
      let goal = Int64(scenario.seed % 97) * scenario.entity.size / 80
      origin.wait(seconds: 3) { $0.bytesSent >= goal || process.hasEnded(within: 0) }
      if process.hasEnded(within: 0) { return false }
    }
    process.kill(scenario.ending.signal)
    return true
  }
}
