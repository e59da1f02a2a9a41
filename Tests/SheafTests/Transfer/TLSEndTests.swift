import Sheaf
import TestSupport
import Testing

/// Bodies that end with their connection, and TLS, which tells an end from a cut.
@Suite("The end of a TLS connection")
struct TLSEndTests {
  private static let entity = Entity(seed: 51, size: 3_000_000)

  private func fetched(
    _ behaviour: Behaviour, proving digest: Entity? = nil, in directory: TemporaryDirectory
  ) async throws -> Fetched {
    let site = try OriginSite(access: .tls(.none))
    site.origin.serve(Self.entity, behaviour: behaviour)
    return try await fetch(site.url(), to: directory) {
      $0.certificateAuthorityFile = site.authorityFile
      $0.maximumTries = 2
      $0.checksum = digest.flatMap { try? Checksum(parsing: hexadecimal($0.sha256())) }
    }
  }

  private static let endless = Behaviour.correct.ignoringRanges().closeDelimited()
  private static let silent = Behaviour.correct.amending {
    $1.keepsAlive = false
    $1.saysGoodbye = false
  }

  @Test("without a length, an end that the server announces is one, and no warning is due")
  func announced() async throws {
    let directory = try TemporaryDirectory()
    let fetched = try await fetched(Self.endless, in: directory)
    #expect(fetched.code == nil, "\(fetched.result)")
    #expect(fetched.warnings == [])
    #expect(Self.entity.matches(fileAt: directory.file("file.bin")))
  }

  @Test("without a length, a cut is none, wherever it is", arguments: [1_500_000, 3_000_000] as [Int64])
  func cut(at place: Int64) async throws {
    let directory = try TemporaryDirectory()
    let fetched = try await fetched(Self.endless.and(Self.silent).closing(after: place), in: directory)
    #expect(fetched.code == .network)
    #expect(directory.names() == [])
  }

  @Test("a digest decides in its place")
  func proven() async throws {
    let directory = try TemporaryDirectory()
    let whole = try await fetched(Self.endless.and(Self.silent), proving: Self.entity, in: directory)
    #expect(whole.success?.verified == ["sha-256"], "\(whole.result)")
    let other = try TemporaryDirectory()
    let part = try await fetched(
      Self.endless.and(Self.silent).closing(after: 1_500_000), proving: Self.entity, in: other)
    #expect(part.code == .checksum)
    #expect(other.names() == ["file.bin.part"])
  }

  @Test("a length that was kept needs no farewell", arguments: [false, true])
  func length(hasRanges: Bool) async throws {
    let directory = try TemporaryDirectory()
    let behaviour = hasRanges ? Behaviour.correct : .correct.ignoringRanges()
    let fetched = try await fetched(behaviour.and(Self.silent), in: directory)
    #expect(fetched.code == nil, "\(fetched.result)")
    #expect(Self.entity.matches(fileAt: directory.file("file.bin")))
  }

  @Test("nor do chunks with their last one")
  func chunks() async throws {
    let directory = try TemporaryDirectory()
    let fetched = try await fetched(.correct.ignoringRanges().chunked().and(Self.silent), in: directory)
    #expect(fetched.code == nil, "\(fetched.result)")
    #expect(Self.entity.matches(fileAt: directory.file("file.bin")))
  }
}
