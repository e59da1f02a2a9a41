import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@testable import SheafCommand

@Suite("Downloads from a list")
struct ListTests {
  let directory: TemporaryDirectory
  let origin: Origin

  init() throws {
    directory = try TemporaryDirectory()
    origin = try Origin()
    for index in 1...5 { origin.serve(Self.entity(index), at: "/f\(index)") }
  }

  static func entity(_ index: Int) -> Entity { Entity(seed: UInt64(index), size: Int64(index) * 1000) }

  func list(_ lines: String...) throws -> String {
    try directory.write(lines.map { $0.replacing("ORIGIN", with: origin.url("")) + "\n" }.joined(), to: "list")
    return "list"
  }

  @Test("fetches each line with its own options, after the URLs of the command line")
  func fetches() async throws {
    let sum = hexadecimal(Self.entity(2).sha256())
    let list = try list("# two", "ORIGIN/f1", "", "ORIGIN/f2", " out=two", " dir=sub", " checksum=sha-256=\(sum)")
    let run = try await runSheaf(["-i", list, origin.url("/f3")], in: directory)
    #expect(run.status == .exited(0), "\(run.errors)")
    #expect(Set(run.output.split(separator: "\n")) == ["f1", "sub/two", "f3"])
    #expect(Self.entity(1).matches(fileAt: directory.file("f1")))
    #expect(Self.entity(2).matches(fileAt: directory.file("sub/two")))
    #expect(Self.entity(3).matches(fileAt: directory.file("f3")))
  }

  @Test("further URLs of a line are mirrors of its file")
  func mirrors() async throws {
    origin.serve(Self.entity(7), behaviour: .correct, at: "/mirror/f7")
    let list = try list("ORIGIN/gone/f7\tORIGIN/mirror/f7")
    let run = try await runSheaf(["-i", list], in: directory)
    #expect(run.status == .exited(0), "\(run.errors)")
    #expect(run.errors.contains("/gone/f7: the server has no such file"), "\(run.errors)")
    #expect(Self.entity(7).matches(fileAt: directory.file("f7")))
  }

  @Test(
    "a bad line of a file: 28, where it stands, and nothing is started",
    arguments: [
      (["ORIGIN/f1", " outt=x"], "list:2: unknown option 'outt'; did you mean out?"),
      (["ORIGIN/f1", "", "ORIGIN/f2\tftp://h/x"], "list:3: cannot fetch"),
      (["ORIGIN/f1", "ftp://h/x"], "list:2: cannot fetch"), ([" out=x"], "list:1: an option stands before"),
      (["ORIGIN/f1", "ORIGIN/f2", " out=f1"], "list:2: line 1 would be written to 'f1' too"),
    ])
  func badLine(lines: [String], message: String) async throws {
    try directory.write(lines.map { $0.replacing("ORIGIN", with: origin.url("")) + "\n" }.joined(), to: "list")
    let run = try await runSheaf(["-i", "list"], in: directory)
    #expect(run.status == .exited(28))
    #expect(run.errors.contains("sheaf: error: \(message)"), "\(run.errors)")
    #expect(origin.log.requests.isEmpty && directory.names() == ["list"])
  }

  @Test("a bad line of a pipe fails alone, when it is reached")
  func pipe() async throws {
    let list = try list("ORIGIN/f1", "ORIGIN/f2", " outt=x", "ORIGIN/f3", "  out=three")
    let shell = try ChildProcess(
      "sh", ["-c", "cat \"$1\" | \"$0\" -i -", try builtProduct("sheaf"), list], directory: directory.path)
    let run = await shell.result()
    #expect(run.status == .exited(28), "\(run.errors)")
    #expect(run.errors.contains("sheaf: error: standard input:3: unknown option 'outt'"), "\(run.errors)")
    #expect(directory.names() == ["f1", "list", "three"])
  }

