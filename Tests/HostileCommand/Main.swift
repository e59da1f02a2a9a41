import TestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Plays the matrix and ends with `N passed, N failed`.
@main
struct HostileCommand {
  static func main() async {
    do {
      let options = try HostileOptions(arguments: Array(CommandLine.arguments.dropFirst()))
      if options.showsHelp {
        say(HostileOptions.help)
        return
      }
      exit(try await play(options) ? 0 : 1)
    } catch {
      say("sheaf-hostile: \(error); try --help\n", to: STDERR_FILENO)
      exit(2)
    }
  }

  private static func play(_ options: HostileOptions) async throws -> Bool {
    let contender = try contender(options)
    let matrix = Matrix(contender: contender, options: options)
    let cells = matrix.cells()
    if options.lists {
      for cell in cells { say("\(cell.name)\n") }
      say("\(cells.count) runs\n")
      return true
    }
    let isSheaf = contender.isSheaf
    let isVerbose = options.isVerbose
    let start = monotonicSeconds()
    let results = try await matrix.play(cells) { result in
      // A peer's failings are what the table is for; Sheaf's are news.
      guard isVerbose || isSheaf && !result.passed else { return }
      let seconds = Double(Int(result.seconds * 10)) / 10
      var text =
        "\(result.passed ? "    " : "FAIL") \(result.cell.name): \(result.verdict) (\(result.status), \(seconds) s, \(result.requests) requests, \(result.bytes) bytes)\n"
      for complaint in result.complaints { text += "       \(complaint)\n" }
      say(text)
    }
    if let path = options.json, !ResultLines(contender: contender, results: results).write(to: path) {
      throw HostileOptions.UsageError(description: "cannot write \(path)")
    }
    let counts = [Verdict.right, .failed, .wrong, .hang, .skipped].map { verdict in
      "\(verdict.rawValue) \(results.count { $0.verdict == verdict })"
    }
    let failed = results.count { !$0.passed }
    let passed = results.count { $0.passed && $0.verdict != .skipped }
    say("\(contender.name): \(counts.joined(separator: ", ")); \(Int(monotonicSeconds() - start)) s\n")
    say("\(passed) passed, \(failed) failed\n")
    return failed == 0
  }

  private static func contender(_ options: HostileOptions) throws -> Contender {
    if options.peer == "sheaf" { return .sheaf(try options.program ?? builtProduct("sheaf")) }
    guard let peer = Contender.peers.first(where: { $0.name == options.peer }) else {
      throw HostileOptions.UsageError(description: "no peer \(options.peer)")
    }
    return peer
  }

  /// Unbuffered, so that a slow matrix can be watched.
  private static func say(_ text: String, to descriptor: CInt = STDOUT_FILENO) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }
}
