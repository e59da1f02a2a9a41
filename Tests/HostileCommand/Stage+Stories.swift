import TestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Cases of several runs. Each returns what was wrong; all of them are about Sheaf.
extension Stage {
  // MARK: Complete files

  /// A second run finds the file complete: status 0, no body, two requests at most.
  func runTwice(_ name: String, options: [String] = []) throws -> [String] {
    let named = NamedBehaviour.named(name)
    origin.serve(entity)
    var complaints = try finish()
    named?.serve(entity, on: origin)
    origin.clearLog()
    let again = try run(options: options)
    if !again.succeeded { complaints.append("the second run: \(again.errors)") }
    if origin.log.requests.count > 2 { complaints.append("\(origin.log.requests.count) requests for a complete file") }
    if origin.log.bytesSent > 8 << 20 { complaints.append("\(origin.log.bytesSent) bytes for a complete file") }
    if again.output.contains("\"error\"") { complaints.append("an error in JSON: \(again.output)") }
    return complaints + checkFile()
  }

  // MARK: Arithmetic

  /// Sizes around every boundary, split as finely as may be: the ranges asked for tile the file.
  func trySizes() throws -> [String] {
    var complaints: [String] = []
    let mebibyte: Int64 = 1 << 20
    for (size, split) in [
      (1, "1M"), (mebibyte - 1, "1M"), (mebibyte, "1M"), (mebibyte + 1, "1M"), (8 * mebibyte - 1, "1M"),
      (8 * mebibyte, "1M"), (8 * mebibyte + 1, "1M"), (9 * mebibyte + 1, "1M"), (15_485_863, "1M"),
      (17 * mebibyte - 1, "3M"), (17 * mebibyte, "2M"), (17 * mebibyte + 1, "1048577"), (20_000_003, "1000003"),
    ] {
      let entity = Entity(seed: UInt64(size), size: size)
      origin.serve(entity)
      origin.clearLog()
      let run = try run(options: ["-k\(split)"])
      if !run.succeeded { complaints.append("\(size) bytes with -k\(split): \(run.errors)") }
      if let difference = entity.difference(fromFileAt: path("file.bin")) { complaints.append(difference) }
      if origin.log.coverage() != [0..<size] {
        complaints.append("\(size) bytes with -k\(split): \(origin.log.coverage())")
      }
      // What a connection had in its buffers when its segment was taken over counts as sent.
      if origin.log.bytesSent > size * 3 / 2 + (32 << 20) {
        complaints.append("\(size) bytes with -k\(split): sent \(origin.log.bytesSent)")
      }
      unlink(path("file.bin"))
    }
    return complaints
  }

  // MARK: Stopped and continued

  func stopAndContinueTwo() throws -> [String] {
    let entities = ["/a.bin": entity, "/b.bin": Entity(seed: ~entity.seed, size: entity.size)]
    let urls = entities.keys.sorted().map { site.url($0) }
    for (path, entity) in entities { origin.serve(entity, behaviour: slow, at: path) }
    try stop(try start(urls: urls), after: entity.size * 12 / 10, with: SIGKILL)
    for (path, entity) in entities { origin.serve(entity, at: path) }
    var complaints = ended(try start(urls: urls), with: 0)
    for (path, entity) in entities {
      if let difference = entity.difference(fromFileAt: work + path) { complaints.append(difference) }
    }
    return complaints
  }

  func takeOverName() throws -> [String] {
    origin.serve(Entity(seed: 99, size: 1 << 30), behaviour: slow, at: "/large.bin")
    try stop(try start(options: ["-ofile.bin"], urls: [site.url("/large.bin")]), after: 16 << 20, with: SIGKILL)
    origin.serve(entity)
    var complaints = try finish(options: ["-ofile.bin"])
    if names().contains("file.bin.part") { complaints.append("the part file of the other download is still there") }
    return complaints
  }

