import Sheaf
import TestSupport
import Testing

/// Whatever a server does: the right file or an honest failure, in time, and nothing else in the directory.
@Suite("Fall-backs", .serialized)
struct FallbackTests {
  /// What a behaviour must lead to.
  enum Expectation: Sendable {
    case right
    case fails(DownloadError.Code)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let behaviour: String
    let expectation: Expectation

    init(_ behaviour: String, _ expectation: Expectation = .right) {
      self.behaviour = behaviour
      self.expectation = expectation
    }

    var testDescription: String { behaviour }
  }

  static let rows = [
    Row("correct"), Row("last-modified-only"), Row("last-modified-one-second-old"),
    Row("last-modified-equals-date"), Row("last-modified-without-date"), Row("weak-etag"), Row("no-validator"),
    Row("ignores-ranges"), Row("claims-ranges-but-ignores-them"), Row("ignores-ranges-after-4"),
    Row("whole-file-206"), Row("no-content-range"), Row("starts-earlier"), Row("starts-later"),
    Row("shorter-ranges"), Row("longer-ranges"), Row("unknown-total"),
    Row("chunked"), Row("chunked-ranges"), Row("close-delimited"), Row("claims-gzip", .fails(.badResponse)),
    Row("closes-after-1m"), Row("closes-3-times"), Row("resets-after-1m"), Row("resets-3-times"),
    Row("stalls-after-64k"), Row("stalls-in-head"),
    Row("always-401", .fails(.authorization)), Row("always-403", .fails(.authorization)),
    Row("always-404", .fails(.notFound)), Row("always-410", .fails(.notFound)),
    Row("always-416", .fails(.badResponse)), Row("always-400", .fails(.badResponse)),
    Row("always-500", .fails(.badResponse)), Row("always-503", .fails(.overloaded)),
    Row("always-429", .fails(.overloaded)),
    Row("busy-3-times"), Row("too-many-requests-3-times"), Row("fails-3-times"), Row("refuses-later-ranges"),
    Row("at-most-4-connections"), Row("at-most-4-requests"), Row("resets-beyond-4-connections"),
    Row("hangs-beyond-4-connections"), Row("one-frozen-connection"),
    Row("redirects-once"), Row("redirects-5-times"), Row("redirects-21-times", .fails(.redirects)),
    Row("redirect-loop", .fails(.redirects)),
  ]

  @Test("ends right or honestly", .timeLimit(.minutes(2)), arguments: rows, [1, 4, 16])
  func ends(row: Row, connections: Int) async throws {
    let entity = Entity(seed: 7, size: (20 << 20) + 12_345)
    let behaviour = try #require(NamedBehaviour.named(row.behaviour)).behaviour(for: entity)
    let origin = try Origin(entity: entity, behaviour: behaviour)
    let directory = try TemporaryDirectory()
    try directory.write("untouched", to: "neighbour")

    let fetched = try await fetch(origin.url, to: directory) {
      $0.connections = connections
      $0.timeout = .seconds(1)
      $0.connectTimeout = .seconds(5)
      $0.maximumTries = 4
    }

    #expect(try directory.read("neighbour") == Array("untouched".utf8))
    switch row.expectation {
    case .right:
      #expect(fetched.code == nil, "\(fetched.result)")
      #expect(entity.difference(fromFileAt: directory.file("file.bin")) == nil)
      #expect(directory.names() == ["file.bin", "neighbour"])
      #expect(fetched.success?.bytes == entity.size)
      #expect((fetched.success?.connectionsPeak ?? 0) <= connections)
    case .fails(let code):
      #expect(fetched.code == code)
      #expect(directory.names() == ["neighbour"])
    }
  }

  @Test(
    "finds sizes around a block, the first request and nothing",
    arguments: [
      0, 1, 4095, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, (8 << 20) - 1, 8 << 20, (8 << 20) + 1, (64 << 20) + 3,
    ] as [Int64])
  func sizes(size: Int64) async throws {
    let entity = Entity(seed: 11, size: size)
    let origin = try Origin(entity: entity)
    let directory = try TemporaryDirectory()
    let fetched = try await fetch(origin.url, to: directory)
    #expect(fetched.code == nil)
    #expect(entity.difference(fromFileAt: directory.file("file.bin")) == nil)
    #expect(directory.names() == ["file.bin"])
    #expect(origin.log.bytesSentAgain() <= 0 || origin.log.requests.count > 1)
  }

