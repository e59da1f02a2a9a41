import CSystem
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Everything that must not be told contains this.
private let hush = "hush"

/// A secret in each place that has one: nothing that is printed or written may repeat it.
@Suite("Secrets", .serialized)
struct SecretTests {
  private static let entity = Entity(seed: 61, size: 12 << 20)

  /// `me:hush-password` as libcurl and netrc send it.
  private static let basic = "bWU6aHVzaC1wYXNzd29yZA=="

  /// The command line with a secret wherever one can be; `files` has those that it refers to.
  private func arguments(_ origin: Origin, _ path: String, _ files: TemporaryDirectory) throws -> [String] {
    try files.write("X-Secret: hush-file\n\nCookie: id=hush-cookie\r\n", to: "fields")
    try files.write("machine 127.0.0.1 login me password hush-netrc\n", to: "netrc")
    for name in ["fields", "netrc"] { chmod(files.file(name), 0o600) }
    let url = "http://me:hush-password@127.0.0.1:\(origin.port)\(path)?token=hush-token&hush#hush-fragment"
    return [
      "-H", "Authorization2: Bearer hush-header", "-H", "@\(files.file("fields"))",
      "--netrc-path=\(files.file("netrc"))", "-m2", "-t2", "--retry-wait=0.01", url,
    ]
  }

  /// All that a run has left where others may look.
  private func traces(_ run: ChildProcess.Result, in directory: TemporaryDirectory) throws -> [UInt8] {
    var traces = Array((run.output + run.errors).utf8)
    for name in directory.names() {
      traces += Array(name.utf8) + (try directory.read(name))
      var value = [UInt8](repeating: 0, count: 4096)
      let descriptor = open(directory.file(name), O_RDONLY | O_CLOEXEC)
      defer { close(descriptor) }
      let count = CSystem_getAttribute(descriptor, "user.sheaf.identity", &value, value.count)
      if count > 0 { traces += value.prefix(count) }
    }
    return traces
  }

  private func expectSilence(_ run: ChildProcess.Result, in directory: TemporaryDirectory) throws {
    let traces = try traces(run, in: directory)
    for needle in [hush, Self.basic] {
      #expect(!traces.contains(Array(needle.utf8)), "\(run.output)\(run.errors)")
    }
  }

  /// How a run may go, by what the origin does.
  private static let stories: [String] = [
    "correct", "always-404", "always-403", "always-401", "always-503", "redirect-loop", "redirects-to-a-file",
    "redirects-once", "redirects-to-another-origin", "ignores-ranges", "claims-gzip", "changes-after-4",
    "escapes-in-headers", "404-to-every-fifth", "no-validator",
  ]

  @Test(
    "are told in no mode, by no outcome, in no file", .timeLimit(.minutes(3)), arguments: stories,
    [["-q"], [], ["-v", "--explain"], ["--json", "-v"]])
  func outputs(story: String, mode: [String]) async throws {
    let named = try #require(NamedBehaviour.named(story))
    let origin = try Origin(entity: Self.entity, behaviour: named.behaviour(for: Self.entity))
    let (directory, files) = (try TemporaryDirectory(), try TemporaryDirectory())
    let run = try await runSheaf(mode + arguments(origin, "/file.bin", files), in: directory)
    try expectSilence(run, in: directory)
    // They were sent, so they could have been told.
    let headers = try #require(origin.log.requests.first?.headers)
    #expect(headers["Authorization"] == "Basic \(Self.basic)")
    #expect(headers["X-Secret"] == "hush-file")
    #expect(headers["Cookie"] == "id=hush-cookie")
    #expect(origin.log.requests.first?.request.target == "/file.bin?token=hush-token&hush")
  }

  @Test("are not in the manifest of a download that was stopped, nor in what continues it")
  func manifest() async throws {
    let origin = try Origin(entity: Self.entity, behaviour: .correct.rate(1 << 20))
    let (directory, files) = (try TemporaryDirectory(), try TemporaryDirectory())
    let arguments = try ["-v", "-x4", "--auto-save-interval=0.05"] + arguments(origin, "/file.bin", files)
    let stopped = try startSheaf(arguments, in: directory)
    #expect(await origin.reached(seconds: 120) { $0.bytesSent >= 6 << 20 })
    stopped.kill(SIGTERM)
    try expectSilence(await stopped.result(), in: directory)
    #expect(directory.names() == ["file.bin.part", "file.bin.sheaf"])
    let inspected = try await runSheaf(["inspect", "--json", "file.bin.sheaf"], in: directory)
    #expect(inspected.output.contains("/file.bin"))
    try expectSilence(inspected, in: directory)
    origin.serve(Self.entity)
    let continued = try await runSheaf(arguments, in: directory)
    #expect(continued.status == .exited(0))
    try expectSilence(continued, in: directory)
  }

