import SheafCore
import Testing

/// One file from several places.
@Suite("Sources")
struct SourceTests {
  private let total = 64 * mebibyte
  private static let first = Location.at("https", "first.example")
  private static let second = Location.at("https", "second.example")

  private func begun(_ settings: DownloadMachine.Settings = .init(connections: 4)) -> Story {
    var story = Story(settings, mirrors: [Self.first, Self.second])
    story.begin()
    return story
  }

  private func started(_ settings: DownloadMachine.Settings = .init(connections: 4)) -> Story {
    var story = begun(settings)
    story.accept(story.latest, .strong(total))
    return story
  }

  private func transfers(_ story: Story, to place: Location) -> [TransferRequest] {
    story.transfers.map(\.request).filter { $0.location == place }
  }

  @Test("the first request goes to the user's own URL, and the others are asked when it has told the length")
  func order() {
    var story = begun()
    #expect(story.transfers.map(\.request.location) == [.original])
    story.accept(story.latest, .strong(total))
    for place in [Location.original, Self.first, Self.second] {
      #expect(transfers(story, to: place).count == 4, "\(place.url)")
    }
  }

  @Test("what mirrors send begins early enough to be compared, and must have the known length")
  func questions() {
    let story = started()
    for request in transfers(story, to: Self.first) {
      #expect(request.question.seam == 4096)
      #expect(request.question.pinned == nil)
      #expect(request.question.total == total)
      #expect(!request.carriesPrivateFields)
    }
  }

  @Test("a mirror's later answers must be of the version that its first one was of")
  func pinned() throws {
    var story = started()
    let id = try #require(transfers(story, to: Self.first).first?.id)
    story.accept(id, .strong(total, tag: "\"another server's\""))
    story.finish(id)
    let next = try #require(story.lastRequests.first { $0.location == Self.first })
    #expect(next.question.pinned == .strong(total, tag: "\"another server's\""))
  }

  @Test("`-s` bounds the requests to all hosts together")
  func split() {
    let story = started(.init(connections: 4, split: 6))
    #expect(story.transfers.count == 6)
  }

  @Test("an original that is gone leaves the mirrors", arguments: [404, 403, 500, 503])
  func goneOriginal(status: Int) {
    var story = begun()
    story.answer(story.latest, .refused(status: status, retryAfter: nil))
    #expect(story.lastRequests.map(\.location) == [Self.first])
    #expect(story.lastRequests.first?.question.isOpen == true)
    story.fetchAllAndPublish(.strong(total))
    #expect(story.outcome == .finish)
    #expect(story.warnings.count == 1)
    #expect(story.warnings.first?.contains("origin.example") == true)
  }

  @Test(
    "an original that cannot be reached leaves the mirrors",
    arguments: [TransferFailure.Kind.connectionRefused, .nameResolution, .timedOut])
  func deadOriginal(kind: TransferFailure.Kind) {
    var story = begun()
    story.fail(story.latest, kind)
    #expect(story.lastRequests.map(\.location) == [Self.first])
    story.fetchAllAndPublish(.strong(total))
    #expect(story.outcome == .finish)
  }

  @Test("without any source that answers the last one's failure is the download's")
  func allDead() {
    var story = begun()
    story.fail(story.latest, .connectionRefused)
    story.answer(story.latest, .refused(status: 404, retryAfter: nil))
    #expect(story.outcome == nil)
    story.answer(story.latest, .refused(status: 404, retryAfter: nil))
    #expect(story.failure?.kind == .notFound)
    #expect(story.failure?.message.contains("second.example") == true)
  }

  @Test("a mirror that cannot be reached is named and asked no more")
  func deadMirror() throws {
    var story = started()
    for request in transfers(story, to: Self.first) { story.fail(request.id, .connectionRefused) }
    #expect(story.warnings.count == 1)
    #expect(story.warnings.first?.contains("first.example") == true)
    #expect(transfers(story, to: Self.first).isEmpty)
    story.fetchAllAndPublish(.strong(total))
    #expect(story.outcome == .finish)
    #expect(story.all.requests.filter { $0.location == Self.first }.count == 4)
  }

