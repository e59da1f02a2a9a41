import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ProcessTests {
  @Test("keeps a child's output, its environment, its directory and its exit status")
  func child() async throws {
    let directory = try TemporaryDirectory()
    let result = try await ChildProcess.run(
      "sh", ["-c", "echo $WORD; pwd; echo wrong >&2; ls /proc/self/fd 2>/dev/null | wc -l; exit 3"],
      environment: ["WORD": "hello", "HOME": nil], directory: directory.path)
    #expect(result.status == .exited(3))
    let lines = result.output.split(separator: "\n")
    #expect(lines.prefix(2) == ["hello", directory.path[...]])
    #expect(result.errors == "wrong\n")
    #expect(result.peakMemory > 0)
  }

  @Test("takes in more output than a pipe holds")
  func muchOutput() throws {
    let child = try ChildProcess("sh", ["-c", "yes 0123456789 | head -c 1000000; yes e | head -c 200000 >&2"])
    #expect(child.wait() == .exited(0))
    #expect(child.text(of: .output).utf8.count == 1_000_000)
    #expect(child.text(of: .errors).utf8.count == 200_000)
  }

  @Test("kills a child and says by which signal")
  func kills() throws {
    let child = try ChildProcess("sh", ["-c", "echo ready; exec sleep 1000"])
    #expect(child.line(containing: "ready") == "ready")
    child.kill(9)
    #expect(child.wait() == .signalled(9))
    child.kill(9)
  }

  @Test("says that a program does not exist")
  func missing() {
    #expect(throws: SystemCallFailure.self) { try ChildProcess("/nonexistent/program") }
  }

  @Test("removes a temporary directory with all that is in it")
  func directories() throws {
    var directory: TemporaryDirectory? = try TemporaryDirectory()
    let inner = try TemporaryDirectory(in: directory!.path)
    try inner.write("text", to: "file")
    let parent = try TemporaryDirectory()
    #expect(directory!.names().count == 1)
    let path = directory!.path
    directory = nil
    #expect(throws: SystemCallFailure.self) { try TemporaryDirectory(in: path) }
    #expect(parent.names().isEmpty)
  }

  @Test("runs sheaf-origin until it is told to stop")
  func originCommand() async throws {
    let command = try ChildProcess(
      builtProduct("sheaf-origin"), ["--size", "64K", "--seed=3", "--behaviour", "no-validator", "--print-sha256"])
    let line = try #require(command.line(containing: "listening on "))
    let digest = hexadecimal(Entity(seed: 3, size: 64 << 10).sha256())
    #expect(command.line(containing: "sha-256 ") == "sha-256 \(digest)")
    let curl = try await ChildProcess.run("curl", ["-sSi", "-r", "0-9", String(line.dropFirst(13))])
    #expect(curl.output.hasPrefix("HTTP/1.1 206 "))
    #expect(!curl.output.contains("ETag"))
    command.kill(15)
    #expect(command.wait() == .exited(0))
  }

  @Test(
    "refuses a command line it does not understand",
    arguments: [
      ["--size", "x"], ["--port", "70000"], ["--behaviour", "none such"], ["--what"], ["--size"], ["--rate", "0"],
      ["--size", "9999999T"],
    ])
  func originUsage(arguments: [String]) async throws {
    let result = try await ChildProcess.run(builtProduct("sheaf-origin"), arguments)
    #expect(result.status == .exited(2))
    #expect(result.output.isEmpty)
    #expect(result.errors.contains(arguments[0]))
  }

  @Test("runs nginx plainly and with TLS", .enabled(if: NginxServer.isInstalled), arguments: [false, true])
  func nginx(tls: Bool) async throws {
    var options = NginxServer.Options()
    options.tls = tls
    let server = try NginxServer(options: options)
    let entity = Entity(seed: 1, size: 10_000)
    try entity.write(toFileAt: "\(server.root)/file.bin")
    let directory = try TemporaryDirectory()
    let trust = server.certificate.map { ["--cacert", $0] } ?? []
    let result = try await ChildProcess.run(
      "curl", ["-sS", "--noproxy", "*", "-o", directory.file("out"), server.url("/file.bin")] + trust)
    #expect(result.status == .exited(0), "\(result.errors)")
    #expect(entity.matches(fileAt: directory.file("out")))
  }

  @Test("runs Python's file server")
  func python() async throws {
    let directory = try TemporaryDirectory()
    try directory.write("hello", to: "greeting")
    let server = try PythonFileServer(root: directory.path)
    let result = try await ChildProcess.run("curl", ["-sS", "--noproxy", "*", server.url("/greeting")])
    #expect(result.output == "hello", "\(result.errors)")
  }
}
