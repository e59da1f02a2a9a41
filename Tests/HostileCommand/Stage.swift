import TestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A directory with things of other people in it, an origin, and a contender: where one cell is played.
///
/// Used by one thread.
final class Stage: Sendable {
  let cell: Cell
  let contender: Contender
  let site: OriginSite
  let directory: TemporaryDirectory
  let entity: Entity
  /// Where the contender works.
  let work: String

  private static let bystanders = ["file.bin.bak", "other.bin", ".hidden", "fil"]
  private static let mine = "not yours\n"

  init(_ cell: Cell, _ contender: Contender, authority: TestAuthority) throws {
    self.cell = cell
    self.contender = contender
    entity = cell.entity
    site = try OriginSite(access: cell.scenario.behaviour.access, authority: authority)
    // A RAM disk, so that the disk is nobody's excuse.
    directory = try TemporaryDirectory(in: access("/dev/shm", W_OK) == 0 ? "/dev/shm" : nil)
    work = directory.file("work")
    guard mkdir(directory.file("home"), 0o755) == 0, mkdir(work, 0o755) == 0 else {
      throw SystemCallFailure("mkdir \(work)")
    }
    for name in Self.bystanders { try directory.write(Self.mine, to: "work/\(name)") }
    try directory.write(Self.mine, to: "escape.bin")
  }

  var origin: Origin { site.origin }
  var behaviour: NamedBehaviour { cell.scenario.behaviour }

  /// The final part of the URL's path; what a tool without an opinion names the file.
  var fileName: String { behaviour.path.split(separator: "/").last.map(String.init) ?? "file.bin" }

  func path(_ name: String) -> String { "\(work)/\(name)" }

  // MARK: One run

  /// Plays the cell as it says.
  func play() throws -> CellResult {
    if let procedure = cell.scenario.procedure {
      let start = monotonicSeconds()
      let complaints = try procedure(self)
      var result = CellResult(cell: cell, verdict: complaints.isEmpty ? .right : .wrong, complaints: complaints)
      result.seconds = monotonicSeconds() - start
      (result.requests, result.bytes) = (origin.log.requests.count, origin.log.bytesSent)
      return result
    }
    if cell.start == .resumed { try interruptHalfway() }
    // As fast as loopback goes, one connection would be done before the others had begun.
    behaviour.serve(entity, on: origin, over: .correct.rate(20 << 20))
    origin.clearLog()
    let observation = try run()
    let judge = Judge(cell: cell, isStrict: contender.isSheaf)
    var result = CellResult(cell: cell, verdict: judge.verdict(observation), complaints: judge.complaints(observation))
    result.status = observation.status.map { "\($0)" } ?? "-"
    result.seconds = observation.seconds
    result.requests = observation.log.requests.count
    result.bytes = observation.log.bytesSent
    result.said = String((observation.output + observation.errors).suffix(600))
    return result
  }

  /// Begins at the right pace and stops, one way or the other, when more than half of the file has been sent.
  func interruptHalfway() throws {
    let (before, honest) = behaviour.before(entity)
    // With many connections each block would still be under way when the signal comes.
    let connections = min(contender.connections ?? cell.connections, 4)
    let pace = Behaviour.correct.rate(Int64(28 << 20) / Int64(connections))
    for neighbour in behaviour.neighbours(before) {
      origin.serve(neighbour.entity, behaviour: pace.and(neighbour.behaviour), at: neighbour.path)
    }
    origin.serve(before, behaviour: pace.and(honest), at: behaviour.path)
    let process = try start(options: [], connections: connections)
    // Past the first request's 8 MiB, and well before the end.
    let goal = min(before.size / 10 * 6, before.size)
    let deadline = monotonicSeconds() + 15
    while origin.log.bytesSent < goal, !process.hasEnded(within: 0.005), monotonicSeconds() < deadline {}
    process.kill(contender.interrupt)
    if !process.hasEnded(within: 3) { process.kill(SIGKILL) }
    process.wait()
    // It was faster than the signal: then the run that follows is a fresh one.
    if contender.isSheaf { for name in names() where !Observation.isUnfinished(name) { unlink(path(name)) } }
  }

