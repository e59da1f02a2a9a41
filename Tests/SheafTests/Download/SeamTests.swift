import Sheaf
import TestSupport
import Testing

/// Several connections under a weak identity: the parts overlap, and must be the same where they do.
@Suite("Seams", .serialized)
struct SeamTests {
  static let entity = Entity(seed: 93, size: (40 << 20) + 77)

  @Test("under a weak identity several connections bring the file, each part a little longer than it had to be")
  func parallel() async throws {
    let origin = try Origin(entity: Self.entity, behaviour: .correct.weakETag().rate(8 << 20))
    let directory = try TemporaryDirectory()
    let fetched = try await fetch(origin.url, to: directory) { $0.connections = 8 }
    let result = try #require(fetched.success)
    #expect(result.identity == .weak)
    #expect(result.connectionsPeak == 8)
    #expect(result.bytes == Self.entity.size)
    #expect(Self.entity.difference(fromFileAt: directory.file("file.bin")) == nil)
    #expect(origin.log.bytesSentAgain() >= Int64(7 * 4096))
    #expect(directory.names() == ["file.bin"])
  }

  @Test("a file that changes under its weak ETag is seen where the parts meet, and never mixed", arguments: [2, 4, 16])
  func changing(connections: Int) async throws {
    let other = Entity(seed: ~Self.entity.seed, size: Self.entity.size)
    // However busy the machine is, there are two requests: the first one asks for a part.
    let behaviour = Behaviour.correct.weakETag().changing(to: other, on: .after(1), etag: .unchanged)
    let origin = try Origin(entity: Self.entity, behaviour: behaviour.rate(64 << 20))
    let directory = try TemporaryDirectory()
    let fetched = try await fetch(origin.url, to: directory) { $0.connections = connections }
    #expect(fetched.success != nil, "\(fetched.result)")
    #expect(other.difference(fromFileAt: directory.file("file.bin")) == nil)
    #expect(fetched.warnings.contains { $0.contains("do not fit together") }, "\(fetched.warnings)")
  }

  @Test("a connection that breaks is continued, and compared where it went on")
  func continued() async throws {
    let other = Entity(seed: ~Self.entity.seed, size: Self.entity.size)
    let behaviour = Behaviour.correct.weakETag().closing(after: 10 << 20, on: .first(2))
      .changing(to: other, on: .after(2), etag: .unchanged)
    let origin = try Origin(entity: Self.entity, behaviour: behaviour)
    let directory = try TemporaryDirectory()
    let fetched = try await fetch(origin.url, to: directory) { $0.connections = 1 }
    #expect(other.difference(fromFileAt: directory.file("file.bin")) == nil)
    #expect(fetched.warnings.contains { $0.contains("do not fit together") }, "\(fetched.warnings)")
  }
}
