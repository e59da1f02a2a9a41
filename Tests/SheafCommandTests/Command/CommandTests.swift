import TestSupport
import Testing

@testable import SheafCommand

@Suite("The built command")
struct CommandTests {
  @Test(
    "ends with 28 and one line on a usage error",
    arguments: [
      [], ["--splt=2", "http://127.0.0.1:1/"], ["ftp://127.0.0.1/"], ["-x", "0", "http://127.0.0.1:1/"],
      ["-o", "x", "http://127.0.0.1:1/", "http://127.0.0.1:1/"], ["inspect"], ["--checksum=00", "http://127.0.0.1:1/"],
    ])
  func usage(arguments: [String]) async throws {
    let run = try await runSheaf(arguments)
    #expect(run.status == .exited(28))
    #expect(run.output == "")
    #expect(run.errors.hasPrefix("sheaf: error: ") && run.errors.contains("; "))
    #expect(run.errors.split(separator: "\n", omittingEmptySubsequences: false).count == 2)
  }

  @Test("prints version and help on standard output")
  func texts() async throws {
    let version = try await runSheaf(["--version"])
    #expect(version.status == .exited(0) && version.output == "sheaf \(Version.number)\n" && version.errors == "")
    let help = try await runSheaf(["--help"])
    #expect(help.status == .exited(0) && help.output == Help.fetching && help.errors == "")
  }

  @Test("puts the path on standard output and a summary on standard error")
  func summary() async throws {
    let entity = Entity(seed: 1, size: 3_000_000)
    let origin = try Origin(entity: entity)
    let directory = try TemporaryDirectory()
    let run = try await runSheaf(["-d", "in/here", origin.url], in: directory)
    #expect(run.status == .exited(0))
    #expect(run.output == "in/here/file.bin\n")
    #expect(run.errors.hasPrefix("sheaf: file.bin: 2.9 MiB in "))
    #expect(run.errors.split(separator: "\n").count == 1)
    #expect(!run.errors.contains("\u{1B}"))
    #expect(entity.matches(fileAt: directory.file("in/here/file.bin")))
  }

  @Test("is silent when asked")
  func quiet() async throws {
    let origin = try Origin(entity: Entity(seed: 1, size: 1000))
    let directory = try TemporaryDirectory()
    let run = try await runSheaf(["-q", origin.url], in: directory)
    #expect(run.status == .exited(0) && run.output == "" && run.errors == "")
  }

  @Test(
    "says each failure in one line with its own status",
    arguments: [
      ("always-404", 3), ("always-403", 24), ("always-400", 22), ("redirect-loop", 23), ("claims-gzip", 22),
    ] as [(String, Int32)])
  func failures(behaviour: String, status: Int32) async throws {
    let entity = Entity(seed: 1, size: 100_000)
    let named = try #require(NamedBehaviour.named(behaviour))
    let origin = try Origin(entity: entity, behaviour: named.behaviour(for: entity))
    let directory = try TemporaryDirectory()
    let run = try await runSheaf([origin.url], in: directory)
    #expect(run.status == .exited(status), "\(run.errors)")
    #expect(run.output == "")
    #expect(run.errors.split(separator: "\n").filter { $0.hasPrefix("sheaf: error: ") }.count == 1)
    #expect(directory.names() == [])
  }

  @Test("ends with 6 when nobody listens, 19 when there is no such host")
  func network() async throws {
    let directory = try TemporaryDirectory()
    let refused = try await runSheaf(["http://127.0.0.1:\(try LoopbackSocket.freePort())/x"], in: directory)
    #expect(refused.status == .exited(6))
    // RFC 6761 section 6.4: never resolved.
    let unknown = try await runSheaf(["http://name.invalid/x"], in: directory)
    #expect(unknown.status == .exited(19))
    #expect(directory.names() == [])
  }

