import TestSupport

/// The system's limits for one process: too few descriptors, and files that may not be large enough.
struct LimitRun {
  let options: SoakOptions

  private static let entity = Entity(seed: 83, size: (8 << 20) + 300_001)

  func play() async throws -> Tally {
    guard (try? ChildProcess("prlimit", ["--version"]).wait().isSuccess) == true else {
      return Tally(remarks: ["skipped: no prlimit"])
    }
    let sizes = options.cycles(quick: 4, full: 100)
    // With fewer than six the process cannot even have its threads.
    let limits =
      (6...40).map { "--nofile=\($0)" } + (0..<sizes).map { "--fsize=\(Self.entity.size * Int64($0) / Int64(sizes))" }
    return await Lanes(.limits, options, count: 3).play(limits.count, keeping: { try Origin(entity: Self.entity) }) {
      origin, cycle in
      try Self.play(limits[cycle], origin).map { "\(limits[cycle]): \($0)" }
    }
  }

  private static func play(_ limit: String, _ origin: Origin) throws -> [String] {
    let directory = try makeDirectory()
    var client = Client(arguments: ["-q", "-x4", "-m2", "-t2", origin.url], directory: directory.path)
    client.wrapper = ["prlimit", limit]
    let ending = try client.run()
    var complaints = ending.complaints(versions: [entity])
    guard !ending.succeeded else { return complaints }
    if limit.hasPrefix("--fsize"), ending.number != 9 {
      complaints.append("status \(ending.status.map { "\($0)" } ?? "-")")
    }
    complaints += ending.errorLineComplaints
    client.wrapper = []
    let again = try client.run()
    complaints += again.complaints(versions: [entity]).map { "then, without limits: \($0)" }
    if !again.succeeded { complaints.append("then, without limits: \(again.errors.suffix(300))") }
    return complaints
  }
}