  @Test(
    "are not repeated by usage errors",
    arguments: [
      ["http://me:hush@ho st/"], ["http://me:hush@h:port/"], ["ftp://me:hush@h/?hush"], ["me:hush@h/f"],
      ["--hedaer:hush", "http://h/"], ["-H", "hush", "http://h/"], ["-H", "A B: hush", "http://h/"],
      ["http://me:hush@h/f?hush", "http://me:hush@h/f?hush=1"], ["http://h/\u{1B}?hush"],
      ["-H", "Authorization: hush\nX: y", "http://h/"], ["help", "http://me:hush@h/?hush"],
    ])
  func usage(arguments: [String]) async throws {
    let directory = try TemporaryDirectory()
    let run = try await runSheaf(arguments, in: directory)
    #expect(run.status == .exited(28), "\(run.errors)")
    try expectSilence(run, in: directory)
  }

  @Test("are not repeated when a list makes no sense")
  func list() async throws {
    for text in [
      "http://h/a\n  Authorization: Bearer hush", "http://h/a\n http://me:hush@h/?hush",
      "http://me:hush@h:port/?hush", "http://me:hush@h/a?hush\nhttp://me:hush@h/a?hush=2", "http://h/a\n header=hush",
    ] {
      let (directory, lists) = (try TemporaryDirectory(), try TemporaryDirectory())
      try lists.write(text, to: "list")
      let run = try await runSheaf(["-i", lists.file("list")], in: directory)
      #expect(run.status == .exited(28), "\(text): \(run.errors)")
      try expectSilence(run, in: directory)
    }
  }

  @Test(
    "of a proxy are not told either",
    arguments: ["http://me:hush@127.0.0.1:1", "weird://me:hush@h", "http://me:hu sh@h:x"])
  func proxy(url: String) async throws {
    let directory = try TemporaryDirectory()
    let run = try await runSheaf(
      ["-v", "-m1", "http://name.invalid/f"], in: directory, environment: ["http_proxy": url])
    #expect(run.status != .exited(0))
    try expectSilence(run, in: directory)
    #expect(!run.errors.contains("me:") && !run.errors.contains("sh@"))
  }

  @Test("in a file that others can read are refused, with what helps", arguments: [0o644, 0o640, 0o660, 0o604, 0o622])
  func permissions(mode: mode_t) async throws {
    let directory = try TemporaryDirectory()
    try directory.write("machine h login me password hush", to: "secrets")
    chmod(directory.file("secrets"), mode)
    for option in [["--netrc-path", "secrets"], ["-H", "@secrets"]] {
      let run = try await runSheaf(option + ["http://h/"], in: directory)
      #expect(run.status == .exited(28))
      #expect(run.errors.contains("chmod 600 secrets"), "\(run.errors)")
    }
    let home = try await runSheaf(["--netrc", "http://h/"], in: directory, environment: ["HOME": directory.path])
    #expect(home.status == .exited(28) && home.errors.contains("/.netrc: No such file"))
  }

  @Test("of netrc go to the host they are for, unless the URL or a field says who is asking")
  func netrc() async throws {
    let entity = Entity(seed: 62, size: 1000)
    let origin = try Origin(entity: entity)
    let directory = try TemporaryDirectory()
    try directory.write("machine 127.0.0.1\n login me\n password hush-password\n", to: ".netrc")
    chmod(directory.file(".netrc"), 0o600)
    let field = { (arguments: [String]) in
      origin.clearLog()
      let run = try await runSheaf(
        ["--netrc", "--allow-overwrite", "-o", "f"] + arguments, in: directory, environment: ["HOME": directory.path])
      #expect(run.status == .exited(0), "\(run.errors)")
      return origin.log.requests.first?.headers["Authorization"]
    }
    #expect(try await field([origin.url]) == "Basic \(Self.basic)")
    #expect(try await field(["http://localhost:\(origin.port)/file.bin"]) == nil)
    #expect(try await field(["http://a:b@127.0.0.1:\(origin.port)/file.bin"]) == "Basic YTpi")
    #expect(try await field(["-H", "Authorization: mine", origin.url]) == "mine")
  }
}

extension [UInt8] {
  /// Whether `needle` occurs in it.
  fileprivate func contains(_ needle: [UInt8]) -> Bool {
    guard let first = needle.first else { return true }
    return withUnsafeBytes { all in
      var rest = all[...]
      // Megabytes, and tests are built without optimization: the C library looks for the first byte.
      while rest.count >= needle.count, let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress,
        let found = memchr(start, Int32(first), rest.count)
      {
        rest = rest.dropFirst(UnsafeRawPointer(found) - start)
        if rest.starts(with: needle) { return true }
        rest = rest.dropFirst()
      }
      return false
    }
  }
}
