import Sheaf
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// How servers are reached, and what they must show and are shown.
@Suite("Connection options")
struct ConnectionOptionTests {
  private static let entity = Entity(seed: 73, size: 9 << 20)

  private func server(extra: String) throws -> (NginxServer, TemporaryDirectory) {
    var options = NginxServer.Options()
    options.tls = true
    options.extra = extra
    let server = try NginxServer(options: options)
    try Self.entity.write(toFileAt: "\(server.root)/file.bin")
    return (server, try TemporaryDirectory())
  }

  @Test("a server may ask for a certificate, and gets it", .enabled(if: NginxServer.isInstalled))
  func clientCertificate() async throws {
    let authority = try TestAuthority()
    let (server, directory) = try server(extra: "ssl_client_certificate \(authority.file); ssl_verify_client on;")
    let without = try await fetch(server.url("/file.bin"), to: directory) {
      $0.certificateAuthorityFile = server.certificate
    }
    #expect(without.code == .badResponse, "\(without.result)")
    let with = try await fetch(server.url("/file.bin"), to: directory) {
      $0.certificateAuthorityFile = server.certificate
      $0.tls.certificate = authority.certificate(.none)
      $0.tls.key = authority.key(.none)
    }
    #expect(with.success?.bytes == Self.entity.size, "\(with.result)")
  }

  @Test("a certificate is shown to the URL's own server alone", .enabled(if: NginxServer.isInstalled))
  func redirectedCertificate() async throws {
    let authority = try TestAuthority()
    let (server, directory) = try server(extra: "ssl_client_certificate \(authority.file); ssl_verify_client on;")
    let origin = try Origin(
      entity: Self.entity, behaviour: .correct.redirecting(to: server.url("/file.bin")), tls: (authority, .none))
    let certificates = try directory.read(authority.file, and: server.certificate ?? "")
    try directory.write(certificates, to: "authorities")
    let fetched = try await fetch("https://127.0.0.1:\(origin.port)/file.bin", to: directory) {
      $0.certificateAuthorityFile = directory.file("authorities")
      $0.tls.certificate = authority.certificate(.none)
      $0.tls.key = authority.key(.none)
    }
    #expect(fetched.code == .badResponse, "\(fetched.result)")
  }

  @Test("a server with another public key is none", .enabled(if: NginxServer.isInstalled))
  func pinnedKey() async throws {
    let authority = try TestAuthority()
    let (server, directory) = try server(extra: "")
    for (certificate, isRight) in [(server.certificate ?? "", true), (authority.certificate(.none), false)] {
      let openssl = try ChildProcess(
        "openssl", ["x509", "-in", certificate, "-pubkey", "-noout", "-out", directory.file("\(isRight).pem")])
      #expect(openssl.wait().isSuccess)
      let fetched = try await fetch(server.url("/file.bin"), to: directory, name: "\(isRight)") {
        $0.certificateAuthorityFile = server.certificate
        $0.tls.pinnedPublicKey = directory.file("\(isRight).pem")
      }
      #expect(fetched.code == (isRight ? nil : .network), "\(fetched.result)")
    }
  }

  @Test("a server with an older TLS is none", .enabled(if: NginxServer.isInstalled))
  func minimumVersion() async throws {
    let (server, directory) = try server(extra: "ssl_protocols TLSv1.2;")
    for (version, isRight) in [(TLSOptions.Version.tls12, true), (.tls13, false)] {
      let fetched = try await fetch(server.url("/file.bin"), to: directory, name: version.rawValue) {
        $0.certificateAuthorityFile = server.certificate
        $0.tls.minimumVersion = version
      }
      #expect(fetched.code == (isRight ? nil : .network), "\(fetched.result)")
    }
  }

