import Sheaf
import TestSupport
import Testing

/// One file from several servers, not all of them good.
@Suite("Mirrors", .serialized)
struct MirrorTests {
  static let entity = Entity(seed: 71, size: (64 << 20) + 5)
  static var checksum: Checksum {
    get throws { try Checksum(parsing: "sha-256=\(hexadecimal(entity.sha256()))") }
  }

  /// A rate at which the other servers have time to be asked.
  static let rate: Int64 = 4 << 20

  @Test("two servers that are equally fast bring about half of the file each, and nothing comes twice")
  func sharing() async throws {
    let servers = try (0..<2).map { _ in try Origin(entity: Self.entity, behaviour: .correct.rate(Self.rate)) }
    let directory = try TemporaryDirectory()
    let fetched = try await fetch(servers[0].url, to: directory) {
      $0.mirrors = [servers[1].url]
      $0.connections = 4
    }
    let result = try #require(fetched.success, "\(fetched.result)")
    #expect(Self.entity.difference(fromFileAt: directory.file("file.bin")) == nil)
    #expect(directory.names() == ["file.bin"])
    #expect(result.sources.map(\.problem) == [nil, nil])
    #expect(result.sources.allSatisfy { $0.receivedBytes > Self.entity.size / 4 }, "\(result.sources)")
    #expect(result.connectionsPeak == 8)
    #expect(result.wastedBytes < 1 << 20)
    #expect(fetched.warnings.isEmpty)
  }

  @Test(
    "one that is dead and one that is wrong among three: the right file, and both are named", arguments: [1, 4, 16])
  func deadAndWrong(connections: Int) async throws {
    let good = try Origin(entity: Self.entity, behaviour: .correct.rate(Self.rate))
    let wrong = try Origin(entity: Entity(seed: 72, size: Self.entity.size), behaviour: .correct.rate(Self.rate))
    let dead = "http://127.0.0.1:\(try LoopbackSocket.freePort())/file.bin"
    let directory = try TemporaryDirectory()
    let fetched = try await fetch(good.url, to: directory) {
      $0.mirrors = [dead, wrong.url]
      $0.connections = connections
    }
    let result = try #require(fetched.success, "\(fetched.result)")
    #expect(Self.entity.difference(fromFileAt: directory.file("file.bin")) == nil)
    #expect(result.sources.map { $0.problem == nil } == [true, false, false], "\(result.sources)")
    #expect(result.sources[2].problem == "it sends another file")
    #expect(fetched.warnings.count == 2, "\(fetched.warnings)")
  }

  @Test("an original that has gone leaves its mirrors", arguments: [1, 16])
  func gone(connections: Int) async throws {
    let gone = try Origin()
    let mirrors = try (0..<2).map { _ in try Origin(entity: Self.entity, behaviour: .correct.rate(Self.rate)) }
    let directory = try TemporaryDirectory()
    let fetched = try await fetch(gone.url, to: directory) {
      $0.mirrors = mirrors.map(\.url)
      $0.connections = connections
    }
    #expect(fetched.success != nil, "\(fetched.result)")
    #expect(Self.entity.difference(fromFileAt: directory.file("file.bin")) == nil)
    #expect(gone.log.requests.count == 1)
  }

  @Test("a mirror of another length is asked no more, and nothing of it is kept")
  func otherLength() async throws {
    let good = try Origin(entity: Self.entity, behaviour: .correct.rate(Self.rate))
    let longer = try Origin(entity: Entity(seed: 73, size: Self.entity.size + 1))
    let directory = try TemporaryDirectory()
    let fetched = try await fetch(good.url, to: directory) { $0.mirrors = [longer.url] }
    #expect(fetched.success != nil, "\(fetched.result)")
    #expect(Self.entity.difference(fromFileAt: directory.file("file.bin")) == nil)
    #expect(fetched.warnings.contains { $0.contains("has another version") }, "\(fetched.warnings)")
  }

  @Test("a mirror with one wrong page is found out by the digest, and what it brought is fetched from the other")
  func damaged() async throws {
    let good = try Origin(entity: Self.entity, behaviour: .correct.rate(Self.rate))
    let bad = try Origin(
      entity: Self.entity.damaged(at: 20 << 20, 30 << 20, 40 << 20, 50 << 20, 60 << 20),
      behaviour: .correct.rate(2 * Self.rate))
    let directory = try TemporaryDirectory()
    let checksum = try Self.checksum
    let fetched = try await fetch(good.url, to: directory) {
      $0.mirrors = [bad.url]
      $0.checksum = checksum
      $0.connections = 4
    }
    let result = try #require(fetched.success, "\(fetched.result)")
    #expect(Self.entity.difference(fromFileAt: directory.file("file.bin")) == nil)
    #expect(result.sources[1].problem == "with its bytes the file has a wrong digest", "\(result.sources)")
    // Nothing that the good one had brought is fetched again, but for blocks that both had a part in.
    #expect(result.wastedBytes <= result.sources[1].receivedBytes + (16 << 20))
  }

