import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@testable import SheafCommand

@Suite("The configuration file")
struct ConfigCommandTests {
  let directory: TemporaryDirectory
  let origin: Origin

  init() throws {
    directory = try TemporaryDirectory()
    origin = try Origin(entity: Entity(seed: 1, size: 1000))
    try #require(mkdir(directory.file("sheaf"), 0o700) == 0)
  }

  func run(_ arguments: [String], _ environment: [String: String?] = [:]) async throws -> ChildProcess.Result {
    try await runSheaf(
      arguments, in: directory, environment: ["XDG_CONFIG_HOME": directory.path].merging(environment) { $1 })
  }

  @Test("is read from its usual place, from another one, or not at all")
  func places() async throws {
    try directory.write("dir=usual\n", to: "sheaf/sheaf.conf")
    try directory.write("dir=other\n", to: "c")
    #expect(try await run([origin.url]).output == "usual/file.bin\n")
    #expect(try await run(["--conf-path=c", origin.url]).output == "other/file.bin\n")
    #expect(try await run(["-d", "own", origin.url]).output == "own/file.bin\n")
    #expect(try await run([origin.url], ["SHEAF_OPTIONS": "-d env"]).output == "env/file.bin\n")
    #expect(try await run(["--no-conf", origin.url]).output == "file.bin\n")
    let missing = try await run(["--conf-path=nowhere", origin.url])
    #expect(missing.status == .exited(28) && missing.errors.contains("nowhere"))
  }

  @Test("sends the header fields of a profile to its host")
  func profile() async throws {
    try directory.write(
      "[host 127.0.0.1]\nheader=X-Own: yes\n[host other]\nheader=X-Other: no\n", to: "sheaf/sheaf.conf")
    chmod(directory.file("sheaf/sheaf.conf"), 0o600)
    let result = try await run([origin.url])
    #expect(result.status == .exited(0), "\(result.errors)")
    let request = try #require(origin.log.requests.first)
    #expect(request.headers["X-Own"] == "yes" && request.headers["X-Other"] == nil)
  }

  @Test("with secrets in it that others may read is refused, and so is one that others may change")
  func permissions() async throws {
    let path = directory.file("sheaf/sheaf.conf")
    try directory.write("[host 127.0.0.1]\nheader=X-Own: hunter2\n", to: "sheaf/sheaf.conf")
    chmod(path, 0o644)
    let readable = try await run([origin.url])
    #expect(readable.status == .exited(28) && readable.errors.contains("chmod 600"), "\(readable.errors)")
    #expect(!readable.errors.contains("hunter2"))
    try directory.write("quiet\n", to: "sheaf/sheaf.conf")
    chmod(path, 0o622)
    let writable = try await run([origin.url])
    #expect(writable.status == .exited(28) && writable.errors.contains("others may change"), "\(writable.errors)")
    chmod(path, 0o644)
    #expect(try await run([origin.url]).status == .exited(0))
  }

  @Test("a mistake names file and line, and one in the environment its variable")
  func mistakes() async throws {
    try directory.write("\nspilt=2\n", to: "sheaf/sheaf.conf")
    let file = try await run([origin.url])
    #expect(
      file.status == .exited(28) && file.errors.contains("sheaf.conf:2: unknown option 'spilt'"), "\(file.errors)")
    let variable = try await run(["--no-conf", origin.url], ["SHEAF_OPTIONS": "--spilt=2"])
    #expect(
      variable.status == .exited(28) && variable.errors.contains("SHEAF_OPTIONS: unknown option"), "\(variable.errors)")
    #expect(origin.log.requests.isEmpty)
  }

  @Test("beside it, header fields from a pipe are read once and reach every download")
  func pipe() async throws {
    try directory.write("[host 127.0.0.1]\nmax-tries=2\n", to: "sheaf/sheaf.conf")
    let run = try await ChildProcess.run(
      "bash",
      ["-c", #""$0" -P -H @<(echo 'X-Own: yes') "$1"/{file.bin,none}"#, try builtProduct("sheaf"), origin.url("")],
      environment: ["XDG_CONFIG_HOME": directory.path, "XDG_STATE_HOME": "/dev/null"], directory: directory.path)
    #expect(run.status == .exited(3), "\(run.errors)")
    #expect(origin.log.requests.count == 2)
    #expect(origin.log.requests.allSatisfy { $0.headers["X-Own"] == "yes" })
  }
}