  func renewLink() throws -> [String] {
    origin.serve(entity, behaviour: slow)
    try stop(try start(), after: entity.size / 4 * 3, with: SIGINT)
    origin.serve(entity, at: "/renewed")
    origin.clearLog()
    let renewed = try start(options: ["-ofile.bin"], urls: [site.url("/renewed?signature=2")])
    var complaints = ended(renewed, with: 0) + checkFile()
    if origin.log.bytesSent > entity.size / 4 * 3 {
      complaints.append("\(origin.log.bytesSent) of \(entity.size) bytes fetched again")
    }
    return complaints
  }

  func emptyManifest() throws -> [String] {
    try stopHalfway()
    var complaints = truncate(path("file.bin.sheaf"), 0) == 0 ? [] : ["there was no manifest"]
    origin.serve(entity)
    complaints += try finish()
    return complaints
  }

  func killAndRunAgain() throws -> [String] {
    try stopHalfway()
    var complaints = names().contains("file.bin") ? ["the final name is there at half"] : []
    origin.serve(entity)
    complaints += try finish()
    return complaints
  }

  /// 95 percent are there; the first request of the next run falls silent.
  func finishLastBytes() throws -> [String] {
    origin.serve(entity, behaviour: slow)
    try stop(try start(), after: entity.size / 100 * 95, with: SIGINT)
    origin.serve(entity, behaviour: .correct.stalling(after: 1000, on: .request(1)))
    return try finish()
  }

  func stopTwentyTimes(_ times: Int = 20) throws -> [String] {
    var complaints: [String] = []
    var total: Int64 = 0
    for round in 0..<times where !names().contains("file.bin") {
      origin.serve(entity, behaviour: slow)
      origin.clearLog()
      try stop(try start(options: ["-x8"]), after: entity.size / Int64(times) + 100_000, with: SIGINT)
      total += origin.log.bytesSent
      var status = stat()
      if stat(path("file.bin.part"), &status) == 0, Int64(status.st_size) > entity.size {
        complaints.append("after round \(round) the part file has \(status.st_size) bytes")
      }
    }
    origin.serve(entity)
    origin.clearLog()
    complaints += try finish()
    total += origin.log.bytesSent
    // A block for each of eight connections, and what was in the buffers.
    let bound = entity.size + Int64(times) * 8 * (2 << 20)
    if total > bound { complaints.append("\(total) bytes in all, more than \(bound)") }
    return complaints
  }

  func interruptAtMoments() throws -> [String] {
    var complaints: [String] = []
    for moment in 0..<10 as Range<Int64> {
      origin.serve(entity, behaviour: slow)
      origin.clearLog()
      let process = try start()
      try stop(process, after: entity.size / 12 * moment, with: SIGINT)
      if names().contains("file.bin") { break }
      if process.wait() != .exited(7), moment > 0 { complaints.append("SIGINT: \(process.wait())") }
      if moment.isMultiple(of: 3) { for name in names() { unlink(path(name)) } }
    }
    origin.serve(entity)
    for name in names() where name == "file.bin" { unlink(path(name)) }
    return complaints + (try finish())
  }

  // MARK: Many, or two at once

  func fetchMany() throws -> [String] {
    let entities = (0..<200).map { Entity(seed: UInt64($0), size: 20_000 + Int64($0) * 101) }
    for (index, entity) in entities.enumerated() {
      let cut = index.isMultiple(of: 2) ? Behaviour.correct : .correct.closing(after: 9000, on: .request(1))
      origin.serve(entity, behaviour: cut, at: "/f\(index)")
    }
    var complaints = ended(try start(options: ["-j8"], urls: entities.indices.map { site.url("/f\($0)") }), with: 0)
    for (index, entity) in entities.enumerated() {
      if let difference = entity.difference(fromFileAt: path("f\(index)")) { complaints.append(difference) }
    }
    return complaints
  }