  @Test("exists: 13; already complete: 0 and nothing fetched; in use: 11")
  func targets() async throws {
    let entity = Entity(seed: 2, size: 2_000_000)
    let origin = try Origin(entity: entity)
    let directory = try TemporaryDirectory()
    #expect(try await runSheaf([origin.url], in: directory).status == .exited(0))
    let again = try await runSheaf([origin.url], in: directory)
    #expect(again.status == .exited(0) && again.errors.contains("already complete"))
    try directory.write("mine", to: "file.bin")
    let exists = try await runSheaf([origin.url], in: directory)
    #expect(exists.status == .exited(13) && exists.errors.contains("--allow-overwrite"))
    origin.serve(entity, behaviour: .correct.rate(100_000))
    let first = try startSheaf(["-o", "other", origin.url], in: directory)
    #expect(await origin.reached(seconds: 120) { $0.requests.last?.bodyBytes ?? 0 > 0 })
    let second = try await runSheaf(["-o", "other", origin.url], in: directory)
    #expect(second.status == .exited(11))
    first.kill(9)
    _ = await first.result()
  }

  @Test("stops at a signal with 7, says how to continue, and continues", arguments: [2, 15] as [Int32])
  func signals(signal: Int32) async throws {
    // Sixteen connections need half a minute for it, so the signal may come late.
    let entity = Entity(seed: 3, size: 512 << 20)
    let origin = try Origin(entity: entity, behaviour: .correct.rate(1 << 20))
    let directory = try TemporaryDirectory()
    let stopped = try startSheaf(["-k2M", "--auto-save-interval=0.05", origin.url], in: directory)
    #expect(await origin.reached(seconds: 120) { $0.bytesSent >= 28 << 20 })
    stopped.kill(signal)
    let result = await stopped.result()
    #expect(result.status == .exited(7))
    #expect(result.errors.contains("run the same command again to continue"))
    #expect(directory.names() == ["file.bin.part", "file.bin.sheaf"])
    let inspected = try await runSheaf(["inspect", "file.bin.sheaf"], in: directory)
    #expect(inspected.status == .exited(0) && inspected.output.contains("#"))
    origin.serve(entity)
    let continued = try await runSheaf([origin.url], in: directory)
    #expect(continued.status == .exited(0) && continued.errors.contains("kept from an earlier run"))
    #expect(entity.matches(fileAt: directory.file("file.bin")))
  }

  @Test("speaks JSON, one object a line, without secrets")
  func json() async throws {
    let entity = Entity(seed: 4, size: 12 << 20)
    let origin = try Origin(entity: entity)
    let directory = try TemporaryDirectory()
    let url = "http://user:secret@127.0.0.1:\(origin.port)/file.bin?token=secret"
    let run = try await runSheaf(["--json", "--checksum", hexadecimal(entity.sha256()), url], in: directory)
    #expect(run.status == .exited(0), "\(run.errors)")
    let lines = run.output.split(separator: "\n")
    #expect(lines.first?.contains(#""event":"start""#) == true)
    #expect(
      lines.last?.contains(#""event":"complete""#) == true && lines.last?.contains(#""verified":["sha-256"]"#) == true)
    #expect(lines.allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") })
    #expect(!run.output.contains("secret") && !run.errors.contains("secret"))
  }

  @Test("several downloads run at once and end with the last error's status")
  func several() async throws {
    let origin = try Origin()
    for index in 1...3 { origin.serve(Entity(seed: UInt64(index), size: 100_000), at: "/f\(index)") }
    let directory = try TemporaryDirectory()
    let urls = (1...3).map { origin.url("/f\($0)") }
    #expect(try await runSheaf(urls, in: directory).status == .exited(0))
    #expect(directory.names() == ["f1", "f2", "f3"])
    let run = try await runSheaf(["-j1", origin.url("/missing"), origin.url("/f1")], in: directory)
    #expect(run.status == .exited(3))
  }

  @Test("a closed standard output stops the download but loses nothing")
  func closedOutput() async throws {
    let origin = try Origin(entity: Entity(seed: 5, size: 1_000_000))
    let directory = try TemporaryDirectory()
    let shell = try ChildProcess(
      "sh", ["-c", "\"$0\" --json \"$1\" | head -c 1 >/dev/null; exit 0", try builtProduct("sheaf"), origin.url],
      directory: directory.path)
    #expect(await shell.result().status == .exited(0))
    let again = try await runSheaf([origin.url], in: directory)
    #expect(again.status == .exited(0))
  }
}