  @Test("a mirror that says nothing is given up while others work")
  func silentMirror() throws {
    var story = started()
    let silent = Set(transfers(story, to: Self.first).map(\.id))
    var positions: [TransferID: Int64] = [:]
    for transfer in story.transfers where !silent.contains(transfer.id) { story.accept(transfer.id, .strong(total)) }
    for _ in 0..<80 where story.warnings.isEmpty {
      for transfer in story.transfers where transfer.isAccepted && transfer.position + 20_000 < transfer.end {
        positions[transfer.id] = transfer.position + 20_000
        story.progress(transfer.id, to: transfer.position + 20_000)
      }
      story.wait(0.1)
    }
    #expect(story.warnings.contains { $0.contains("first.example") && $0.contains("does not answer") })
    #expect(transfers(story, to: Self.first).isEmpty)
  }

  @Test(
    "a mirror with another version is dropped, and the others go on",
    arguments: [
      Verdict.changed("it has 5 bytes instead of 67108864"), .rangeIgnored(.strong(5)), .unsatisfiable(total: 5),
      .rejected("nonsense"), .refused(status: 404, retryAfter: nil),
    ])
  func otherVersion(verdict: Verdict) throws {
    var story = started()
    for request in transfers(story, to: Self.first) { story.answer(request.id, verdict) }
    #expect(transfers(story, to: Self.first).isEmpty)
    #expect(story.warnings.count == 1)
    #expect(!story.all.contains(.discard))
    story.fetchAllAndPublish(.strong(total))
    #expect(story.outcome == .finish)
  }

  @Test("what a mirror brought is taken back and fetched from others when it does not fit")
  func misfit() throws {
    var story = started()
    let bad = try #require(transfers(story, to: Self.first).first)
    story.accept(bad.id, .strong(total))
    story.finish(bad.id)
    let range = bad.question.range
    let source = story.machine.source(of: bad.id)
    story.happen { $0.misfitted(ByteRange(range.lower - 4096, range.lower), by: source, now: $1) }
    let taken = story.last.compactMap { if case .withdraw(let blocks) = $0 { blocks } else { nil } }.flatMap { $0 }
    #expect(taken.contains(Int(range.lower / mebibyte)))
    #expect(transfers(story, to: Self.first).isEmpty)
    #expect(!story.machine.isPresent(range))
    story.fetchAllAndPublish(.strong(total))
    #expect(story.outcome == .finish)
    #expect(!story.all.contains(.discard))
  }

  @Test("where two mirrors disagree, the one that nobody agreed with is dropped")
  func fits() throws {
    var story = started()
    let good = try #require(transfers(story, to: Self.first).first)
    let bad = try #require(transfers(story, to: Self.second).first)
    for id in [good.id, bad.id] { story.accept(id, .strong(total)) }
    story.progress(good.id, to: good.question.range.lower + 100_000)
    story.progress(bad.id, to: bad.question.range.lower + 100_000)
    let (goodSource, badSource) = (story.machine.source(of: good.id), story.machine.source(of: bad.id))
    story.happen { machine, _ in
      machine.fitted(ByteRange(0, 4096), by: goodSource)
      return []
    }
    let seam = ByteRange(bad.question.range.lower, bad.question.range.lower + 4096)
    story.happen { $0.misfitted(seam, by: goodSource, now: $1) }
    #expect(story.machine.sources[badSource].isExpelled)
    #expect(!story.machine.sources[goodSource].isExpelled)
  }

  @Test("a wrong digest drops the mirrors first, then the original")
  func refuted() throws {
    var story = started(.init(connections: 4, digest: true))
    story.fetchAll(.strong(total))
    #expect(story.last.contains(.seal))
    story.happen { $0.refuted(because: Failure.Kind.checksum.sample, now: $1) }
    #expect(story.outcome == nil)
    #expect(story.machine.sources.map { $0.dropped == nil } == [true, false, false])
    story.fetchAll(.strong(total))
    story.happen { $0.refuted(because: Failure.Kind.checksum.sample, now: $1) }
    // The original alone was wrong too: the mirrors may have been right.
    #expect(story.outcome == nil)
    #expect(story.machine.sources.map { $0.dropped == nil } == [false, true, true])
    story.fetchAllAndPublish(.strong(total))
    #expect(story.outcome == .finish)
  }