  @Test("a list packed by gzip is read, from a file and from a pipe; one that is cut is refused")
  func packed() async throws {
    let list = try list("ORIGIN/f1", "ORIGIN/f2", " out=two")
    let shell = try ChildProcess(
      "sh",
      ["-c", "gzip -k $1 && $0 -q -i $1.gz && rm f1 two && cat $1.gz | $0 -q -i -", try builtProduct("sheaf"), list],
      directory: directory.path)
    let run = await shell.result()
    #expect(run.status == .exited(0), "\(run.errors)")
    #expect(directory.names() == ["f1", "list", "list.gz", "two"])
    let whole = try directory.read("list.gz")
    try directory.write(Array(whole.dropLast(4)), to: "cut.gz")
    let cut = try await runSheaf(["-i", "cut.gz"], in: directory)
    #expect(cut.status == .exited(28) && cut.errors.contains("ends too early"), "\(cut.errors)")
  }

  @Test("a pattern fetches all it stands for, and shards of it what is theirs")
  func patterns() async throws {
    let run = try await runSheaf(["-P", "-o", "part-#1", origin.url("/f[1-3]")], in: directory)
    #expect(run.status == .exited(0), "\(run.errors)")
    #expect(directory.names() == ["part-1", "part-2", "part-3"])
    let shard = try await runSheaf(["-P", "--shard=2/2", origin.url("/f[1-5]")], in: directory)
    #expect(shard.status == .exited(0) && Set(shard.output.split(separator: "\n")) == ["f2", "f4"], "\(shard.errors)")
  }

  @Test("a signal ends a run that waits for its list")
  func stoppedPipe() async throws {
    try #require(mkfifo(directory.file("pipe"), 0o600) == 0)
    // Open for both, so that neither side waits for the other, and the list never ends.
    let writer = open(directory.file("pipe"), O_RDWR)
    defer { close(writer) }
    let lines = Array("\(origin.url("/f1"))\n\(origin.url("/f2"))\n".utf8)
    try #require(write(writer, lines, lines.count) == lines.count)
    let run = try startSheaf(["-i", "pipe"], in: directory)
    #expect(await origin.reached(seconds: 120) { !$0.requests.isEmpty })
    run.kill(15)
    let result = await run.result()
    #expect(result.status == .exited(7))
    #expect(result.errors.contains("the rest of pipe was not begun; run the same command again"), "\(result.errors)")
  }

  @Test("an empty list is no error, a missing one is")
  func emptyAndMissing() async throws {
    let empty = try await runSheaf(["-i", try list("# nothing")], in: directory)
    #expect(empty.status == .exited(0) && empty.output == "")
    for path in ["nowhere", "."] {
      let missing = try await runSheaf(["-i", path], in: directory)
      #expect(missing.status == .exited(28) && missing.errors.contains("list \(path)"), "\(missing.errors)")
    }
  }

  @Test("two URLs with one target are refused before anything is started")
  func sameTarget() async throws {
    let run = try await runSheaf([origin.url("/f1"), origin.url("/f1?again")], in: directory)
    #expect(run.status == .exited(28) && run.errors.contains("two URLs would be written to 'f1'"), "\(run.errors)")
    #expect(origin.log.requests.isEmpty)
  }

  @Test("options about one file do not go with a list", arguments: [["-o", "x"], ["--checksum=00000000"]])
  func single(arguments: [String]) async throws {
    let run = try await runSheaf(arguments + ["-i", "-"], in: directory)
    #expect(run.status == .exited(28) && run.errors.contains("for a list"))
  }

  @Test("many small files are all there and right", arguments: ["full", "checkpoint", "off"])
  func manySmall(policy: String) async throws {
    let server = try NginxServer()
    var lines = ""
    for index in 0..<500 {
      try Self.small(index).write(toFileAt: "\(server.root)/s\(index)")
      lines += server.url("/s\(index)") + "\n dir=\(index % 3)\n"
    }
    try directory.write(lines, to: "list")
    let run = try await runSheaf(["-q", "--fsync-policy=\(policy)", "-i", "list"], in: directory)
    #expect(run.status == .exited(0) && run.errors == "", "\(run.errors)")
    for index in 0..<500 {
      #expect(Self.small(index).matches(fileAt: directory.file("\(index % 3)/s\(index)")))
    }
    #expect(directory.names() == ["0", "1", "2", "list"])
  }

  private static func small(_ index: Int) -> Entity { Entity(seed: UInt64(1000 + index), size: Int64(index * 41)) }
}