  /// One run of the contender against whatever the origin serves now.
  func run(options: [String] = []) throws -> Observation {
    let started = monotonicSeconds()
    let before = Set(names().filter { Observation.isUnfinished($0) })
    let existing = Set(names()).subtracting(before)
    let process = try start(options: options)
    var deadline = contender.deadline
    if behaviour.takesLong, contender.isSheaf {
      // Busy for a good reason: its user loses patience.
      if !process.hasEnded(within: 5) { process.kill(SIGINT) }
      deadline = 5
    }
    let ended = process.hasEnded(within: deadline)
    if !ended { process.kill(SIGKILL) }
    let status = process.wait()
    let seconds = monotonicSeconds() - started
    // Others put what they have under the final name at once; their word on it is the status.
    let kept = contender.isSheaf ? existing : existing.filter { Self.bystanders.contains($0) }
    let new = names().filter { !kept.contains($0) }
    let finished = new.filter { !Observation.isUnfinished($0) }
    return Observation(
      status: ended ? status : nil, output: process.text(of: .output), errors: process.text(of: .errors),
      seconds: seconds, log: origin.log, newNames: new,
      difference: status == .exited(0) ? difference(finished) : nil, damaged: damaged(), entity: entity)
  }

  /// Starts the contender.
  func start(
    options: [String] = [], urls: [String]? = nil, wrapper: [String] = [], connections: Int? = nil
  ) throws -> ChildProcess {
    let base = site.url("")
    let job = Contender.Job(
      url: site.url(behaviour.path), name: fileName,
      connections: connections ?? contender.connections ?? cell.connections,
      continues: cell.start == .resumed,
      digest: behaviour.needsDigest && contender.canProve ? hexadecimal(entity.sha256()) : nil,
      authorityFile: site.authorityFile)
    var arguments = contender.arguments(job)
    if contender.isSheaf {
      if let urls { arguments = arguments.dropLast() + urls }
      arguments = (cell.scenario.options + options).map { $0.replacing("BASE", with: base) } + arguments
    }
    var environment = Contender.environment.merging(site.environment) { $1 }
    environment["HOME"] = directory.file("home")
    let command = wrapper + [contender.program] + arguments
    return try ChildProcess(command[0], Array(command.dropFirst()), environment: environment, directory: work)
  }

  // MARK: Looking around

  /// All names in the contender's directory, sorted.
  func names() -> [String] {
    guard let stream = opendir(work) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: pointer.pointee)) {
          String(cString: $0)
        }
      }
      if name != ".", name != "..", !Self.bystanders.contains(name) { names.append(name) }
    }
    return names.sorted()
  }

  /// What is wrong with the finished file; nil when it is a whole version of the entity.
  private func difference(_ finished: [String]) -> String? {
    guard let name = finished.count == 1 ? finished[0] : finished.first(where: { $0 == fileName }) else {
      return finished.isEmpty ? "there is no file" : "there are \(finished)"
    }
    let versions = behaviour.versions(entity)
    let isOne = versions.contains { $0.matches(fileAt: path(name)) }
    return isOne ? nil : entity.difference(fromFileAt: path(name)).map { $0.replacing("\(work)/", with: "") } ?? "odd"
  }

  func damaged() -> [String] {
    var damaged = Self.bystanders.filter { (try? directory.read("work/\($0)")) != Array(Self.mine.utf8) }
    if (try? directory.read("escape.bin")) != Array(Self.mine.utf8) { damaged.append("../escape.bin") }
    let above = directory.names().filter { !["work", "home", "escape.bin"].contains($0) }
    damaged += above.map { "../\($0)" }
    if access("/tmp/sheaf-escape.bin", F_OK) == 0 {
      damaged.append("/tmp/sheaf-escape.bin")
      unlink("/tmp/sheaf-escape.bin")
    }
    return damaged
  }
}