  @Test("a wrong digest of what one source brought alone leads to the next one")
  func refutedAlone() throws {
    var story = begun(.init(connections: 1, split: 1, digest: true))
    story.fetchAll(.strong(mebibyte))
    story.happen { $0.refuted(because: Failure.Kind.checksum.sample, now: $1) }
    #expect(story.outcome == nil)
    #expect(story.last.contains(.discard))
    #expect(story.lastRequests.map(\.location) == [Self.first])
    story.fetchAllAndPublish(.strong(mebibyte, tag: "\"right\""))
    #expect(story.outcome == .finish)
  }

  @Test(
    "a server's word on mirrors is taken up only where a digest can tell whether it is true",
    arguments: [
      ("a digest from the user", true, 1 << 30, Location.at("https", "named.example"), true),
      ("none", false, 1 << 30, Location.at("https", "named.example"), false),
      ("a small file", true, 1 << 20, Location.at("https", "named.example"), false),
      ("without encryption", true, 1 << 30, Location.at("http", "named.example"), false),
      ("of another protocol", true, 1 << 30, Location.at("ftp", "named.example"), false),
      ("itself", true, 1 << 30, Location.original, false),
    ] as [(String, Bool, Int64, Location, Bool)])
  func offers(name: String, hasDigest: Bool, total: Int64, place: Location, isTaken: Bool) {
    var story = Story(.init(digest: hasDigest))
    story.begin()
    let probe = story.latest
    story.happen { machine, _ in
      machine.offered(probe, [place])
      return []
    }
    story.accept(probe, .strong(total))
    #expect(story.machine.sources.dropFirst().map(\.original) == (isTaken ? [place] : []), "\(name)")
    story.fetchAllAndPublish(.strong(total))
    #expect(story.outcome == .finish)
  }

  @Test("no more sources than allowed")
  func mostSources() {
    var settings = DownloadMachine.Settings(digest: true)
    settings.mostSources = 2
    var story = Story(settings, mirrors: [Self.first, Self.second])
    #expect(story.machine.sources.count == 2)
    story.begin()
    let probe = story.latest
    story.happen { machine, _ in
      machine.offered(probe, [Self.second])
      return []
    }
    story.accept(probe, .strong(total))
    #expect(story.machine.sources.count == 2)
  }

  @Test("a stream without ranges that breaks leads to the next source, and is no finished file")
  func brokenStream() {
    var story = begun()
    story.acceptWhole(story.latest, .strong(total))
    let stream = story.latest
    story.progress(stream, to: total / 2)
    story.fail(stream, .cut)
    #expect(!story.all.contains(.seal))
    #expect(story.last.contains(.discard))
    #expect(story.lastRequests.map(\.location) == [Self.first])
    #expect(story.lastRequests.map(\.question.asksRange) == [true])
    story.fetchAllAndPublish(.strong(total, tag: "\"first's\""))
    #expect(story.outcome == .finish)
  }

  @Test("an answer that is no use as a whole leads to the next source, which is asked for ranges")
  func uselessStream() {
    var story = begun()
    story.answer(story.latest, .rejected("it is encoded"))
    #expect(story.lastRequests.map(\.location) == [Self.first])
    #expect(story.lastRequests.map(\.question.asksRange) == [true])
    story.fetchAllAndPublish(.strong(total))
    #expect(story.outcome == .finish)
  }

  @Test("a slow source gets nothing of the end")
  func slowSource() throws {
    var story = started(.init(connections: 1))
    let (quick, slow) = (transfers(story, to: .original)[0].id, transfers(story, to: Self.first)[0].id)
    let second = transfers(story, to: Self.second)[0].id
    for id in [slow, second] { story.accept(id, .strong(total)) }
    for step in 1...20 {
      for (id, rate) in [(quick, Int64(100_000)), (second, 100_000), (slow, 2_000)] {
        guard let transfer = story.transfer(id), transfer.position + rate < transfer.end else { continue }
        story.progress(id, to: transfer.position + rate)
      }
      story.wait(0.1)
      _ = step
    }
    let slowRate = story.machine.sources[1].rate ?? 0
    #expect(slowRate < (story.machine.sources[0].rate ?? 0) / 10)
    while story.outcome == nil, let next = story.transfers.first(where: { $0.id != slow }) {
      if !next.isAccepted { story.accept(next.id, .strong(total)) }
      story.finish(next.id)
    }
    #expect(story.last.contains(.seal) || story.transfers.allSatisfy { $0.id == slow })
  }
}
