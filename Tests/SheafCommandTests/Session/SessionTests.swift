import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@testable import SheafCommand

@Suite("A session")
struct SessionTests {
  let directory: TemporaryDirectory
  let origin: Origin

  init() throws {
    directory = try TemporaryDirectory()
    origin = try Origin()
    for index in 1...3 { origin.serve(Entity(seed: UInt64(index), size: 1000), at: "/f\(index)") }
  }

  var saved: [Substring] {
    get throws { String(decoding: try directory.read("s"), as: UTF8.self).split(separator: "\n") }
  }

  @Test("holds what has failed, with its options but without header fields, and can be read again")
  func failed() async throws {
    let list = """
      \(origin.url("/f1"))
      \(origin.url("/late?token=a"))\t\(origin.url("/late2"))
       out=two
       header=Authorization: Bearer hunter2
       max-tries=2
      """
    try directory.write(list, to: "list")
    let run = try await runSheaf(["-q", "-d", "sub", "-i", "list", "--save-session=s"], in: directory)
    #expect(run.status == .exited(3), "\(run.errors)")
    let lines = try saved
    #expect(lines.count == 5, "\(lines)")
    #expect(lines[0] == "\(origin.url("/late?token=a"))\t\(origin.url("/late2"))")
    #expect(lines[1].hasPrefix(" gid=") && lines.contains(" max-tries=2") && lines.contains(" out=two"))
    #expect(lines.contains(" dir=sub") && !"\(lines)".contains("hunter2"))

    origin.serve(Entity(seed: 9, size: 1000), at: "/late")
    let again = try await runSheaf(["-q", "-i", "s", "--save-session=s"], in: directory)
    #expect(again.status == .exited(0), "\(again.errors)")
    #expect(Entity(seed: 9, size: 1000).matches(fileAt: directory.file("sub/two")))
    #expect(try saved == [])
  }

  @Test("of a run that is stopped holds what had not begun as well, and only its owner can read it")
  func stopped() async throws {
    origin.serve(Entity(seed: 1, size: 1 << 20), behaviour: .correct.stalling(after: 1000), at: "/slow")
    try directory.write("\(origin.url("/slow"))\n" + (1...3).map { "\(origin.url("/f\($0)"))\n" }.joined(), to: "list")
    let run = try startSheaf(["-q", "-j1", "-i", "list", "--save-session=s"], in: directory)
    #expect(await origin.reached(seconds: 120) { !$0.requests.isEmpty })
    run.kill(SIGTERM)
    #expect(await run.result().status == .exited(7))
    #expect(
      try saved.filter { $0.hasPrefix("http") }.map(String.init)
        == ["/slow", "/f1", "/f2", "/f3"].map { origin.url($0) })
    var status = stat()
    #expect(stat(directory.file("s"), &status) == 0 && status.st_mode & 0o777 == 0o600)
  }

  @Test("is written while the run goes on")
  func interval() async throws {
    origin.serve(Entity(seed: 1, size: 1 << 20), behaviour: .correct.stalling(after: 1000), at: "/slow")
    let run = try startSheaf(
      ["-q", origin.url("/slow"), "--save-session=s", "--save-session-interval=0.01"], in: directory)
    let wait = try await ChildProcess.run(
      "sh",
      ["-c", "i=0; while ! grep -q /slow s 2>/dev/null && [ $i -lt 6000 ]; do i=$((i+1)); sleep 0.01; done; cat s"],
      directory: directory.path)
    #expect(wait.output.hasPrefix(origin.url("/slow")))
    run.kill(SIGKILL)
    _ = await run.result()
  }

  @Test("that cannot be written is said, and is no success")
  func unwritable() async throws {
    let run = try await runSheaf([origin.url("/f1"), "--save-session=f1/s"], in: directory)
    #expect(run.status == .exited(17) && run.errors.contains("the session is not saved"), "\(run.errors)")
  }
}