  /// One wins; the other leaves it alone. What is published never changes again.
  func runTwoAtOnce(tampering: String? = nil) throws -> [String] {
    let other = Entity(seed: ~entity.seed, size: entity.size)
    origin.serve(entity, behaviour: slow, at: "/a/file.bin")
    origin.serve(other, behaviour: slow, at: "/b/file.bin")
    var wrapper: [String] = []
    if let tampering {
      wrapper = ["strace", "-f", "-o", "/dev/null", "-e", "trace=flock", "-e", "inject=\(tampering)"]
    }
    let first = try start(urls: [site.url("/a/file.bin")], wrapper: wrapper)
    origin.wait(seconds: 10) { $0.bytesSent > 1 << 20 }
    let second = try start(urls: [site.url("/b/file.bin")], wrapper: wrapper)
    let statuses = [first, second].map { process -> ExitStatus? in
      guard process.hasEnded(within: 30) else { return nil }
      return process.wait()
    }
    var complaints = statuses.contains(nil) ? ["did not end"] : []
    for process in [first, second] { process.kill(SIGKILL) }
    let successes = statuses.count { $0 == .exited(0) }
    let isOne = entity.matches(fileAt: path("file.bin")) || other.matches(fileAt: path("file.bin"))
    if successes == 2 { complaints.append("both say that the file is theirs") }
    if successes > 0, !isOne { complaints.append("status 0, and the file is neither of the two") }
    if successes == 0, names().contains("file.bin") { complaints.append("both failed, and there is a file") }
    if successes == 1, isOne {
      let winner = statuses[0] == .exited(0) ? entity : other
      if let difference = winner.difference(fromFileAt: path("file.bin")) {
        complaints.append("the loser's file is there: \(difference)")
      }
    }
    if tampering == nil, !(successes == 1 && statuses.contains(.exited(11))) {
      complaints.append("one should win and the other say `in use`: \(statuses)")
    }
    return complaints
  }

  // MARK: Systems that fail

  func runTampered(_ tampering: String) throws -> [String] {
    let call = tampering.prefix { $0 != ":" }
    origin.serve(entity)
    let process = try start(
      wrapper: ["strace", "-f", "-o", "/dev/null", "-e", "trace=\(call)", "-e", "inject=\(tampering)"])
    return ended(process, with: 0) + checkFile()
  }

  /// In the order of the calls: the last write of data, its sync, the rename, the directory's sync.
  func watchSyncs() throws -> [String] {
    origin.serve(entity)
    let calls = "pwrite64,pwritev,fdatasync,fsync,rename,renameat,renameat2,link,linkat,openat"
    let process = try start(wrapper: [
      "strace", "-f", "-y", "-o", directory.file("work/trace.st"), "-e", "trace=\(calls)",
    ])
    var complaints = ended(process, with: 0)
    let trace = String(decoding: try directory.read("work/trace.st"), as: UTF8.self)
    unlink(path("trace.st"))
    let lines = trace.split(separator: "\n").map(String.init)
    let write = lines.lastIndex { $0.contains("pwrite") && $0.contains("file.bin.part") }
    let sync = lines.lastIndex { ($0.contains("fdatasync(") || $0.contains("fsync(")) && $0.contains("file.bin.part") }
    let name = lines.firstIndex { ($0.contains("rename") || $0.contains("link")) && $0.contains("\"file.bin\"") }
    let directorySync = lines.lastIndex { $0.contains("fsync(") && $0.contains("\(work)>") }
    guard let write, let sync, let name, let directorySync else {
      return complaints + [
        "a call is missing: write \(write as Any), sync \(sync as Any), name \(name as Any), directory \(directorySync as Any)"
      ]
    }
    if !(write < sync && sync < name && name < directorySync) {
      complaints.append("write \(write), sync \(sync), name \(name), sync of the directory \(directorySync)")
    }
    return complaints + checkFile()
  }

  func fillDisk() throws -> [String] {
    let disk = directory.file("disk")
    mkdir(disk, 0o755)
    let mount = try ChildProcess("mount", ["-t", "tmpfs", "-o", "size=64m", "tmpfs", disk])
    guard mount.wait().isSuccess else { return ["no disk: \(mount.text(of: .errors))"] }
    defer {
      umount2(disk, CInt(MNT_DETACH))
      rmdir(disk)
    }
    for index in 0..<20 { origin.serve(Entity(seed: UInt64(index), size: 20 << 20), behaviour: slow, at: "/f\(index)") }
    let process = try start(options: ["-d\(disk)", "-j1"], urls: (0..<20).map { site.url("/f\($0)") })
    var complaints = ended(process, with: 9)
    if origin.log.bytesSent > 100 << 20 { complaints.append("\(origin.log.bytesSent) bytes for a disk of 64 MiB") }
    for index in 0..<3 {
      if let difference = Entity(seed: UInt64(index), size: 20 << 20).difference(fromFileAt: "\(disk)/f\(index)") {
        complaints.append(difference)
      }
    }
    return complaints
  }

