import Testing

@testable import SheafCore

@Suite("DownloadMachine: what servers say of the digest")
struct ClaimTests {
  private let total = 100 * mebibyte

  private static func claim(_ algorithm: DigestAlgorithm, _ byte: UInt8 = 7, _ source: String = "Field") throws
    -> DigestClaim
  {
    DigestClaim(
      try #require(Digest(algorithm, Array(repeating: byte, count: algorithm.byteCount))), source: source)
  }

  private func settings(_ policy: VerificationPolicy, digest: Bool = false) -> DownloadMachine.Settings {
    var settings = DownloadMachine.Settings(digest: digest)
    settings.verification = policy
    return settings
  }

  private func begun(
    _ policy: VerificationPolicy = .auto, digest: Bool = false, resumed: DownloadMachine.Resumed? = nil
  ) -> Story {
    var story = Story(settings(policy, digest: digest), resumed: resumed)
    story.begin()
    return story
  }

  @Test("the strongest claim of the first accepted answer is compared, and a CRC-32 beside it")
  func strongest() throws {
    var story = begun()
    let claims = [try Self.claim(.md5), try Self.claim(.crc32), try Self.claim(.sha256), try Self.claim(.crc32c)]
    story.claim(story.latest, claims)
    story.accept(story.latest, .strong(total))
    let expected = [claims[2], claims[1]].map { $0.by("origin.example") }
    #expect(story.all.expectations == [expected])
    story.claim(story.latest, [try Self.claim(.sha512)])
    story.fetchAllAndPublish(.strong(total))
    #expect(story.outcome == .finish)
    #expect(story.all.expectations == [expected])
  }

  @Test("what a redirect on the way says counts, and who said it is told")
  func redirect() throws {
    var story = begun()
    story.claim(story.latest, [try Self.claim(.sha256)])
    story.redirect(story.latest, to: .mirror)
    story.claim(story.latest, [try Self.claim(.md5)])
    story.accept(story.latest, .strong(total))
    #expect(story.all.expectations == [[try Self.claim(.sha256).by("origin.example")]])
  }

  @Test("claims that contradict each other are all left alone")
  func contradiction() throws {
    var story = begun()
    story.claim(story.latest, [try Self.claim(.sha256, 1)])
    story.redirect(story.latest, to: .mirror)
    story.claim(story.latest, [try Self.claim(.sha256, 2), try Self.claim(.md5)])
    story.accept(story.latest, .strong(total))
    #expect(story.all.expectations.map { $0.map(\.digest.algorithm) } == [[.md5]])
  }

  @Test("an answer that is not accepted has said nothing")
  func rejected() throws {
    var story = begun()
    story.claim(story.latest, [try Self.claim(.sha256)])
    story.answer(story.latest, .refused(status: 503, retryAfter: nil))
    story.wait(1)
    story.accept(story.latest, .strong(total))
    #expect(story.all.expectations == [])
  }

  @Test("after a fresh start only what is said then counts")
  func restarted() throws {
    var story = begun()
    story.claim(story.latest, [try Self.claim(.sha256, 1)])
    story.accept(story.latest, .strong(total))
    story.answer(story.latest, .changed("its ETag changed"))
    story.accept(story.latest, .strong(total, tag: "\"two\""))
    #expect(story.all.expectations.count == 1)
    story.fetchAllAndPublish(.strong(total, tag: "\"two\""))
    #expect(story.outcome == .finish)
    #expect(story.machine.claims.settled.isEmpty)
  }

  @Test("the user's digest, or the wish to hear nothing, silences servers", arguments: [true, false])
  func silenced(hasDigest: Bool) throws {
    var story = begun(hasDigest ? .auto : .off, digest: hasDigest)
    story.claim(story.latest, [try Self.claim(.sha256)])
    story.accept(story.latest, .strong(total))
    #expect(story.all.expectations == [])
  }

  @Test("the first answer of a resumed download is heard as well")
  func resumed() throws {
    var story = begun(resumed: .init(.strong(total), total: total, present: 0..<10))
    story.claim(story.latest, [try Self.claim(.sha256)])
    story.accept(story.latest, .strong(total))
    #expect(story.all.expectations.count == 1)
    #expect(story.lastRequests.allSatisfy { $0.question.range.count <= DownloadMachine.largestOrderedSegment })
  }

  @Test("where a digest is required, an answer without one ends the download before its first byte")
  func required() throws {
    var story = begun(.require)
    story.accept(story.latest, .strong(total))
    #expect(story.failure?.kind == .checksum)
    #expect(story.transfers.isEmpty && story.all.layouts.isEmpty)
    var whole = begun(.require)
    whole.acceptWhole(whole.latest, .bare(nil))
    #expect(whole.failure?.kind == .checksum)
    var resumed = begun(.require, resumed: .init(.strong(total), total: total, present: 0..<10))
    resumed.accept(resumed.latest, .strong(total))
    #expect(resumed.failure?.kind == .checksum)
    var existing = Story(settings(.require), existing: .strong(total))
    existing.begin()
    existing.answer(existing.latest, .unchanged)
    #expect(existing.failure?.kind == .exists)
  }

  @Test("nor is a file taken that was complete before anybody was asked")
  func requiredAndComplete() throws {
    var story = begun(.require, resumed: .init(.strong(total), total: total, present: 0..<100))
    #expect(story.transfers.isEmpty && story.outcome == nil)
    story.happen { $0.audited(now: $1) }
    #expect(story.failure?.kind == .checksum)
  }

  @Test("a digest that reads the bytes keeps segments small, a CRC-32 does not")
  func order() throws {
    func longest(_ algorithm: DigestAlgorithm?) throws -> Int64 {
      var story = begun()
      if let algorithm { story.claim(story.latest, [try Self.claim(algorithm)]) }
      story.accept(story.latest, .strong(1000 * mebibyte))
      return story.transfers.dropFirst().map(\.request.question.range.count).max() ?? 0
    }
    #expect(try longest(.sha256) == DownloadMachine.largestOrderedSegment)
    #expect(try longest(.crc32) == longest(nil))
    #expect(try longest(nil) > 2 * DownloadMachine.largestOrderedSegment)
  }

  @Test("a file that may only be small is refused as soon as that shows", arguments: [true, false])
  func tooLarge(isKnown: Bool) {
    var settings = DownloadMachine.Settings()
    settings.mostBytes = 1000
    var story = Story(settings)
    story.begin()
    if isKnown {
      story.accept(story.latest, .strong(1001))
    } else {
      story.acceptWhole(story.latest, .bare(nil))
      story.progress(story.latest, to: 1000)
      #expect(story.outcome == nil)
      story.progress(story.latest, to: 1001)
    }
    #expect(story.failure?.kind == .badResponse)
  }
}

extension Story {
  mutating func claim(_ id: TransferID, _ claims: [DigestClaim]) {
    happen { machine, _ in
      machine.claimed(id, claims)
      return []
    }
  }
}

extension [DownloadMachine.Action] {
  fileprivate var expectations: [[DigestClaim]] {
    compactMap { if case .expect(let claims) = $0 { claims } else { nil } }
  }
}