  @Test("an original with a wrong page is found out by the digest, and the mirror serves alone")
  func damagedOriginal() async throws {
    let bad = try Origin(entity: Self.entity.damaged(at: 0), behaviour: .correct.rate(Self.rate))
    let good = try Origin(entity: Self.entity, behaviour: .correct.etag("\"good\"").rate(Self.rate))
    let directory = try TemporaryDirectory()
    let checksum = try Self.checksum
    let fetched = try await fetch(bad.url, to: directory) {
      $0.mirrors = [good.url]
      $0.checksum = checksum
    }
    #expect(fetched.success != nil, "\(fetched.result)")
    #expect(Self.entity.difference(fromFileAt: directory.file("file.bin")) == nil)
  }

  @Test("two files of one length: the digest of the mirror's is not the one asked for, and nothing is handed over")
  func bothWrong() async throws {
    let servers = try [74, 75].map { try Origin(entity: Entity(seed: $0, size: Self.entity.size)) }
    let directory = try TemporaryDirectory()
    let checksum = try Self.checksum
    let fetched = try await fetch(servers[0].url, to: directory) {
      $0.mirrors = [servers[1].url]
      $0.checksum = checksum
    }
    #expect(fetched.code == .checksum)
    #expect(!directory.names().contains("file.bin"))
  }

  @Test("what an earlier run brought is continued from a mirror that fits, and not from one that does not")
  func resumed() async throws {
    let directory = try TemporaryDirectory()
    let original = try Origin(entity: Self.entity, behaviour: .correct.rate(Self.rate))
    var options = DownloadOptions()
    options.checkpointInterval = .milliseconds(5)
    // Slow enough to be stopped in time on a busy machine.
    options.connections = 2
    let download = try Download(original.url, to: .file(directory.file("file.bin")), options: options)
    download.start()
    #expect(await original.reached { $0.bytesSent >= 30 << 20 })
    download.cancel(keepingPartial: true)
    _ = try? await download.value
    let url = original.url
    original.stop()
    let mirror = try Origin(entity: Self.entity, behaviour: .correct.etag("\"another server's\"").rate(Self.rate))
    let wrong = try Origin(entity: Entity(seed: 76, size: Self.entity.size), behaviour: .correct.rate(Self.rate))
    let fetched = try await fetch(url, to: directory) { $0.mirrors = [wrong.url, mirror.url] }
    let result = try #require(fetched.success, "\(fetched.result)")
    #expect(Self.entity.difference(fromFileAt: directory.file("file.bin")) == nil)
    #expect(result.resumedBytes > 0)
  }

  @Test("secrets stay with the original's own server")
  func secrets() async throws {
    let servers = try (0..<2).map { _ in try Origin(entity: Self.entity, behaviour: .correct.rate(Self.rate)) }
    let directory = try TemporaryDirectory()
    let fetched = try await fetch(servers[0].url, to: directory) {
      $0.mirrors = [servers[1].url]
      $0.headers = [HeaderField(name: "Authorization", value: "Bearer secret")]
    }
    #expect(fetched.success != nil)
    #expect(servers[0].log.requests.allSatisfy { $0.headers["Authorization"] == "Bearer secret" })
    #expect(!servers[1].log.requests.isEmpty)
    #expect(servers[1].log.requests.allSatisfy { $0.headers["Authorization"] == nil })
  }

  @Test("mirrors that the server names are asked where it also says the digest", arguments: [true, false])
  func named(hasDigest: Bool) async throws {
    let mirror = try Origin(entity: Self.entity, behaviour: .correct.etag("\"mirror's\"").rate(Self.rate))
    let wrong = try Origin(entity: Entity(seed: 77, size: Self.entity.size), behaviour: .correct.rate(Self.rate))
    var behaviour = Behaviour.correct.rate(Self.rate)
      .header("Link", "<\(wrong.url)>; rel=duplicate; pri=2, <\(mirror.url)>; rel=duplicate; pri=1; geo=de")
    if hasDigest { behaviour = behaviour.header("Digest", "SHA-256=\(base64(Self.entity.sha256()))") }
    let origin = try Origin(entity: Self.entity, behaviour: behaviour)
    let directory = try TemporaryDirectory()
    let fetched = try await fetch(origin.url, to: directory) { $0.connections = 4 }
    let result = try #require(fetched.success, "\(fetched.result)")
    #expect(Self.entity.difference(fromFileAt: directory.file("file.bin")) == nil)
    #expect(result.sources.count == (hasDigest ? 3 : 1))
    #expect(mirror.log.requests.isEmpty == !hasDigest)
    #expect(wrong.log.requests.isEmpty == !hasDigest)
    if hasDigest { #expect(result.sources[2].problem == "it sends another file", "\(result.sources)") }
  }

  @Test("a crawling mirror brings little and does not hold the end up")
  func crawling() async throws {
    let good = try Origin(entity: Self.entity, behaviour: .correct.rate(Self.rate))
    let slow = try Origin(entity: Self.entity, behaviour: .correct.rate(20_000))
    let directory = try TemporaryDirectory()
    let fetched = try await fetch(good.url, to: directory) {
      $0.mirrors = [slow.url]
      $0.connections = 4
    }
    let result = try #require(fetched.success, "\(fetched.result)")
    #expect(Self.entity.difference(fromFileAt: directory.file("file.bin")) == nil)
    #expect(result.sources[1].receivedBytes < 4 << 20, "\(result.sources)")
    // At its pace alone one of its segments would take a minute.
    #expect(result.duration < .seconds(30))
  }
}
