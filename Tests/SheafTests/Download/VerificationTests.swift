import Sheaf
import TestSupport
import Testing

/// Digests that come by themselves, and those that stand in a file.
@Suite("Verification", .serialized)
struct VerificationTests {
  static let entity = Entity(seed: 33, size: 20 << 20)
  static let small = Entity(seed: 34, size: 300_000)

  private static func adding(_ fields: [String: String]) -> Behaviour {
    .correct.amending { _, answer in
      for (name, value) in fields { answer.headers[name] = value }
    }
  }

  private static func bytes(_ name: String, of entity: Entity) throws -> [UInt8] {
    try #require(entity.digest(name))
  }

  private static func crc32(of entity: Entity) throws -> [UInt8] {
    let directory = try TemporaryDirectory()
    try entity.write(toFileAt: directory.file("file"))
    let python = try ChildProcess(
      "python3",
      ["-c", "import sys, zlib; print('%08x' % zlib.crc32(open(sys.argv[1], 'rb').read()))", directory.file("file")])
    try #require(python.wait().isSuccess)
    let digits = python.text(of: .output).filter(\.isHexDigit)
    return stride(from: 0, to: 8, by: 2).compactMap { UInt8(digits.dropFirst($0).prefix(2), radix: 16) }
  }

  @Test(
    "compares what the server offers, and says where it came from",
    arguments: [entity, small], ["Repr-Digest", "Digest", "x-goog-hash"])
  func offered(entity: Entity, field: String) async throws {
    let md5 = base64(try Self.bytes("md5", of: entity))
    let value =
      switch field {
      case "Repr-Digest": "md5=:\(md5):, sha-256=:\(base64(entity.sha256())):"
      case "Digest": "MD5=\(md5),SHA-256=\(base64(entity.sha256()))"
      default: "md5=\(md5)"
      }
    let origin = try Origin(entity: entity, behaviour: Self.adding([field: value]))
    let directory = try TemporaryDirectory()
    let fetched = try await fetch(origin.url, to: directory)
    let check = try #require(fetched.success?.checks.first, "\(fetched.result)")
    #expect(check.source == "\(field) of 127.0.0.1")
    #expect(check.algorithm == (field == "x-goog-hash" ? .md5 : .sha256))
    #expect(check.strength == (field == "x-goog-hash" ? .transport : .integrity))
    #expect(fetched.success?.verified == (field == "x-goog-hash" ? [] : ["sha-256"]))
    #expect(fetched.decisions.contains { $0.contains("to be compared") })
    #expect(entity.matches(fileAt: directory.file("file.bin")))
  }

  @Test("a digest that differs publishes nothing and keeps the bytes aside", arguments: [entity, small])
  func differs(entity: Entity) async throws {
    let origin = try Origin(
      entity: entity,
      behaviour: Self.adding(["Repr-Digest": "sha-256=:\(base64(Array(repeating: 1, count: 32))):"]))
    let directory = try TemporaryDirectory()
    let fetched = try await fetch(origin.url, to: directory)
    #expect(fetched.code == .checksum)
    #expect(directory.names() == ["file.bin.part"])
    try directory.remove("file.bin.part")
    let trusting = try await fetch(origin.url, to: directory) { $0.verification = .off }
    #expect(trusting.success?.checks == [])
    try directory.remove("file.bin")
    let given = try await fetch(origin.url, to: directory) {
      $0.checksum = try? Checksum(parsing: hexadecimal(entity.sha256()))
    }
    #expect(given.success?.verified == ["sha-256"], "\(given.result)")
  }

  @Test("a CRC-32 comes from the blocks, with nothing read", arguments: [entity, small])
  func crc(entity: Entity) async throws {
    let origin = try Origin(
      entity: entity,
      behaviour: Self.adding(["x-amz-checksum-crc32": base64(try Self.crc32(of: entity))]).ignoringRanges())
    let directory = try TemporaryDirectory()
    let fetched = try await fetch(origin.url, to: directory)
    #expect(fetched.success?.checks.map(\.algorithm) == [.crc32], "\(fetched.result)")
  }

  @Test("hears what a redirect says of the file it leads to")
  func linkedTag() async throws {
    let origin = try Origin()
    origin.serve(Self.entity, at: "/storage")
    origin.serve(
      Self.entity,
      behaviour: .correct.redirecting(to: "/storage").amending { _, answer in
        answer.headers["X-Linked-ETag"] = "\"\(hexadecimal(Self.entity.sha256()))\""
      })
    let directory = try TemporaryDirectory()
    let fetched = try await fetch(origin.url, to: directory)
    #expect(fetched.success?.checks.map(\.source) == ["X-Linked-ETag of 127.0.0.1"], "\(fetched.result)")
  }

  @Test("ends where a digest is required and none is offered")
  func required() async throws {
    let origin = try Origin(entity: Self.entity)
    let directory = try TemporaryDirectory()
    let fetched = try await fetch(origin.url, to: directory) { $0.verification = .require }
    #expect(fetched.code == .checksum)
    #expect(directory.names() == [])
    let given = try await fetch(origin.url, to: directory) {
      $0.verification = .require
      $0.checksum = try? Checksum(parsing: hexadecimal(Self.entity.sha256()))
    }
    #expect(given.success?.verified == ["sha-256"])
  }

