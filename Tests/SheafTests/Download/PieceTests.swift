import Sheaf
import SheafCore
import TestSupport
import Testing

/// Files whose pieces have known digests.
@Suite("Pieces of a download", .serialized)
struct PieceTests {
  static let entity = MirrorTests.entity
  static let pieceLength: Int64 = 1 << 20

  static let hashes: PieceHashes? = {
    let starts = stride(from: Int64(0), to: entity.size, by: Int(pieceLength))
    let digests = starts.map { start in
      Digest(.sha256, entity.sha256(of: start..<min(start + pieceLength, entity.size)))
    }
    return PieceHashes(pieceLength: pieceLength, digests: digests.compactMap { $0 }, total: entity.size)
  }()

  @Test("a mirror with one flipped block: it is dropped, and only that block is fetched again")
  func flipped() async throws {
    let good = try Origin(entity: Self.entity, behaviour: .correct.rate(MirrorTests.rate))
    let bad = try Origin(
      entity: Self.entity.damaged(at: 40 << 20), behaviour: .correct.rate(MirrorTests.rate))
    let directory = try TemporaryDirectory()
    let hashes = try #require(Self.hashes)
    let fetched = try await fetch(bad.url, to: directory) {
      $0.mirrors = [good.url]
      $0.pieces = hashes
      $0.connections = 4
    }
    let result = try #require(fetched.success, "\(fetched.result)")
    #expect(Self.entity.difference(fromFileAt: directory.file("file.bin")) == nil)
    let twice = Self.entity.size - result.fetchedBytes + result.wastedBytes
    #expect(twice == 0)
    if result.sources[0].problem != nil {
      // What its transfers had under way is lost with it, and the piece.
      #expect(result.wastedBytes <= 12 << 20, "\(result)")
      let again = good.log.bytesSent(in: 40 << 20..<41 << 20)
      #expect(again >= 1 << 20)
    }
    #expect(result.checks.map(\.source) == ["all pieces"])
  }

  @Test("a single source with a flipped block fails, and says where")
  func single() async throws {
    let origin = try Origin(entity: Self.entity.damaged(at: 40 << 20), behaviour: .correct.rate(MirrorTests.rate))
    let directory = try TemporaryDirectory()
    let hashes = try #require(Self.hashes)
    let fetched = try await fetch(origin.url, to: directory) {
      $0.pieces = hashes
      $0.connections = 4
    }
    #expect(fetched.code == .checksum)
    #expect("\(fetched.result)".contains("bytes 41943040 to 42991615"), "\(fetched.result)")
    #expect(!directory.names().contains("file.bin"))
    // The piece, each time it was tried.
    #expect(origin.log.bytesSentAgain() <= 8 << 20)
  }
}
