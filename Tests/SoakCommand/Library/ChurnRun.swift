import Sheaf
import Simulation
import TestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Downloads of all sizes from servers that behave in any of the ways that have a name, through the library, in one
/// process: what it holds of the system must not grow.
struct ChurnRun {
  let options: SoakOptions

  private static let roundLength = 80

  /// What can be reached without a proxy or another server in front, and ends by itself.
  private static let behaviours = NamedBehaviour.all.filter { behaviour in
    let isReachable: Bool =
      switch behaviour.access {
      case .plain, .localhost, .tls: true
      case .proxy, .http2, .http2GoingAway: false
      }
    return isReachable && !behaviour.takesLong && (behaviour.size ?? 0) < 1 << 30
      && !["O-63", "O-64"].contains(behaviour.hazard)
  }

  func play() async throws -> Tally {
    let authority = try TestAuthority()
    let outcomes = Monitor<[String: Int]>([:])
    let cycles = options.cycles(quick: 80, full: 20_000)
    let length = min(cycles, Self.roundLength)
    let rounds = cycles / length
    let start = monotonicSeconds()
    var (tally, gauges) = (Tally(), Gauges())
    for round in 0..<rounds where monotonicSeconds() - start < options.seconds ?? .infinity {
      let first = options.seed &+ UInt64(round * length)
      tally =
        tally
        + (await Lanes(.churn, options, count: 8).play(length) { cycle in
          let seed = first &+ UInt64(cycle)
          let complaints = try Self.play(seed, authority, outcomes)
          return complaints.map { "seed \(seed): \($0)" }
        })
      gauges.add(.now())
      if round % 10 == 9 { say("churn: \(round + 1) of \(rounds) rounds; \(gauges.summary)\n") }
    }
    tally.add(gauges.complaints)
    tally.remarks += gauges.complaints + [gauges.summary]
    tally.remarks.append(
      outcomes.read { $0 }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        .map { "\($0.value) \($0.key)" }.joined(separator: ", "))
    return tally
  }

  private static func play(
    _ seed: UInt64, _ authority: TestAuthority, _ outcomes: Monitor<[String: Int]>
  ) throws -> [String] {
    var dice = Dice(seed: Int(truncatingIfNeeded: seed))
    let behaviour = dice.pick(from: behaviours)
    let size = behaviour.size ?? Int64(dice.logarithmic(1...Double(64 << 20)))
    let entity = Entity(seed: dice.next(), size: size)
    let site = try OriginSite(access: behaviour.access, authority: authority)
    let directory = try makeDirectory()
    let path = directory.file("file.bin")
    var options = DownloadOptions()
    options.connections = dice.pick(from: [1, 2, 4, 8, 16])
    (options.timeout, options.connectTimeout) = (.seconds(2), .seconds(2))
    options.maximumTries = 4
    options.checkpointInterval = .milliseconds(50)
    options.certificateAuthorityFile = site.authorityFile
    let isProven = behaviour.needsDigest || dice.oneIn(3)
    if isProven { options.checksum = try Checksum(parsing: "sha-256=\(hexadecimal(entity.sha256()))") }
    behaviour.serve(entity, on: site.origin, over: .correct.rate(Int64(dice.pick(10...100)) << 20))

    // Some are stopped on the way, and started again.
    let isStopped = dice.oneIn(8)
    if isStopped {
      let goal = dice.bytes(0...size)
      let first = try LibraryDownload(site.url(behaviour.path), to: path, options)
      site.origin.wait(seconds: 2) { $0.bytesSent >= goal || first.outcome(within: 0) != nil }
      first.stop()
      guard first.outcome(within: 10) != nil else { return ["\(behaviour.name): does not stop"] }
    }
    guard access(path, F_OK) != 0 else { return [] }
    let download = try LibraryDownload(site.url(behaviour.path), to: path, options)
    guard let outcome = download.outcome(within: 60) else {
      download.stop()
      return ["\(behaviour.name), \(size) bytes: does not end"]
    }
    let versions = behaviour.versions(entity)
    switch outcome {
    case .success:
      outcomes.withLock { $0["ok", default: 0] += 1 }
      if !versions.contains(where: { $0.matches(fileAt: path) }) {
        return ["\(behaviour.name): a success, but \(entity.difference(fromFileAt: path) ?? "")"]
      }
      return directory.names() == ["file.bin"] ? [] : ["\(behaviour.name): left \(directory.names())"]
    case .failure(let error):
      outcomes.withLock { $0[error.code.rawValue, default: 0] += 1 }
      var complaints: [String] = []
      if access(path, F_OK) == 0 { complaints.append("no success, but a file") }
      // What is given only once is gone by then, and a digest is that of the first version.
      if behaviour.outcome == .file, !isStopped, !isProven || versions.count == 1 {
        complaints.append("the file could be had, but: \(error)")
      }
      if error.code == .inUse { complaints.append("stopped, and still \(error)") }
      if error.code == .unknown { complaints.append("unknown: \(error)") }
      return complaints.map { "\(behaviour.name), \(size) bytes, \(options.connections) connections: \($0)" }
    }
  }
}
