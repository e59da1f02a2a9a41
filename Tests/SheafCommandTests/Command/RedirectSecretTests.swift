import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Secrets belong to a scheme, a host and a port.
@Suite("Secrets and redirects")
struct RedirectSecretTests {
  private static let entity = Entity(seed: 63, size: 12 << 20)

  /// Where a redirect goes, by what is different there.
  enum Target: String, CaseIterable, Sendable {
    case path, host, port, scheme, downgrade
  }

  @Test("they follow to the same origin and to no other", arguments: Target.allCases)
  func redirects(target: Target) async throws {
    let authority = try TestAuthority()
    let first = try Origin(tls: (authority, .none))
    let second = try Origin(tls: (authority, .none))
    let there =
      switch target {
      case .path: "http://127.0.0.1:\(first.port)"
      case .host: "http://localhost:\(first.port)"
      case .port: "http://127.0.0.1:\(second.port)"
      case .scheme: "https://127.0.0.1:\(first.port)"
      case .downgrade: "http://127.0.0.1:\(first.port)"
      }
    for origin in [first, second] { origin.serve(Self.entity, at: "/there") }
    first.serve(Self.entity, behaviour: .correct.redirecting(to: there + "/there"), at: "/here")
    let directory = try TemporaryDirectory()
    // An entry for the other host must not be used either.
    try directory.write("machine localhost login you password other", to: "netrc")
    chmod(directory.file("netrc"), 0o600)
    let scheme = target == .downgrade ? "https" : "http"
    let arguments = [
      "--ca-certificate", authority.file, "-H", "Cookie: secret", "-H", "X-Secret: secret", "--netrc-path", "netrc",
      "-o", "f", "\(scheme)://me:secret@127.0.0.1:\(first.port)/here",
    ]
    if target == .downgrade {
      let refused = try await runSheaf(arguments, in: directory)
      #expect(refused.status == .exited(23) && refused.errors.contains("--allow-downgrade"), "\(refused.errors)")
      #expect(first.log.requests(for: "/there").isEmpty)
    }
    let run = try await runSheaf(["--allow-downgrade"] + arguments, in: directory)
    #expect(run.status == .exited(0), "\(run.errors)")
    #expect(Self.entity.matches(fileAt: directory.file("f")))
    let asked = first.log.requests(for: "/here")
    #expect(!asked.isEmpty && asked.allSatisfy { $0.headers["X-Secret"] != nil && $0.headers["Authorization"] != nil })
    let followed = first.log.requests(for: "/there") + second.log.requests(for: "/there")
    #expect(followed.count > 1)
    for request in followed {
      for name in ["Authorization", "Cookie", "X-Secret"] {
        #expect((request.headers[name] != nil) == (target == .path), "\(name)")
      }
      #expect(request.headers["Referer"] == nil)
    }
  }

  @Test(
    "caps hold: redirects, other protocols, heads, lines, interim answers",
    arguments: [
      ("redirects-21-times", 23), ("redirect-loop", 23), ("redirects-to-a-file", 23), ("redirects-to-ftp", 23),
      ("endless-headers", 22), ("endless-1xx", 22),
    ] as [(String, Int32)])
  func caps(behaviour: String, status: Int32) async throws {
    let named = try #require(NamedBehaviour.named(behaviour))
    let origin = try Origin(entity: Self.entity, behaviour: named.behaviour(for: Self.entity))
    let directory = try TemporaryDirectory()
    let run = try await runSheaf(["-m1", origin.url], in: directory)
    #expect(run.status == .exited(status), "\(run.errors)")
    #expect(directory.names() == [])
    #expect(origin.log.requests.count <= 21)
  }

  @Test(
    "gopher, too, is no place to be sent to", arguments: ["gopher://127.0.0.1:1/", "dict://h/", "smb://h/s", "data:,x"])
  func protocols(target: String) async throws {
    let origin = try Origin(entity: Self.entity, behaviour: .correct.redirecting(to: target))
    let directory = try TemporaryDirectory()
    let run = try await runSheaf(["-m1", origin.url], in: directory)
    #expect([.exited(22), .exited(23)].contains(run.status), "\(run.errors)")
    #expect(directory.names() == [])
  }
}
