import TestSupport
import Testing

/// Small parts of what `make soak` does at length (docs/soak.md).
@Suite("Soak", .serialized)
struct SoakTests {
  @Test("whichever system call fails: no wrong file, an honest status, and the next run completes it")
  func errors() async throws { try await play("errors") }

  @Test("a disk of whatever size: status 9 and nothing under the final name, or the file")
  func sizes() async throws { try await play("sizes") }

  @Test("too few descriptors and too small a limit for files: an honest status, and the next run completes it")
  func limits() async throws { try await play("limits") }

  @Test("ext4, xfs and btrfs: killed, full, and after power cuts")
  func fileSystems() async throws { try await play("file-systems") }

  @Test("200 cycles of kill -9, each resumed to the right SHA-256")
  func kill() async throws { try await play("kill") }

  @Test("random servers and random options")
  func scenarios() async throws { try await play("scenarios") }

  @Test("downloads in one process, one after the other and many at once", arguments: ["churn", "many"])
  func library(part: String) async throws { try await play(part) }

  /// What was left out, and why, is in what it prints.
  private func play(_ part: String) async throws {
    let soak = try await ChildProcess.run(try builtProduct("sheaf-soak"), ["--quick", "--only=\(part)"])
    print(soak.output, terminator: "")
    #expect(soak.status == .exited(0), "\(soak.output)\(soak.errors)")
  }
}