  @Test("another place is connected to if the user says so, and the name stays")
  func connectTo() async throws {
    let origin = try Origin(entity: Self.entity)
    let directory = try TemporaryDirectory()
    let fetched = try await fetch("http://files.invalid/file.bin", to: directory) {
      $0.addresses.connectTo = ["other.invalid::127.0.0.1:1", "files.invalid:80:127.0.0.1:\(origin.port)"]
    }
    #expect(fetched.success?.bytes == Self.entity.size, "\(fetched.result)")
    #expect(origin.log.requests.allSatisfy { $0.headers["Host"] == "files.invalid" })
    #expect(origin.log.requests.count > 1)
  }

  @Test("the family and the interface hold for every connection", arguments: [AddressOptions.Family.ipv4, .ipv6])
  func family(_ family: AddressOptions.Family) async throws {
    let origin = try Origin(entity: Self.entity)
    let directory = try TemporaryDirectory()
    // The origin has only one of these addresses.
    let fetched = try await fetch("http://files.invalid:\(origin.port)/file.bin", to: directory) {
      $0.resolve = ["files.invalid:\(origin.port):127.0.0.1,::1"]
      $0.addresses.family = family
      $0.maximumTries = 1
      $0.addresses.interface = family == .ipv4 ? "127.0.0.5" : nil
    }
    #expect(fetched.code == (family == .ipv4 ? nil : .network), "\(fetched.result)")
    #expect(origin.log.requests.isEmpty == (family == .ipv6))
    if family == .ipv4 {
      let elsewhere = try await fetch(origin.url, to: directory, name: "b") {
        $0.addresses.interface = "192.0.2.1"
        $0.maximumTries = 1
      }
      #expect(elsewhere.success == nil)
    }
  }

  @Test("names are looked up in the family that was asked for")
  func resolving() async throws {
    let origin = try Origin(entity: Self.entity)
    let directory = try TemporaryDirectory()
    let fetched = try await fetch("http://127.0.0.1:\(origin.port)/file.bin", to: directory) {
      $0.addresses.family = .ipv6
      $0.maximumTries = 1
    }
    #expect(fetched.success == nil)
    #expect(origin.log.requests.isEmpty)
  }

  @Test(
    "what cannot be obeyed is refused before anything is asked",
    arguments: [
      { $0.proxy.all = "ftp://h" }, { $0.addresses.connectTo = ["a:b"] }, { $0.addresses.connectTo = ["a:x:b:1"] },
      { $0.addresses.dohURL = "http://h/" }, { $0.tls.certificate = "/nowhere" }, { $0.tls.key = "/etc/passwd" },
      { $0.authentication.name = "a:b" }, { $0.authentication.bearerToken = "a\r\nb" }, { $0.cookie = "a=\nb" },
      {
        $0.resolve = ["h:1:127.0.0.1"]
        $0.addresses.connectTo = ["::127.0.0.1:1"]
      },
      {
        $0.resolve = ["h:1:127.0.0.1"]
        $0.addresses.family = .ipv6
      },
      {
        $0.resolve = ["h:1:127.0.0.1"]
        $0.proxy.http = "http://127.0.0.1:1"
      },
    ] as [@Sendable (inout DownloadOptions) -> Void])
  func usage(_ change: @Sendable (inout DownloadOptions) -> Void) {
    var options = DownloadOptions()
    change(&options)
    let error = #expect(throws: DownloadError.self) {
      try Download("http://127.0.0.1:1/f", to: .directory("/nowhere"), options: options)
    }
    #expect(error?.code == .usage)
  }

  @Test("who is asking is in nobody's log by accident")
  func description() {
    var authentication = Authentication()
    authentication.name = "me"
    authentication.password = "hush"
    authentication.bearerToken = "hush"
    var dumped = ""
    dump(authentication, to: &dumped)
    #expect(!"\(authentication) \(String(reflecting: authentication)) \(dumped)".contains("hush"))
  }
}

extension TemporaryDirectory {
  /// Two files, one after the other.
  fileprivate func read(_ first: String, and second: String) throws -> [UInt8] {
    let openssl = try ChildProcess("cat", [first, second])
    openssl.wait()
    return Array(openssl.text(of: .output).utf8)
  }
}
