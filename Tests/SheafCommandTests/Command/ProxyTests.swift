import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite("Proxies")
struct ProxyTests {
  private static let entity = Entity(seed: 71, size: 9 << 20)

  private func expectFile(_ run: ChildProcess.Result, in directory: TemporaryDirectory) {
    #expect(run.status == .exited(0), "\(run.errors)")
    #expect(Self.entity.matches(fileAt: directory.file("file.bin")))
  }

  @Test(
    "squid carries http and tunnels https, with the password that only it is told",
    .enabled(if: SquidProxy.isInstalled), arguments: ["http", "https"])
  func squid(scheme: String) async throws {
    let authority = try TestAuthority()
    let origin = try Origin(entity: Self.entity, tls: (authority, .none))
    let proxy = try SquidProxy(login: "me hush")
    let directory = try TemporaryDirectory()
    let url = "\(scheme)://127.0.0.1:\(origin.port)/file.bin"
    let arguments = ["-v", "--ca-certificate", authority.file, "-m1", url]
    let refused = try await runSheaf(["--proxy=127.0.0.1:\(proxy.port)"] + arguments, in: directory)
    #expect(refused.status == .exited(24), "\(refused.errors)")
    #expect(proxy.served == 0 && origin.log.requests.isEmpty)
    try directory.write("http://me:hush@127.0.0.1:\(proxy.port)\n", to: "proxy")
    chmod(directory.file("proxy"), 0o600)
    let run = try await runSheaf(["--all-proxy=@proxy"] + arguments, in: directory)
    expectFile(run, in: directory)
    #expect(proxy.served > 0)
    #expect(origin.log.requests.allSatisfy { $0.headers["Proxy-Authorization"] == nil })
    #expect(!run.errors.contains("hush"))
  }

  @Test("socks proxies are spoken to, and the last letter has them look names up", .enabled(if: SocksProxy.isInstalled))
  func socks() async throws {
    let origin = try Origin(entity: Self.entity)
    let proxy = try SocksProxy(name: "me", password: "hush")
    for (scheme, login, status) in [("socks5", "me:hush@", 0), ("socks5h", "me:hush@", 0), ("socks5h", "me:wrong@", 6)]
    {
      let directory = try TemporaryDirectory()
      let run = try await runSheaf(
        ["--proxy=\(scheme)://\(login)127.0.0.1:\(proxy.port)", "-m1", "http://localhost:\(origin.port)/file.bin"],
        in: directory)
      #expect(run.status == .exited(Int32(status)), "\(scheme): \(run.errors)")
      #expect(!run.errors.contains("hush") && !run.errors.contains("wrong"))
      #expect(Self.entity.matches(fileAt: directory.file("file.bin")) == (status == 0))
    }
  }

  @Test("which proxy is asked, or none, is said by scheme, by exceptions and by empty values")
  func choice() async throws {
    let origin = try Origin(entity: Self.entity)
    // Nothing listens there.
    let dead = "http://127.0.0.1:1"
    let reached: [([String], [String: String?])] = [
      ([], ["http_proxy": dead, "no_proxy": "127.0.0.1"]),
      (["--all-proxy="], ["http_proxy": dead]),
      (["--proxy", dead, "--http-proxy="], [:]),
      (["--all-proxy=\(dead)", "--no-proxy=example.org,127.0.0.0/8"], [:]),
      (["--all-proxy=\(dead)", "--all-proxy="], [:]),
      (["--https-proxy=\(dead)"], [:]),
    ]
    for (arguments, environment) in reached {
      let directory = try TemporaryDirectory()
      expectFile(try await runSheaf(arguments + [origin.url], in: directory, environment: environment), in: directory)
    }
    let missed: [([String], [String: String?])] = [
      ([], ["http_proxy": dead]),
      (["--http-proxy=\(dead)"], [:]),
      (["--no-proxy="], ["http_proxy": dead, "no_proxy": "*"]),
      (["--all-proxy=\(dead)", "--no-proxy=example.org"], [:]),
    ]
    for (arguments, environment) in missed {
      let directory = try TemporaryDirectory()
      let run = try await runSheaf(["-m1"] + arguments + [origin.url], in: directory, environment: environment)
      #expect(run.status == .exited(6), "\(arguments): \(run.errors)")
    }
  }

  @Test(
    "what is no proxy is refused, and its secrets are not repeated",
    arguments: ["ftp://me:hush@h", "http://me:hush@", "me:hush @h:1", "http://me:hush@h:x"])
  func nonsense(url: String) async throws {
    let directory = try TemporaryDirectory()
    let run = try await runSheaf(["--proxy=\(url)", "http://127.0.0.1:1/f"], in: directory)
    #expect(run.status == .exited(28))
    #expect(run.errors.contains("socks5h") && !run.errors.contains("hush"), "\(run.errors)")
  }
}
