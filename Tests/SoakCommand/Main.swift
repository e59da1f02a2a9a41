import TestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Plays the long runs, one after the other.
@main
struct SoakCommand {
  static func main() async {
    do {
      let options = try SoakOptions(arguments: Array(CommandLine.arguments.dropFirst()))
      if options.showsHelp {
        say(SoakOptions.help)
        return
      }
      var failed = 0
      for part in options.parts {
        let start = monotonicSeconds()
        let tally = try await part.play(options)
        for remark in tally.remarks { say("\(part.rawValue): \(remark)\n") }
        let seconds = Int(monotonicSeconds() - start)
        say("\(part.rawValue): \(tally.passed) passed, \(tally.failed) failed; \(seconds) s\n")
        failed += tally.failed
      }
      exit(failed == 0 ? 0 : 1)
    } catch {
      say("sheaf-soak: \(error); try --help\n", to: STDERR_FILENO)
      exit(2)
    }
  }
}

/// Prints at once, so that a long run can be watched.
func say(_ text: String, to descriptor: CInt = STDOUT_FILENO) {
  var bytes = Array(text.utf8)[...]
  while !bytes.isEmpty {
    let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    guard count > 0 else { return }
    bytes = bytes.dropFirst(count)
  }
}
