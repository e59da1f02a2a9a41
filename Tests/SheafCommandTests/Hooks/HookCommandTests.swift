import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@testable import SheafCommand

@Suite("Hooks of the command")
struct HookCommandTests {
  let directory: TemporaryDirectory
  let origin: Origin

  init() throws {
    directory = try TemporaryDirectory()
    origin = try Origin(entity: Entity(seed: 1, size: 5000))
  }

  /// A program that notes its arguments and what it finds in its environment, as one line.
  func script(_ name: String, _ line: String) throws -> String {
    try directory.write("#!/bin/sh\n\(line)\n", to: name)
    try #require(chmod(directory.file(name), 0o700) == 0)
    return directory.file(name)
  }

  /// Hooks are not waited for; what they write comes soon.
  func lines(of name: String, count: Int) async throws -> [Substring] {
    let wait = try await ChildProcess.run(
      "sh",
      [
        "-c",
        "i=0; while [ $(cat \(name) 2>/dev/null | wc -l) -lt \(count) ] && [ $i -lt 6000 ]; do i=$((i+1)); sleep 0.01; done; cat \(name)",
      ],
      directory: directory.path)
    return wait.output.split(separator: "\n")
  }

  @Test("run when a download begins and when it is complete, without a shell in between")
  func complete() async throws {
    let note = try script(
      "note", #"echo "$1 $2 $3|$#|$SHEAF_EVENT $SHEAF_STATUS $SHEAF_BYTES $SHEAF_URL" >> notes; echo said"#)
    let out = "a b;$(touch bad).bin"
    let run = try await runSheaf(
      [
        "--on-download-start", note, "--on-download-complete", note, "--gid=00000000000000aa", "-o", out,
        origin.url + "?token=secret",
      ], in: directory)
    #expect(run.status == .exited(0) && run.output == "\(out)\n", "\(run.errors)")
    let lines = try await lines(of: "notes", count: 2)
    #expect(
      Set(lines) == [
        "00000000000000aa 1 \(out)|3|start   \(origin.url)",
        "00000000000000aa 1 \(out)|3|complete 0 5000 \(origin.url)",
      ])
    #expect(!directory.names().contains("bad"))
  }

  @Test("tell failures by the status, and a hook that cannot be run is a warning")
  func failure() async throws {
    let note = try script("note", #"echo "$SHEAF_EVENT $SHEAF_STATUS $SHEAF_STATUS_NAME" >> notes"#)
    let run = try await runSheaf(
      ["--on-download-start=./nowhere", "--on-download-stop", note, origin.url("/none")], in: directory)
    #expect(run.status == .exited(3))
    #expect(run.errors.contains("the hook ./nowhere cannot be run"), "\(run.errors)")
    #expect(try await lines(of: "notes", count: 1) == ["error 3 not-found"])
  }

  @Test("of many downloads are all run, reaped, and wait for nobody")
  func many() async throws {
    let note = try script("note", #"echo "$3" >> notes"#)
    for index in 0..<60 { origin.serve(Entity(seed: 1, size: 100), at: "/f\(index)") }
    let run = try await runSheaf(["-q", "-P", "--on-download-complete", note, origin.url("/f[0-59]")], in: directory)
    #expect(run.status == .exited(0), "\(run.errors)")
    #expect(try await Set(lines(of: "notes", count: 60)).count == 60)
  }

  @Test("that never ends does not keep the command")
  func endless() async throws {
    let note = try script("note", "echo $$ > pid; exec sleep 1000 >/dev/null 2>&1")
    let run = try await runSheaf(["--on-download-complete", note, origin.url], in: directory)
    #expect(run.status == .exited(0))
    let pid = try await lines(of: "pid", count: 1).first.flatMap { Int32($0) }
    kill(try #require(pid), SIGKILL)
  }
}
