import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@testable import SheafCommand

@Suite("Called by another program's name")
struct DialectCommandTests {
  let directory: TemporaryDirectory
  let origin: Origin
  static let entity = Entity(seed: 1, size: 2_000_000)

  init() throws {
    directory = try TemporaryDirectory()
    origin = try Origin(entity: Self.entity)
    for program in Dialect.Program.allCases {
      try #require(symlink(try builtProduct("sheaf"), directory.file(program.rawValue)) == 0)
    }
  }

  func run(_ program: Dialect.Program, _ arguments: [String]) async throws -> ChildProcess.Result {
    try await ChildProcess.run(
      directory.file(program.rawValue), arguments, environment: ["XDG_STATE_HOME": "/dev/null"],
      directory: directory.path)
  }

  @Test("each fetches with the arguments of its own")
  func fetches() async throws {
    let calls: [(Dialect.Program, [String], String)] = [
      (.aria2c, ["-x16", "-s16", "-k1M", "-c", "-d", "a", "-o", "b", origin.url], "a/b"),
      (.curl, ["-fsSL", "-o", "c", origin.url], "c"), (.curl, ["-O", "-C", "-", origin.url], "file.bin"),
      (.wget, ["-q", "-O", "w", origin.url], "w"), (.wget, ["-nv", "-P", "p", origin.url], "p/file.bin"),
      (.axel, ["-n", "4", "-q", "-o", "x", origin.url], "x"),
    ]
    for (program, arguments, name) in calls {
      let run = try await run(program, arguments)
      #expect(run.status == .exited(0), "\(program) \(run.errors)")
      #expect(Self.entity.matches(fileAt: directory.file(name)), "\(program) \(arguments)")
    }
  }

  @Test("aria2's console goes to standard output")
  func console() async throws {
    let run = try await run(.aria2c, [origin.url])
    #expect(run.output.hasSuffix("[NOTICE] Download complete: file.bin\n"))
    let quiet = try await self.run(.aria2c, ["-q", "-o", "quiet", origin.url])
    #expect(quiet.status == .exited(0) && quiet.output == "")
  }

  @Test("curl and wget's -O replace what is there, aria2 only when told")
  func existing() async throws {
    try directory.write("old", to: "f")
    #expect(try await run(.aria2c, ["-o", "f", origin.url]).status == .exited(13))
    #expect(try await run(.curl, ["-so", "f", origin.url]).status == .exited(0))
    #expect(Self.entity.matches(fileAt: directory.file("f")))
    try directory.write("old", to: "f")
    #expect(try await run(.wget, ["-qO", "f", origin.url]).status == .exited(0))
    try directory.write("old", to: "f")
    #expect(try await run(.aria2c, ["--allow-overwrite=true", "-o", "f", origin.url]).status == .exited(0))
  }

  @Test(
    "ends with the other program's statuses",
    arguments: [(.aria2c, 3, 28), (.curl, 22, 2), (.wget, 8, 2), (.axel, 1, 1)] as [(Dialect.Program, Int32, Int32)])
  func statuses(program: Dialect.Program, notFound: Int32, usage: Int32) async throws {
    let missing = try await run(program, [origin.url("/none")])
    #expect(missing.status == .exited(notFound), "\(missing.errors)")
    let unsupported = try await run(program, ["--xyzzy", origin.url])
    #expect(unsupported.status == .exited(usage))
    #expect(
      unsupported.errors.contains("\(program.rawValue)'s option --xyzzy is not supported"), "\(unsupported.errors)")
  }

  @Test("says which options mean nothing")
  func notices() async throws {
    let run = try await run(.aria2c, ["-q", "--seed-time=0", origin.url])
    #expect(
      run.status == .exited(0) && run.errors.contains("aria2c's option --seed-time has no effect"), "\(run.errors)")
  }

  /// Where yt-dlp is; nil without.
  static let ytdlpPath: String? = {
    let candidates = (getenv("PATH").map { String(cString: $0) } ?? "").split(separator: ":").map { "\($0)/yt-dlp" }
    return candidates.first { access($0, X_OK) == 0 }
  }()

  @Test("yt-dlp fetches through it", .enabled(if: DialectCommandTests.ytdlpPath != nil, "yt-dlp is not in PATH"))
  func ytdlp() async throws {
    // What the page is not, but the file itself.
    origin.serve(Self.entity, behaviour: .correct.header("Content-Type", "video/mp4"), at: "/film.mp4")
    for program in Dialect.Program.allCases where Dialect.known.contains("--load-cookies") || program == .axel {
      let run = try await ChildProcess.run(
        try #require(Self.ytdlpPath),
        [
          "--no-config", "--no-cache-dir", "--downloader", directory.file(program.rawValue), "-o",
          "\(program.rawValue).%(ext)s", origin.url("/film.mp4"),
        ], environment: ["XDG_STATE_HOME": "/dev/null", "HOME": directory.path], directory: directory.path)
      #expect(run.status == .exited(0), "\(program) \(run.output) \(run.errors)")
      #expect(Self.entity.matches(fileAt: directory.file("\(program.rawValue).mp4")), "\(program)")
    }
  }
}
