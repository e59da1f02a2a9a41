import TestSupport
import Testing

@testable import SheafCommand

/// Real servers: nginx, and Python's http.server, which knows no ranges.
@Suite("Real servers", .serialized)
struct RealServerTests {
  static let entity = Entity(seed: 41, size: 32 << 20)

  private func serve(_ options: NginxServer.Options = .init()) throws -> NginxServer {
    let server = try NginxServer(options: options)
    try Self.entity.write(toFileAt: "\(server.root)/file.bin")
    return server
  }

  @Test("nginx: many connections, the right file, and known again")
  func nginx() async throws {
    let server = try serve()
    let directory = try TemporaryDirectory()
    let sum = hexadecimal(Self.entity.sha256())
    let run = try await runSheaf(["--checksum=sha-256=\(sum)", server.url("/file.bin")], in: directory)
    #expect(run.status == .exited(0), "\(run.errors)")
    #expect(Self.entity.matches(fileAt: directory.file("file.bin")))
    #expect(directory.names() == ["file.bin"])
    let again = try await runSheaf([server.url("/file.bin")], in: directory)
    #expect(again.errors.contains("already complete"))
    #expect(server.accessLog().split(separator: "\n").last?.hasPrefix("304 ") == true)
  }

  @Test("nginx over TLS: verified with the right authority, refused without")
  func tls() async throws {
    var options = NginxServer.Options()
    options.tls = true
    let server = try serve(options)
    let directory = try TemporaryDirectory()
    let refused = try await runSheaf([server.url("/file.bin")], in: directory)
    #expect(refused.status == .exited(6))
    #expect(directory.names() == [])
    #expect(server.accessLog() == "")
    let authority = try #require(server.certificate)
    let run = try await runSheaf(["--ca-certificate", authority, server.url("/file.bin")], in: directory)
    #expect(run.status == .exited(0), "\(run.errors)")
    #expect(Self.entity.matches(fileAt: directory.file("file.bin")))
    let insecure = try await runSheaf(["--insecure", "-o", "again", server.url("/file.bin")], in: directory)
    #expect(insecure.status == .exited(0))
  }

  @Test("nginx that caps each connection: all of them are used")
  func capped() async throws {
    var options = NginxServer.Options()
    options.limitRate = 4 << 20
    let server = try serve(options)
    let directory = try TemporaryDirectory()
    let run = try await runSheaf(["--json", server.url("/file.bin")], in: directory)
    #expect(run.status == .exited(0))
    #expect(run.output.contains(#""connections_peak":16"#))
    #expect(Self.entity.matches(fileAt: directory.file("file.bin")))
  }

  @Test("nginx that bears few connections: fewer are used, and nothing fails")
  func limited() async throws {
    var options = NginxServer.Options()
    options.limitConnections = 3
    let server = try serve(options)
    let directory = try TemporaryDirectory()
    let run = try await runSheaf([server.url("/file.bin")], in: directory)
    #expect(run.status == .exited(0), "\(run.errors)")
    #expect(Self.entity.matches(fileAt: directory.file("file.bin")))
  }

  @Test("three of nginx, one slow and one with another file: the right file, and the wrong one is named")
  func mirrors() async throws {
    var options = NginxServer.Options()
    options.limitRate = 1 << 20
    let good = try serve(options)
    let wrong = try NginxServer(options: options)
    try Entity(seed: 43, size: Self.entity.size).write(toFileAt: "\(wrong.root)/file.bin")
    options.limitRate = 10_000
    let slow = try serve(options)
    let directory = try TemporaryDirectory()
    let run = try await runSheaf(
      [
        "--json", "--mirror", slow.url("/file.bin"), "--mirror", wrong.url("/file.bin"), "-x8", good.url("/file.bin"),
      ], in: directory)
    #expect(run.status == .exited(0), "\(run.errors)")
    #expect(Self.entity.difference(fromFileAt: directory.file("file.bin")) == nil)
    #expect(run.output.contains("\(wrong.port)/file.bin: it sends another file"), "\(run.output)")
    #expect(!slow.accessLog().isEmpty && !wrong.accessLog().isEmpty)
  }

  @Test("a server without ranges: one stream")
  func python() async throws {
    let root = try TemporaryDirectory()
    try Self.entity.write(toFileAt: root.file("file.bin"))
    let server = try PythonFileServer(root: root.path)
    let directory = try TemporaryDirectory()
    let run = try await runSheaf(["-v", server.url("/file.bin")], in: directory)
    #expect(run.status == .exited(0), "\(run.errors)")
    #expect(run.errors.contains("one stream"))
    #expect(Self.entity.matches(fileAt: directory.file("file.bin")))
  }

  @Test("more than 4 GiB", .timeLimit(.minutes(3)))
  func large() async throws {
    let entity = Entity(seed: 42, size: (4 << 30) + 4097)
    let origin = try Origin(entity: entity)
    let directory = try TemporaryDirectory()
    let run = try await runSheaf(["--fsync-policy=off", origin.url], in: directory)
    #expect(run.status == .exited(0), "\(run.errors)")
    #expect(entity.difference(fromFileAt: directory.file("file.bin")) == nil)
  }
}