  @Test("fetches a small file with one request and nothing twice", arguments: [1, 1000, 1 << 20] as [Int64])
  func oneRequest(size: Int64) async throws {
    let entity = Entity(seed: 3, size: size)
    let origin = try Origin(entity: entity)
    let directory = try TemporaryDirectory()
    _ = try await fetch(origin.url, to: directory)
    #expect(origin.log.requests.count == 1)
    #expect(origin.log.bytesSent == size)
  }

  @Test("a changed file is never mixed: one version or none", arguments: [1, 4, 16], 1...6)
  func changes(connections: Int, after: Int) async throws {
    let old = Entity(seed: 5, size: 24 << 20)
    let new = Entity(seed: 6, size: 24 << 20)
    let origin = try Origin(entity: old, behaviour: .correct.changing(to: new, on: .after(after)))
    let directory = try TemporaryDirectory()
    let fetched = try await fetch(origin.url, to: directory) { $0.connections = connections }
    let path = directory.file("file.bin")
    #expect(fetched.code == nil)
    #expect(new.matches(fileAt: path) || old.matches(fileAt: path))
    if new.matches(fileAt: path), origin.log.requests.count > after + 1 {
      #expect(fetched.warnings.contains { $0.contains("changed on the server") })
    }
  }

  @Test("a single stream that always breaks fails and leaves nothing")
  func brokenStream() async throws {
    let entity = Entity(seed: 8, size: 4 << 20)
    let origin = try Origin(entity: entity, behaviour: .correct.ignoringRanges().closing(after: 1 << 20))
    let directory = try TemporaryDirectory()
    let fetched = try await fetch(origin.url, to: directory) { $0.maximumTries = 2 }
    #expect(fetched.code == .network)
    #expect(directory.names() == [])
    #expect(origin.log.requests.count == 2)
  }

  @Test("nobody listens: one honest failure, and at once")
  func refused() async throws {
    let port = try LoopbackSocket.freePort()
    let directory = try TemporaryDirectory()
    let fetched = try await fetch("http://127.0.0.1:\(port)/file.bin", to: directory)
    #expect(fetched.code == .network)
    #expect(directory.names() == [])
  }

  @Test("private fields go only to the origin they were given for")
  func privateFields() async throws {
    let entity = Entity(seed: 9, size: 20 << 20)
    let other = try Origin(entity: entity)
    let first = try Origin(entity: entity, behaviour: .correct.redirecting(to: other.url))
    let directory = try TemporaryDirectory()
    let fetched = try await fetch(first.url, to: directory) {
      $0.headers = [HeaderField(name: "Authorization", value: "Bearer secret"), HeaderField(name: "X-Key", value: "k")]
    }
    #expect(fetched.code == nil)
    #expect(
      first.log.requests.allSatisfy { $0.headers["Authorization"] == "Bearer secret" && $0.headers["X-Key"] == "k" })
    #expect(!other.log.requests.isEmpty)
    #expect(other.log.requests.allSatisfy { $0.headers["Authorization"] == nil && $0.headers["X-Key"] == nil })
  }

  @Test("a link that expires is resolved again from the original")
  func expiredLink() async throws {
    let entity = Entity(seed: 10, size: 32 << 20)
    let origin = try Origin()
    origin.serve(entity, behaviour: .correct.status(403, on: .after(3)), at: "/signed/1")
    origin.serve(entity, at: "/signed/2")
    origin.serve(
      entity,
      behaviour: .correct.redirecting(to: "/signed/1", on: .first(1)).redirecting(to: "/signed/2", on: .after(1)))
    let directory = try TemporaryDirectory()
    let fetched = try await fetch(origin.url, to: directory) { $0.connections = 4 }
    #expect(fetched.code == nil)
    #expect(entity.matches(fileAt: directory.file("file.bin")))
  }
}