  // MARK: Secrets and terminals

  func keepPassword() throws -> [String] {
    origin.serve(entity, at: "/a.bin")
    origin.serve(entity, at: "/b.bin")
    let process = try start(urls: [
      "http://user:secret@127.0.0.1:\(origin.port)/a.bin", "http://localhost:\(origin.port)/b.bin",
    ])
    var complaints = ended(process, with: 0)
    if origin.log.requests(for: "/b.bin").contains(where: { $0.headers["Authorization"] != nil }) {
      complaints.append("the second host was told the password of the first")
    }
    if !origin.log.requests(for: "/a.bin").contains(where: { $0.headers["Authorization"] != nil }) {
      complaints.append("the first host was not told its password")
    }
    return complaints
  }

  func watchTerminal() throws -> [String] {
    var complaints: [String] = []
    for behaviour in NamedBehaviour.all where behaviour.hazard == "O-61" {
      behaviour.serve(entity, on: origin)
      let command = ([contender.program] + contender.arguments(job)).map { "'\($0)'" }.joined(separator: " ")
      let process = try ChildProcess(
        "script", ["-q", "-e", "-c", command, "/dev/null"],
        environment: Contender.environment.merging(["TERM": "xterm"]) { $1 },
        directory: work)
      if !process.hasEnded(within: 20) { complaints.append("\(behaviour.name): did not end") }
      process.kill(SIGKILL)
      process.wait()
      let text = process.text(of: .output)
      let isDriven = text.unicodeScalars.contains { 128..<160 ~= $0.value || $0.value == 7 || $0.value == 0x202E }
      if isDriven || text.contains("\u{1B}]0;") || text.contains("\u{1B}[2J") {
        complaints.append("\(behaviour.name): the server reached the terminal: \(text.debugDescription.suffix(300))")
      }
      for name in names() { unlink(path(name)) }
    }
    return complaints
  }

  // MARK: Pieces

  /// About 28 MiB a second over all connections: slow enough to be stopped in time.
  private var slow: Behaviour { .correct.rate(Int64(28 << 20) / Int64(cell.connections)) }

  private var job: Contender.Job {
    Contender.Job(
      url: site.url(), name: "file.bin", connections: cell.connections, continues: false, digest: nil,
      authorityFile: nil)
  }

  private func stopHalfway() throws {
    origin.serve(entity, behaviour: slow)
    try stop(try start(), after: entity.size / 10 * 6, with: SIGKILL)
  }

  /// Ends a process when so many bytes have been sent.
  private func stop(_ process: ChildProcess, after bytes: Int64, with signal: CInt) throws {
    let deadline = monotonicSeconds() + 15
    while origin.log.bytesSent < bytes, !process.hasEnded(within: 0.005), monotonicSeconds() < deadline {}
    process.kill(signal)
    if !process.hasEnded(within: 5) { process.kill(SIGKILL) }
    process.wait()
  }

  private func ended(_ process: ChildProcess, with status: CInt) -> [String] {
    guard process.hasEnded(within: 40) else {
      process.kill(SIGKILL)
      process.wait()
      return ["did not end: \(process.text(of: .errors).suffix(300))"]
    }
    let actual = process.wait()
    return actual == .exited(status) ? [] : ["\(actual): \(process.text(of: .errors).suffix(300))"]
  }

  private func finish(options: [String] = []) throws -> [String] {
    ended(try start(options: options), with: 0) + checkFile()
  }

  private func checkFile() -> [String] {
    let difference = entity.difference(fromFileAt: path("file.bin")).map { [$0] } ?? []
    let leftovers = names().filter { $0 != "file.bin" }
    return difference + (leftovers.isEmpty ? [] : ["left behind: \(leftovers)"]) + damaged().map { "changed \($0)" }
  }
}
