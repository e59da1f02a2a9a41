import TestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// An origin and a directory in which one download after the other meets an error. Used by one thread.
final class ErrorStage {
  private let origin: Origin
  private let directory: TemporaryDirectory
  private let work: String
  /// Part file and manifest of a download that was killed, made once.
  private var unfinished: [String: [UInt8]] = [:]

  init() throws {
    origin = try Origin()
    directory = try makeDirectory()
    work = directory.file("work")
    guard mkdir(work, 0o755) == 0 else { throw SystemCallFailure("mkdir \(work)") }
  }

  /// Nil when the error did not come about.
  func play(_ shape: ErrorShape, _ error: InjectedError) throws -> [String]? {
    try prepare(shape)
    let ending = try client(shape, tracing: [error.call] + InjectedError.naming, injecting: error.argument).run()
    let trace = try trace()
    let injected = trace.filter { $0.contains("= -1 \(error.code.rawValue) ") && $0.contains("(INJECTED)") }
    guard let first = injected.first else { return nil }
    let isNamed = Self.followsRename(trace, injected)
    var complaints = judge(ending, shape, error, afterRename: isNamed)
    // A file that is complete but for its record is taken for somebody else's.
    guard !ending.succeeded else { return complaints.map { "\($0) [\(first.prefix(120))]" } }
    let again = try client(shape).run()
    complaints += again.complaints(versions: [shape.entity]).map { "then, without the error: \($0)" }
    if !again.succeeded { complaints.append("then, without the error: \(again.errors.suffix(300))") }
    return complaints.map { "\($0) [\(first.prefix(120))]" }
  }

  /// How often a run without errors makes each call, by the thread that makes it most often.
  func calls(of shape: ErrorShape) throws -> [String: Int] {
    try prepare(shape)
    let ending = try client(shape, tracing: InjectedError.calls).run()
    guard ending.succeeded else { throw SoakFailure("without an error: \(ending.errors)") }
    var counts: [String: [Substring: Int]] = [:]
    for line in try trace() {
      // `PID  CALL(ARGUMENTS) = RESULT`, padded.
      let words = line.prefix { $0 != "(" }.split(separator: " ")
      guard words.count == 2, InjectedError.calls.contains(String(words[1])) else { continue }
      counts[String(words[1]), default: [:]][words[0], default: 0] += 1
    }
    guard !counts.isEmpty else { throw SoakFailure("strace saw no call on the files") }
    return counts.mapValues { $0.values.max() ?? 0 }
  }

  private func judge(_ ending: Ending, _ shape: ErrorShape, _ error: InjectedError, afterRename: Bool) -> [String] {
    var complaints: [String] = []
    if ending.succeeded && afterRename && error.call == "unlinkat" {
      // Without its part file a manifest that could not be removed means nothing.
      return shape.entity.difference(fromFileAt: "\(work)/file.bin").map { [$0] } ?? []
    }
    if ending.succeeded {
      complaints += ending.complaints(versions: [shape.entity])
      if !error.isHarmless { complaints.append("status 0 in spite of it") }
      return complaints
    }
    if afterRename {
      // The name is there and the status says that something about it failed.
      complaints += shape.entity.difference(fromFileAt: "\(work)/file.bin").map { [$0] } ?? []
    } else {
      complaints += ending.complaints(versions: [shape.entity], old: shape.old)
    }
    guard let number = ending.number else { return complaints }
    let honest: [CInt] = error.code.isFull ? [9] : [14, 15, 16, 17, 18]
    if !honest.contains(number) { complaints.append("status \(number): \(ending.errors.suffix(300))") }
    return complaints + ending.errorLineComplaints
  }

  /// Whether the file had its name when the call failed.
  private static func followsRename(_ trace: [String], _ injected: [String]) -> Bool {
    guard let first = trace.firstIndex(where: { injected.contains($0) }) else { return false }
    return trace[..<first].contains { line in
      line.hasSuffix("= 0") && InjectedError.naming.contains { line.contains(" \($0)(") }
    }
  }

  /// `tracing` has strace run it; only these calls are looked at, so that the others cost nothing.
  private func client(_ shape: ErrorShape, tracing calls: [String]? = nil, injecting error: String? = nil) -> Client {
    var client = Client(
      arguments: ["-q", "-x4", "--auto-save-interval=0.02"] + shape.options + [origin.url], directory: work)
    guard let calls else { return client }
    client.wrapper = ["strace", "-f", "-q", "-s", "0", "-o", directory.file("trace")]
    client.wrapper += ["", "/file.bin", "/file.bin.part", "/file.bin.sheaf"].flatMap { ["-P", work + $0] }
    for expression in ["trace=\(calls.joined(separator: ","))", shape.circumstance, error].compactMap({ $0 }) {
      client.wrapper += ["-e", expression]
    }
    return client
  }

  private func trace() throws -> [String] {
    String(decoding: try directory.read("trace"), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private func prepare(_ shape: ErrorShape) throws {
    for name in TemporaryDirectory.names(in: work) { unlink("\(work)/\(name)") }
    // A sixth of a second for the large file, so that there are checkpoints.
    origin.serve(shape.entity, behaviour: .correct.rate(16 << 20))
    origin.clearLog()
    if let old = shape.old { try old.write(toFileAt: "\(work)/file.bin") }
    guard shape == .resumed else { return }
    if unfinished.isEmpty { try makeUnfinished(shape) }
    for (name, bytes) in unfinished {
      try directory.write(bytes, to: "work/\(name)")
      // Others may not write a manifest that is believed.
      chmod("\(work)/\(name)", 0o600)
    }
  }

  private func makeUnfinished(_ shape: ErrorShape) throws {
    let process = try client(shape).start()
    origin.wait { $0.bytesSent > shape.entity.size * 3 / 4 }
    process.kill(SIGKILL)
    process.wait()
    for name in ["file.bin.part", "file.bin.sheaf"] { unfinished[name] = try directory.read("work/\(name)") }
  }
}

/// The run itself is at fault, or the machine.
struct SoakFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
