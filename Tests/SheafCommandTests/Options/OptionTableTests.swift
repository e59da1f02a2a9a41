import Sheaf
import Testing

@testable import SheafCommand

@Suite("The option table")
struct OptionTableTests {
  /// One row for each option that takes a value or changes something: how it is typed, and what is then true.
  struct Row: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    let holds: @Sendable (CommandOptions) -> Bool

    init(_ arguments: String..., holds: @escaping @Sendable (CommandOptions) -> Bool) {
      self.arguments = arguments
      self.holds = holds
    }

    var testDescription: String { arguments.joined(separator: " ") }
  }

  static let rows: [Row] = [
    Row("-i", "l") { $0.list == "l" },
    Row("-i-") { $0.list == "-" },
    Row("--input-file=l") { $0.list == "l" },
    Row("-M", "m", "-Mn", "--metalink-file=o") { $0.metalinkFiles == ["m", "n", "o"] },
    Row("a.meta4", "-M", "m", "b.Metalink") { $0.metalinkFiles == ["m", "a.meta4", "b.Metalink"] },
    Row("-P") { $0.usesPatterns },
    Row("--parameterized-uri=false") { !$0.usesPatterns },
    Row("--glob") { $0.usesPatterns },
    Row("-Z") { $0.keepsURLsApart },
    Row("--force-sequential=false") { !$0.keepsURLsApart },
    Row("--shard=2/3") { $0.shard == Shard(index: 1, of: 3) },
    Row("-o", "a") { $0.output == "a" },
    Row("-oa") { $0.output == "a" },
    Row("--out", "a") { $0.output == "a" },
    Row("--out=a=b") { $0.output == "a=b" },
    Row("--output=a") { $0.output == "a" },
    Row("-o-") { $0.isForStandardOutput },
    Row("--window=4M", "-o-") { $0.window == 4 << 20 },
    Row("--decompress", "-o", "-") { $0.decompresses && $0.isForStandardOutput },
    Row("-d", "x") { $0.directory == "x" },
    Row("--dir=x") { $0.directory == "x" },
    Row("-x16") { $0.download.connections == 16 },
    Row("-x", "256") { $0.download.connections == 256 },
    Row("--max-connection-per-server=1") { $0.download.connections == 1 },
    Row("-s", "4") { $0.download.split == 4 },
    Row("--split=64") { $0.download.split == 64 },
    Row("-k1M") { $0.download.minimumSplitSize == 1 << 20 },
    Row("--min-split-size", "64K") { $0.download.minimumSplitSize == 65_536 },
    Row("--max-download-limit=2M") { $0.download.bytesPerSecond == 2 << 20 },
    Row("--limit-rate", "500", "--limit-rate=0") { $0.download.bytesPerSecond == nil },
    Row("--max-overall-download-limit=10k") { $0.overallLimit.bytesPerSecond == 10_240 },
    Row("--max-overall-download-limit=1", "--max-overall-download-limit=0") { $0.overallLimit.bytesPerSecond == nil },
    Row("--rate-schedule=08:00-18:00=1M,22:00-6:00=0") {
      $0.overallLimit.schedule?.rate(atMinute: 600, otherwise: 1) == 1 << 20
        && $0.overallLimit.schedule?.rate(atMinute: 0, otherwise: 1) == nil
    },
    Row("--all-proxy=http://p:1") { $0.download.proxy.all == "http://p:1" },
    Row("--proxy", "socks5h://p", "--all-proxy=") { $0.download.proxy.all == "" },
    Row("--http-proxy=p:1", "--https-proxy=q:2") {
      $0.download.proxy.http == "p:1" && $0.download.proxy.https == "q:2" && $0.download.proxy.all == nil
    },
    Row("--no-proxy=a,b") { $0.download.proxy.exceptions == "a,b" },
    Row("--noproxy", "*", "--no-proxy=") { $0.download.proxy.exceptions == "" },
    Row("--user", "me:a:b") {
      $0.download.authentication.name == "me" && $0.download.authentication.password == "a:b"
    },
    Row("--http-user=me", "--http-passwd=p") {
      $0.download.authentication.name == "me" && $0.download.authentication.password == "p"
    },
    Row("--user=me", "--password-file=f") { $0.password == .file("f") && $0.lacksPassword },
    Row("--ask-password") { $0.password == .terminal },
    Row("--auth=digest") { $0.download.authentication.scheme == .digest },
    Row("--oauth2-bearer=t") { $0.download.authentication.bearerToken == "t" },
    Row("--load-cookies=c") { $0.cookies == CookieFiles(source: "c") },
    Row("--save-cookies=c", "--cookie-jar=d") { $0.cookies == CookieFiles(destination: "d") },
    Row("--cookie=a=b", "--cookie", "c=d; e=f") { $0.download.cookie == "a=b; c=d; e=f" },
    Row("--referer=*") { $0.download.referer == "*" },
    Row("--certificate=c", "--private-key=k") {
      $0.download.tls.certificate == "c" && $0.download.tls.key == "k"
    },
    Row("--cert", "c", "--key", "k") { $0.download.tls.certificate == "c" && $0.download.tls.key == "k" },
    Row("--pinnedpubkey=sha256//x=") { $0.download.tls.pinnedPublicKey == "sha256//x=" },
    Row("--min-tls-version=TLSv1.3") { $0.download.tls.minimumVersion == .tls13 },
    Row("-6", "-4") { $0.download.addresses.family == .ipv4 },
    Row("--ipv4", "--ipv6") { $0.download.addresses.family == .ipv6 },
    Row("--disable-ipv6") { $0.download.addresses.family == .ipv4 },
    Row("--disable-ipv6=false") { $0.download.addresses.family == nil },
    Row("--interface=lo") { $0.download.addresses.interface == "lo" },
    Row("--connect-to=a:1:b:2", "--connect-to", "::c:") { $0.download.addresses.connectTo == ["a:1:b:2", "::c:"] },
    Row("--doh-url=https://d/q") { $0.download.addresses.dohURL == "https://d/q" },
    Row("-R") { $0.download.keepsServerTime },
    Row("--content-disposition") { $0.download.naming == .server },
    Row("--remote-header-name", "--content-disposition=false") { $0.download.naming == .url },
    Row("--remote-time", "-R", "--remote-time=false") { !$0.download.keepsServerTime },
    Row("-N") { $0.download.replacesOlder },
    Row("--conditional-get", "--timestamping=false") { !$0.download.replacesOlder },
    Row("--file-allocation=falloc") { $0.download.allocation == .reserved },
    Row("--file-allocation=prealloc", "--file-allocation", "none") { $0.download.allocation == .sparse },
    Row("--lowest-speed-limit=10K", "--speed-time=5") {
      $0.download.minimumSpeed == 10_240 && $0.download.minimumSpeedPeriod == .seconds(5)
    },
    Row("--speed-limit=1", "--lowest-speed-limit=0") { $0.download.minimumSpeed == nil },
    Row("--max-time=60") { $0.download.maximumTime == .seconds(60) },
    Row("--tries=3", "--retry", "4") { $0.download.maximumTries == 4 },
    Row("--cacert=ca.pem") { $0.download.certificateAuthorityFile == "ca.pem" },
    Row("-j", "3") { $0.concurrentDownloads == 3 },
    Row("--max-concurrent-downloads=9") { $0.concurrentDownloads == 9 },
    Row("-c") { $0.download.continues },
    Row("--continue") { $0.download.continues },
    Row("--continue=false") { !$0.download.continues },
    Row("--no-continue") { !$0.download.continues },
    Row("--no-continue", "--continue=true") { $0.download.continues },
    Row("--server-stat-file=s") { $0.servers == .file("s") },
    Row("--no-server-stat") { $0.servers == .nowhere },
    Row("-x1") { $0.servers == .home },
    Row("--checksum=crc32=00ff00FF") { $0.download.checksum?.description == "crc32=00ff00ff" },
    Row("--checksum", "md5:00112233445566778899aabbccddeeff") { $0.download.checksum?.algorithm == .md5 },
    Row("--checksum-file=SUMS") { $0.download.checksumFile == "SUMS" },
    Row("--verify=require") { $0.download.verification == .require },
    Row("--verify", "off") { $0.download.verification == .off },
    Row("-H", "Accept:  */* ") { $0.download.headers == [HeaderField(name: "Accept", value: "*/*")] },
    Row("--header=A: b", "-H", "C:") {
      $0.download.headers == [HeaderField(name: "A", value: "b"), HeaderField(name: "C", value: "")]
    },
    Row("--netrc") { $0.netrc == .home },
    Row("--netrc-path", "n") { $0.netrc == .file("n") },
    Row("--netrc-file=n") { $0.netrc == .file("n") },
    Row("--allow-downgrade") { $0.download.allowsDowngrade },
    Row("--allow-downgrade", "--allow-downgrade=false") { !$0.download.allowsDowngrade },
    Row("-U", "me/1") { $0.download.userAgent == "me/1" },
    Row("--user-agent=me") { $0.download.userAgent == "me" },
    Row("--ca-certificate=ca.pem") { $0.download.certificateAuthorityFile == "ca.pem" },
    Row("--mirror=http://m/f", "--mirror", "https://n/f?x") {
      $0.download.mirrors == ["http://m/f", "https://n/f?x"]
    },
    Row("--max-sources=3") { $0.download.maximumSources == 3 },
    Row("--resolve=h:80:127.0.0.1,::1", "--resolve", "i:1:::1") {
      $0.download.resolve == ["h:80:127.0.0.1,::1", "i:1:::1"]
    },
    Row("--check-certificate=false") { !$0.download.checksCertificate },
    Row("--insecure", "--check-certificate") { $0.download.checksCertificate },
    Row("--insecure") { !$0.download.checksCertificate },
    Row("-t", "10") { $0.download.timeout == .seconds(10) },
    Row("--timeout=0.25") { $0.download.timeout == .milliseconds(250) },
    Row("--connect-timeout", "7") { $0.download.connectTimeout == .seconds(7) },
    Row("-m0") { $0.download.maximumTries == 0 },
    Row("--max-tries=7") { $0.download.maximumTries == 7 },
    Row("--retry-wait=0") { $0.download.retryWait == .zero },
    Row("--retry-wait=1.5") { $0.download.retryWait == .milliseconds(1500) },
    Row("--allow-overwrite") { $0.download.overwrites },
    Row("--allow-overwrite=false") { !$0.download.overwrites },
    Row("--auto-save-interval", "0.5") { $0.download.checkpointInterval == .milliseconds(500) },
    Row("--fsync-policy=full") { $0.download.durability == .full },
    Row("--fsync-policy", "checkpoint") { $0.download.durability == .checkpoint },
    Row("--fsync-policy=off") { $0.download.durability == .off },
    Row("-q") { $0.verbosity == .quiet },
    Row("--quiet", "-v") { $0.verbosity == .verbose },
    Row("--verbose") { $0.verbosity == .verbose },
    Row("-qcx8") { $0.verbosity == .quiet && $0.download.continues && $0.download.connections == 8 },
    Row("--progress=plain") { $0.progress == .plain },
    Row("--summary-interval=60") { $0.summaryInterval == .seconds(60) },
    Row("-l", "f") { $0.log == "f" },
    Row("--log=f") { $0.log == "f" },
    Row("--dry-run") { $0.isDryRun },
    Row("--save-session=s") { $0.sessionFile == "s" },
    Row("--save-session-interval=1.5") { $0.sessionInterval == .milliseconds(1500) },
    Row("--gid=2089b05ecca3d829") { $0.gid?.description == "2089b05ecca3d829" },
    Row("--on-download-start", "a") { $0.hooks[.start] == "a" },
    Row("--on-download-complete=b") { $0.hooks[.complete] == "b" },
    Row("--on-download-error=c") { $0.hooks[.error] == "c" },
    Row("--on-download-stop=d") { $0.hooks[.stop] == "d" },
    Row("--conf-path=c") { $0.configuration == .file("c") },
    Row("--no-conf") { $0.configuration == .nowhere },
    Row("--explain") { $0.explains },
    Row("--json") { $0.json },
  ]

  @Test("applies every option in each of its spellings", arguments: rows)
  func applies(row: Row) throws {
    let options = try fetchOptions(row.arguments + ["http://h/f"])
    #expect(row.holds(options))
    #expect(options.urls == ["http://h/f"])
  }

  @Test("is covered by these tests name by name")
  func coverage() {
    let typed = Self.rows.flatMap(\.arguments)
    for name in OptionTable.fetching.flatMap(\.names) where !["--version", "-h", "--help"].contains(name) {
      let isTyped = typed.contains { argument in
        argument == name || argument.hasPrefix("\(name)=") || (name.count == 2 && argument.hasPrefix(name))
      }
      #expect(isTyped, "\(name) has no row")
    }
  }

  @Test("has no name twice and a short name only in first place")
  func names() {
    let names = OptionTable.fetching.flatMap(\.names)
    #expect(Set(names).count == names.count)
    for option in OptionTable.fetching {
      #expect(option.names.dropFirst().allSatisfy { $0.hasPrefix("--") })
      #expect(!option.help.isEmpty && !option.help.hasSuffix("."))
    }
  }

  @Test("has defaults that are the library's")
  func defaults() throws {
    let options = try fetchOptions(["http://h/f"])
    #expect(options.concurrentDownloads == 16)
    #expect(options.verbosity == .normal && !options.json)
    #expect(options.download.connections == 16 && options.download.continues && options.download.checksCertificate)
    #expect(options.destination == .directory("."))
  }

  @Test(
    "refuses a bad value and names the option as typed",
    arguments: [
      ["-x", "0"], ["-x257"], ["-x=16"], ["-x", "+4"], ["-x", ""], ["--max-connection-per-server=many"],
      ["--split=0"], ["--split=-1"], ["--split=99999999999999999999"], ["-k", "0"], ["-k", "1.5M"], ["-k", "M"],
      ["-k", "8388608T"], ["-k", "1MB"], ["-j0"], ["--continue=yes"], ["--continue="], ["--check-certificate=0"],
      ["--allow-overwrite=TRUE"], ["--fsync-policy=never"], ["--fsync-policy="], ["-t", "0"], ["-t", "1."],
      ["-t", ".5"],
      ["-t", "1e3"], ["-t", "0.0001"], ["-t", "99999999999"], ["--connect-timeout=-1"], ["-m", "-1"],
      ["--retry-wait=soon"], ["-i", ""], ["-M", ""], ["-M", "https://h/x.meta4"], ["-o", ""], ["--dir="],
      ["--max-download-limit=1.5M"], ["--max-download-limit="], ["--max-overall-download-limit", "fast"],
      ["--rate-schedule=always"], ["--rate-schedule", "08:00-09:00=x"], ["--user="], ["--cookie=cookies.txt"],
      ["--cookie="], ["--auth=ntlm"], ["--oauth2-bearer="], ["--min-tls-version=SSLv3"], ["--certificate="],
      ["--interface="], ["--doh-url="], ["--referer="], ["--load-cookies="], ["--save-cookies="],
      ["--http-accept-gzip"], ["--http-accept-gzip=true"], ["--file-allocation=full"], ["--speed-time=0"],
      ["--max-time=0"], ["--lowest-speed-limit=-1"], ["--ca-certificate="], ["-U", ""], ["-U", "a\r\nb"],
      ["--gid=0"], ["--gid=0000000000000000"], ["--on-download-stop="], ["--save-session="], ["--shard=5/4"],
      ["--checksum=zz"], ["--checksum-file="], ["--verify=yes"],
      ["--checksum=sha-256=00"], ["--checksum=crc64=00"], ["-H", "Name"], ["-H", ": v"], ["-H", "A b: v"],
      ["-H", "A: b\nC: d"], ["-H", "A: b\rC"], ["-H", "A: \0"], ["-H", "A\r: b"],
    ])
  func refuses(arguments: [String]) {
    let error = #expect(throws: UsageError.self) { try fetchOptions(arguments + ["http://h/f"]) }
    let name = String(arguments[0].hasPrefix("--") ? arguments[0].prefix { $0 != "=" } : arguments[0].prefix(2))
    #expect(error?.message.hasPrefix(name) == true)
    #expect(error?.suggestion.isEmpty == false)
    #expect(error?.message.contains("\n") == false)
  }

  @Test("never repeats what may be a credential")
  func secrets() {
    let error = #expect(throws: UsageError.self) {
      try fetchOptions(["-H", "Authorization Bearer hunter2", "http://h/"])
    }
    #expect(error.map { "\($0)".contains("hunter2") } == false)
  }
}

/// The options of a command line that fetches.
func fetchOptions(_ arguments: [String]) throws -> CommandOptions {
  guard case .fetch(let options) = try Invocation(parsing: arguments) else {
    Issue.record("\(arguments) does not fetch")
    return CommandOptions()
  }
  return options
}
