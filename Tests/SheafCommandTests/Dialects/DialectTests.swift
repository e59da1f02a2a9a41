import Testing

@testable import SheafCommand

@Suite("The command line of another program")
struct DialectTests {
  static func words(_ program: Dialect.Program, _ arguments: [String]) throws -> [String] {
    guard case .arguments(let words, _) = try Dialect.of(program).translate(arguments, knows: { _ in true }) else {
      Issue.record("prints something")
      return []
    }
    return words
  }

  static func options(_ program: Dialect.Program, _ arguments: [String]) throws -> CommandOptions {
    guard case .arguments(let words, _) = try Dialect.of(program).translate(arguments) else {
      throw UsageError("prints something")
    }
    return try fetchOptions(words)
  }

  @Test(
    "is known by the name of the program, or by what follows its last dash",
    arguments: [
      ("aria2c", Dialect.Program.aria2c), ("/opt/x/curl", .curl), ("./wget", .wget), ("sheaf-axel", .axel),
      ("/usr/lib/sheaf-1/aria2c", .aria2c),
    ])
  func names(path: String, program: Dialect.Program) {
    #expect(Dialect.named(path)?.program == program)
  }

  @Test("other names are none", arguments: ["sheaf", "/curl/sheaf", "", "aria2", "wget2", "curl.bak", "/"])
  func otherNames(path: String) { #expect(Dialect.named(path) == nil) }

  /// What yt-dlp 2026.10.26 runs for `--downloader aria2c`, in its order.
  static let ytdlpArguments = [
    "--no-conf", "--auto-save-interval=10", "--console-log-level=warn", "--summary-interval=0",
    "--download-result=hide",
    "--http-accept-gzip=true", "--file-allocation=none", "-x16", "-j16", "-s16", "--min-split-size", "1M",
    "--load-cookies=/tmp/c.cookies", "--header", "User-Agent: Mozilla/5.0", "--header", "Accept: */*",
    "--check-certificate=true", "--remote-time=false", "--show-console-readout=true", "--remove-control-file=false",
    "--allow-overwrite=true", "--always-resume=false", "--auto-file-renaming=false", "--force-save=false", "--dir",
    "./v/", "--out", "./a [x].mp4.part", "--", "https://example.org/a",
  ]

  @Test("yt-dlp's for aria2c")
  func ytdlp() throws {
    let words = try Self.words(.aria2c, Self.ytdlpArguments)
    #expect(words.contains("--load-cookies=/tmp/c.cookies"))
    let options = try Self.options(.aria2c, Self.ytdlpArguments.filter { !$0.hasPrefix("--load-cookies") })
    #expect(options.destination == .file("./v/./a [x].mp4.part"))
    #expect(options.download.connections == 16 && options.download.split == 16 && options.download.overwrites)
    #expect(options.download.minimumSplitSize == 1 << 20 && options.concurrentDownloads == 16)
    #expect(
      options.download.headers.map(\.name) == ["User-Agent", "Accept"] && options.urls == ["https://example.org/a"])
    #expect(options.download.continues && options.configuration == .nowhere)
  }

  @Test("apt-fast's, with its list")
  func aptFast() throws {
    let options = try Self.options(
      .aria2c,
      [
        "--no-conf", "-c", "-j", "5", "-x", "5", "--min-split-size=1M", "-i", "/tmp/apt-fast.list",
        "--connect-timeout=600",
        "--timeout=600", "-m0", "--header", "Accept: */*",
      ])
    #expect(options.list == "/tmp/apt-fast.list" && options.download.maximumTries == 0)
    #expect(options.download.timeout == .seconds(600) && options.download.connections == 5)
  }

  @Test("that of UUP scripts")
  func uup() throws {
    let arguments = ["-x16", "-s16", "-j5", "-c", "-R", "-d", "UUPs", "-i", "aria2_script.txt"]
    let options = try Self.options(.aria2c, arguments)
    #expect(options.directory == "UUPs" && options.list == "aria2_script.txt" && options.concurrentDownloads == 5)
    guard case .arguments(_, let notices) = try Dialect.aria2.translate(arguments, knows: { $0 != "--remote-time" })
    else {
      return
    }
    #expect(notices.count == 1 && notices[0].hasPrefix("-R "))
  }

  @Test("for aria2 several URLs are places of one file, unless -Z keeps them apart")
  func places() throws {
    #expect(try Self.options(.aria2c, ["http://a/f", "http://b/f"]).download.mirrors == ["http://b/f"])
    #expect(try Self.options(.aria2c, ["-Z", "http://a/f", "http://b/f"]).urls.count == 2)
  }

