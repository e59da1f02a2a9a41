import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite("What is remembered of servers")
struct ServerMemoryTests {
  private let entity = Entity(seed: 98, size: 12 << 20)
  let directory: TemporaryDirectory
  let origins: [Origin]

  init() throws {
    directory = try TemporaryDirectory()
    let entity = entity
    origins = try (0..<3).map { _ in try Origin(entity: entity, behaviour: .correct.rate(8 << 20)) }
  }

  private func fetch(_ more: [String], mirrors: [String]? = nil) async throws -> ChildProcess.Result {
    let mirrors = (mirrors ?? origins.dropFirst().map(\.url)).map { "--mirror=\($0)" }
    let always = ["-v", "-x2", "--fsync-policy=off", "--no-continue", "--allow-overwrite"]
    let run = try await runSheaf(
      always + more + mirrors + [origins[0].url], in: directory, environment: ["XDG_STATE_HOME": directory.path])
    #expect(run.status == .exited(0), "\(run)")
    #expect(entity.matches(fileAt: directory.file("file.bin")))
    return run
  }

  @Test("a mirror that failed is asked last the next time, and only the owner can read about it")
  func failing() async throws {
    let dead = "http://127.0.0.1:\(try LoopbackSocket.freePort())/file.bin"
    let mirrors = [dead, origins[1].url]
    let first = try await fetch([], mirrors: mirrors)
    #expect(!first.errors.contains("the order of the mirrors"), "\(first)")
    let path = directory.file("sheaf/servers")
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(TemporaryDirectory.names(in: directory.file("sheaf")) == ["servers"])
    let text = String(decoding: try directory.read("sheaf/servers"), as: UTF8.self)
    #expect(text.hasPrefix("sheaf-servers 1\n") && text.contains("http\t127.0.0.1\t\(origins[0].port)\t"), "\(text)")
    let second = try await fetch([], mirrors: mirrors)
    #expect(second.errors.contains("the order of the mirrors"), "\(second)")
    let third = try await fetch(["--no-server-stat"], mirrors: mirrors)
    #expect(!third.errors.contains("the order of the mirrors"), "\(third)")
  }

  @Test("a faster mirror is asked first, by what a file says")
  func faster() async throws {
    let now = time(nil)
    let lines = zip(origins, [9_000_000, 1_000, 5_000]).map { "http\t127.0.0.1\t\($0.port)\t\($1)\t\(now)\t-\n" }
    try directory.write("sheaf-servers 1\n" + lines.joined(), to: "stat")
    let run = try await fetch(["--server-stat-file=stat"])
    #expect(run.errors.contains("the order of the mirrors"), "\(run)")
    #expect(!directory.names().contains("sheaf"))
  }

  @Test("a file of another kind is left alone, and one that cannot be written is no failure")
  func unusable() async throws {
    try directory.write("mine", to: "stat")
    let other = try await fetch(["--server-stat-file=stat"])
    #expect(other.errors.contains("the file is of another kind or version"), "\(other)")
    #expect(try directory.read("stat") == Array("mine".utf8))
    let nowhere = try await fetch(["--server-stat-file=/dev/null/x"])
    #expect(nowhere.errors.contains("servers are not remembered"), "\(nowhere)")
  }

  @Test("without mirrors nothing is remembered")
  func single() async throws {
    _ = try await fetch([], mirrors: [])
    #expect(directory.names() == ["file.bin"])
  }
}
