import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Passwords, tokens, certificates and cookies: what a server is told, and who is not told.
@Suite("Logins")
struct LoginTests {
  private static let entity = Entity(seed: 72, size: 9 << 20)

  private func field(_ name: String, of origin: Origin) -> [String?] { origin.log.requests.map { $0.headers[name] } }

  @Test("a name and password are sent as they are, wherever they come from")
  func basic() async throws {
    let origin = try Origin(entity: Self.entity)
    let directory = try TemporaryDirectory()
    try directory.write("hush\n", to: "password")
    try directory.write("me:hush\n", to: "user")
    try directory.write("token\n", to: "token")
    for name in ["password", "user", "token"] { chmod(directory.file(name), 0o600) }
    let basic = "Basic bWU6aHVzaA=="
    let cases: [([String], String)] = [
      (["--user=me:hush"], basic), (["--user=@user"], basic), (["--user=me", "--password-file=password"], basic),
      (["--http-user=me", "--http-passwd=hush"], basic), (["--oauth2-bearer=@token"], "Bearer token"),
      (["--user=me:hush", "--oauth2-bearer=t"], "Bearer t"),
      (["--user=me:hush", "-H", "Authorization: mine"], "mine"),
    ]
    for (arguments, expected) in cases {
      origin.clearLog()
      let run = try await runSheaf(["--allow-overwrite"] + arguments + [origin.url], in: directory)
      #expect(run.status == .exited(0), "\(arguments): \(run.errors)")
      #expect(field("Authorization", of: origin).allSatisfy { $0 == expected }, "\(arguments)")
      #expect(!origin.log.requests.isEmpty)
    }
  }

  @Test("nothing of it goes where a redirect leads, and a referer neither")
  func redirect() async throws {
    let (first, second) = (try Origin(), try Origin(entity: Self.entity))
    first.serve(Self.entity, behaviour: .correct.redirecting(to: second.url), at: "/here")
    for arguments in [
      ["--user=me:hush"], ["--auth=digest", "--user=me:hush"], ["--oauth2-bearer=t"], ["--cookie=a=b"],
    ] {
      let directory = try TemporaryDirectory()
      let run = try await runSheaf(
        arguments + ["--referer=*", "-o", "f", "http://127.0.0.1:\(first.port)/here"], in: directory)
      #expect(run.status == .exited(0), "\(run.errors)")
    }
    #expect(field("Referer", of: first).allSatisfy { $0 == "http://127.0.0.1:\(first.port)/here" })
    for name in ["Authorization", "Cookie", "Referer"] { #expect(field(name, of: second).allSatisfy { $0 == nil }) }
  }

  @Test("a digest is made when the server asks for one, and the password stays here")
  func digest() async throws {
    let question = Behaviour.correct.amending { exchange, answer in
      guard exchange.request.headers["Authorization"] == nil else { return }
      answer = .page(401)
      answer.headers["WWW-Authenticate"] = "Digest realm=\"here\", nonce=\"1234\", qop=\"auth\", algorithm=SHA-256"
    }
    let origin = try Origin(entity: Self.entity, behaviour: question)
    let directory = try TemporaryDirectory()
    let run = try await runSheaf(["--auth=digest", "--user=me:hush", "-x4", origin.url], in: directory)
    #expect(run.status == .exited(0), "\(run.errors)")
    #expect(Self.entity.matches(fileAt: directory.file("file.bin")))
    let answers = field("Authorization", of: origin).compactMap(\.self)
    #expect(answers.count > 1)
    #expect(answers.allSatisfy { $0.hasPrefix("Digest username=\"me\"") && !$0.contains("hush") })
  }

  @Test("a server that is not content with it ends the download", arguments: ["digest", "any", "basic"])
  func refused(scheme: String) async throws {
    let behaviour = Behaviour.correct.amending { _, answer in
      answer = .page(401)
      answer.headers["WWW-Authenticate"] = "Digest realm=\"here\", nonce=\"1234\", qop=\"auth\", algorithm=SHA-256"
    }
    let origin = try Origin(entity: Self.entity, behaviour: behaviour)
    let run = try await runSheaf(["--auth=\(scheme)", "--user=me:hush", origin.url], in: try TemporaryDirectory())
    #expect(run.status == .exited(24), "\(run.errors)")
    #expect(origin.log.requests.count <= 3)
  }

  @Test("cookies are loaded, kept, sent to whom they are for, and saved for their owner alone")
  func cookies() async throws {
    let behaviour = Behaviour.correct.amending { $1.headers["Set-Cookie"] = "new=3; Max-Age=9999; Path=/" }
    let origin = try Origin(entity: Self.entity, behaviour: behaviour)
    let directory = try TemporaryDirectory()
    try directory.write(
      "# a comment\n\n127.0.0.1\tFALSE\t/\tFALSE\t0\tmine\t1\n#HttpOnly_127.0.0.1\tFALSE\t/there\tFALSE\t0\taway\t2\n"
        + "example.org\tTRUE\t/\tFALSE\t0\tother\t4\n", to: "cookies")
    chmod(directory.file("cookies"), 0o600)
    let run = try await runSheaf(
      ["--load-cookies=cookies", "--cookie=extra=5", "--save-cookies=saved", "-x4", origin.url], in: directory)
    #expect(run.status == .exited(0), "\(run.errors)")
    let sent = field("Cookie", of: origin)
    #expect(sent.count > 1 && sent.allSatisfy { $0?.contains("mine=1") == true && $0?.contains("extra=5") == true })
    #expect(sent.allSatisfy { $0?.contains("away") == false && $0?.contains("other") == false })
    #expect(sent.last??.contains("new=3") == true)
    let saved = String(decoding: try directory.read("saved"), as: UTF8.self)
    #expect(saved.contains("\tnew\t3\n") && saved.contains("\tmine\t1\n") && saved.contains("other"), "\(saved)")
    var status = stat()
    stat(directory.file("saved"), &status)
    #expect(status.st_mode & 0o777 == 0o600)
    // What was saved can be loaded.
    origin.clearLog()
    let again = try await runSheaf(["--load-cookies=saved", "-o", "g", origin.url], in: directory)
    #expect(again.status == .exited(0), "\(again.errors)")
    #expect(field("Cookie", of: origin).first??.contains("new=3") == true)
  }

  @Test("what cannot be obeyed is a usage error that repeats no secret")
  func usage() async throws {
    let directory = try TemporaryDirectory()
    try directory.write("127.0.0.1\tFALSE\t/\tFALSE\t0\thush\n", to: "cookies")
    try directory.write("hush\nhush\n", to: "lines")
    for name in ["cookies", "lines"] { chmod(directory.file(name), 0o600) }
    try directory.write("hush", to: "open")
    for arguments in [
      ["--user=me"], ["--ask-password"], ["--password-file=lines"], ["--user=me", "--password-file=open"],
      ["--user=me", "--password-file=lines"], ["--load-cookies=cookies"], ["--load-cookies=none"],
      ["--load-cookies=open"], ["--cert=none"], ["--key=open"], ["--user=@open"], ["--cookie=a=hush\nb"],
    ] {
      let run = try await runSheaf(arguments + ["http://127.0.0.1:1/"], in: directory)
      #expect(run.status == .exited(28), "\(arguments): \(run.errors)")
      #expect(!run.errors.contains("hush"))
    }
  }
}