  @Test("yt-dlp's for curl, wget and axel")
  func otherDownloaders() throws {
    let curl = try Self.words(
      .curl,
      [
        "--location", "-o", "n.part", "--compressed", "--cookie", "A=b", "--header", "Accept: */*", "--continue-at",
        "-",
        "--silent", "--limit-rate", "1M", "--retry", "10", "--insecure", "--", "https://h/f",
      ])
    #expect(
      curl == [
        "--no-conf", "--allow-overwrite", "--output=n.part", "--header=Cookie: A=b", "--header=Accept: */*",
        "--continue",
        "--quiet", "--max-overall-download-limit=1M", "--max-tries=11", "--insecure", "--", "https://h/f",
      ])
    let wget = try Self.words(
      .wget,
      [
        "-O", "n.part", "-nv", "--compression=auto", "--load-cookies", "c", "--header", "Accept: */*", "--tries", "inf",
        "--no-check-certificate", "--", "https://h/f",
      ])
    #expect(
      wget == [
        "--no-conf", "--output=n.part", "--allow-overwrite", "--progress=none", "--load-cookies=c",
        "--header=Accept: */*",
        "--max-tries=0", "--check-certificate=false", "--", "https://h/f",
      ])
    let axel = try Self.words(.axel, ["-o", "n.part", "-H", "A: b", "--max-redirect=0", "--", "https://h/f"])
    #expect(
      axel == ["--no-conf", "--force-sequential=false", "--output=n.part", "--header=A: b", "--", "https://h/f"])
  }

  @Test("the common subsets, as people type them")
  func subsets() throws {
    #expect(try Self.options(.curl, ["-fsSL", "-O", "-C", "-", "http://h/f"]).verbosity == .quiet)
    #expect(try Self.options(.curl, ["-LO", "http://h/f", "-C-"]).urls == ["http://h/f"])
    #expect(try Self.options(.curl, ["-Lo", "x", "http://h/f"]).output == "x")
    #expect(try Self.options(.wget, ["-qc", "-P", "d", "http://h/f"]).directory == "d")
    #expect(try Self.options(.wget, ["-nv", "-nc", "-i", "list"]).list == "list")
    let axel = try Self.options(.axel, ["-an", "4", "-o", "d/", "http://a/f", "http://b/f"])
    #expect(axel.download.connections == 4 && axel.directory == "d/" && axel.download.mirrors == ["http://b/f"])
  }

  @Test(
    "what is not supported is refused by its name",
    arguments: [
      (.aria2c, ["--enable-rpc", "http://h/"], "--enable-rpc"), (.aria2c, ["-D"], "-D"),
      (.aria2c, ["--auto-file-renaming=true"], "--auto-file-renaming"), (.aria2c, ["--continue=maybe"], "--continue"),
      (.curl, ["-T", "f"], "-T"), (.curl, ["-d", "x=secret"], "-d"),
      (.curl, ["--continue-at", "100"], "--continue-at"),
      (.curl, ["-F", "a=b"], "-F"), (.wget, ["-r"], "-r"), (.wget, ["-qx"], "-x"), (.wget, ["-e", "robots=off"], "-e"),
      (.axel, ["-S"], "-S"), (.axel, ["--search=4"], "--search"), (.curl, ["-o"], "-o"),
      (.wget, ["--quiet=1"], "--quiet"),
    ] as [(Dialect.Program, [String], String)])
  func unsupported(program: Dialect.Program, arguments: [String], name: String) {
    let error = #expect(throws: UsageError.self) { try Dialect.of(program).translate(arguments) }
    #expect(error?.message.contains(name) == true && error?.message.contains("secret") == false)
  }

  @Test("what Sheaf cannot do is refused, not dropped")
  func unknownHere() {
    #expect(throws: UsageError.self) {
      try Dialect.aria2.translate(["--all-proxy=http://p/", "http://h/"], knows: { $0 != "--all-proxy" })
    }
  }

  @Test("BitTorrent's options are named and dropped")
  func torrents() throws {
    guard
      case .arguments(_, let notices) = try Dialect.aria2.translate([
        "--seed-time=0", "--enable-dht=false", "http://h/",
      ])
    else { return }
    #expect(notices.count == 2 && notices.allSatisfy { $0.contains("BitTorrent") })
  }

  @Test(
    "versions are what callers look for",
    arguments: [
      (.aria2c, "-v", "aria2 version"), (.curl, "-V", "curl 7."), (.wget, "--version", "GNU Wget"),
      (.axel, "-V", "Axel"),
    ]
      as [(Dialect.Program, String, String)])
  func versions(program: Dialect.Program, argument: String, beginning: String) throws {
    guard case .print(let text) = try Dialect.of(program).translate([argument]) else {
      Issue.record("prints nothing")
      return
    }
    #expect(text.hasPrefix(beginning) && text.contains(Version.number))
  }

  @Test("statuses are the other program's")
  func statuses() {
    for status in ExitStatus.allCases {
      #expect(Dialect.aria2.number(status) == status.rawValue)
      for program in Dialect.Program.allCases { #expect((Dialect.of(program).number(status) == 0) == (status == .ok)) }
    }
    #expect(Dialect.curl.number(.notFound) == 22 && Dialect.curl.number(.usage) == 2)
    #expect(Dialect.wget.number(.notFound) == 8 && Dialect.wget.number(.network) == 4)
    #expect(Dialect.axel.number(.interrupted) == 2 && Dialect.axel.number(.notFound) == 1)
  }

  @Test("every option that is passed on under another name exists, unless it is known to be missing")
  func targets() {
    // Arguments that are always passed on.
    for program in Dialect.Program.allCases {
      for option in Dialect.of(program).options {
        guard case .arguments(let arguments) = option.meaning else { continue }
        for argument in arguments {
          #expect(Dialect.known.contains(String(argument.prefix { $0 != "=" })), "\(argument)")
        }
      }
    }
  }
}