  @Test("a resumed download is compared as a whole")
  func resumed() async throws {
    let fields = ["Repr-Digest": "sha-256=:\(base64(Self.entity.sha256())):"]
    let origin = try Origin(entity: Self.entity, behaviour: Self.adding(fields).rate(4 << 20))
    let directory = try TemporaryDirectory()
    var options = DownloadOptions()
    options.connections = 2
    let download = try Download(origin.url, to: .file(directory.file("file.bin")), options: options)
    download.start()
    #expect(await origin.reached { $0.bytesSent > 10 << 20 })
    download.cancel(keepingPartial: true)
    _ = try? await download.value
    origin.serve(Self.entity, behaviour: Self.adding(fields))
    let fetched = try await fetch(origin.url, to: directory)
    #expect(fetched.success?.resumedBytes ?? 0 > 0)
    #expect(fetched.success?.verified == ["sha-256"], "\(fetched.result)")
  }

  // MARK: - Checksum files

  @Test("takes the digest from a file on the disk")
  func localFile() async throws {
    let origin = try Origin(entity: Self.entity)
    let directory = try TemporaryDirectory()
    let other = String(repeating: "0", count: 64)
    try directory.write(
      "\(other)  other.bin\n\(hexadecimal(Self.entity.sha256())) *file.bin\n", to: "SHA256SUMS")
    let fetched = try await fetch(origin.url, to: directory, name: "renamed.bin") {
      $0.checksumFile = directory.file("SHA256SUMS")
    }
    #expect(fetched.success?.checks.map(\.source) == [directory.file("SHA256SUMS")], "\(fetched.result)")
    #expect(fetched.success?.identity == .strong)
  }

  @Test("fetches the list from a server, with what it is owed and no more")
  func remoteFile() async throws {
    let origin = try Origin(entity: Self.entity)
    let lists = try Origin()
    for server in [origin, lists] {
      server.serve(Self.entity, behaviour: Self.list("\(hexadecimal(Self.entity.sha256()))  file.bin\n"), at: "/SUMS")
    }
    for url in [origin.url("/SUMS"), lists.url("/SUMS?key=secret")] {
      let directory = try TemporaryDirectory()
      let fetched = try await fetch(origin.url, to: directory) {
        $0.checksumFile = url
        $0.headers = [HeaderField(name: "Authorization", value: "Bearer x")]
      }
      #expect(fetched.success?.verified == ["sha-256"], "\(fetched.result)")
      #expect(fetched.success?.checks.first?.source?.hasSuffix("/SUMS") == true)
      #expect(directory.names() == ["file.bin"])
    }
    #expect(lists.log.requests.count == 1)
    #expect(lists.log.requests.first?.headers["Authorization"] == nil)
    #expect(origin.log.requests.first { $0.path == "/SUMS" }?.headers["Authorization"] == "Bearer x")
  }

  private static func list(_ text: String) -> Behaviour {
    .correct.amending { _, answer in answer = OriginAnswer(status: 200, body: OriginBody(text)) }
  }

  @Test(
    "asks for nothing when the list does not help",
    arguments: [
      ("", DownloadError.Code.checksum), ("\(String(repeating: "0", count: 64))  other.bin", .checksum),
      ("missing", .openFailed), ("404", .notFound), ("large", .badResponse),
    ])
  func useless(text: String, code: DownloadError.Code) async throws {
    let origin = try Origin(entity: Self.entity)
    origin.serve(Self.entity, behaviour: Self.list(String(repeating: "#\n", count: 3 << 20)), at: "/large")
    let directory = try TemporaryDirectory()
    try directory.write(text, to: "list")
    let fetched = try await fetch(origin.url, to: directory) {
      $0.checksumFile =
        switch text {
        case "missing": directory.file("no-list")
        case "404": origin.url("/no-list")
        case "large": origin.url("/large")
        default: directory.file("list")
        }
    }
    #expect(fetched.code == code, "\(fetched.result)")
    #expect(!origin.log.requests.contains { $0.path == Origin.defaultPath })
    #expect(directory.names() == ["list"])
  }

  @Test("says that a signature was not checked")
  func signed() async throws {
    let origin = try Origin(entity: Self.small)
    let directory = try TemporaryDirectory()
    try directory.write(
      """
      -----BEGIN PGP SIGNED MESSAGE-----
      Hash: SHA256

      \(hexadecimal(Self.small.sha256()))  file.bin
      -----BEGIN PGP SIGNATURE-----

      =abcd
      -----END PGP SIGNATURE-----
      """, to: "SHA256SUMS")
    let fetched = try await fetch(origin.url, to: directory) { $0.checksumFile = directory.file("SHA256SUMS") }
    #expect(fetched.success?.verified == ["sha-256"], "\(fetched.result)")
    #expect(fetched.warnings.contains { $0.contains("gpg --verify") })
  }

  @Test("a finished file that the list describes is complete without a request")
  func finished() async throws {
    let origin = try Origin(entity: Self.small)
    let directory = try TemporaryDirectory()
    try Self.small.write(toFileAt: directory.file("file.bin"))
    try directory.write("SHA256 (file.bin) = \(hexadecimal(Self.small.sha256()))\n", to: "SUMS")
    let fetched = try await fetch(origin.url, to: directory) { $0.checksumFile = directory.file("SUMS") }
    #expect(fetched.success?.wasAlreadyComplete == true, "\(fetched.result)")
    #expect(origin.log.requests.isEmpty)
  }
}
