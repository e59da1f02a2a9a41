import SheafCore
import Testing

@Suite("DownloadMachine: a resumed download")
struct ResumedDownloadTests {
  private let total = 100 * mebibyte + 5
  private var identity: Identity { .strong(total) }

  private func begun(present: some Sequence<Int>, settings: DownloadMachine.Settings = .init()) -> Story {
    var story = Story(settings, resumed: .init(identity, total: total, present: present))
    story.begin()
    return story
  }

  @Test("pins the identity and starts with one request for what is missing")
  func pins() {
    var story = begun(present: 0..<40)
    #expect(story.last.layouts.map(\.identity) == [identity])
    #expect(story.last.layouts.map(\.blocks) == [BlockMap(total: total)])
    #expect(story.last.layouts.map(\.isResumable) == [true])
    #expect(story.last.layouts.map(\.isResumed) == [true])
    #expect(story.lastRequests.count == 1)
    #expect(story.lastRequests.first?.question.pinned == identity)
    #expect(story.lastRequests.first?.question.isOpen == false)
    #expect(story.lastRequests.first?.question.range.lower == 40 * mebibyte)
    #expect(story.machine.presentBytes == 40 * mebibyte)
    story.wait(1)
    #expect(story.lastRequests.isEmpty)
    story.accept(story.latest, identity)
    #expect(story.machine.activeTransfers == 16)
    #expect(story.lastRequests.count == 15)
  }

  @Test("fetches nothing twice")
  func fetchesTheRest() {
    let present = [0, 3, 4, 50, 99]
    var story = begun(present: present)
    story.fetchAll(identity)
    #expect(!story.all.contains(.seal))
    story.happen { $0.audited(now: $1) }
    #expect(story.last == [.seal])
    story.seal()
    story.publish()
    #expect(story.outcome == .finish)
    #expect(story.machine.receivedBytes == total - 5 * mebibyte)
    #expect(!story.all.contains(.discard))
    for request in story.all.requests {
      for index in present {
        #expect(request.question.range.intersection(BlockMap(total: total).range(of: index)) == nil)
      }
    }
  }

  @Test("with everything there audits, then seals, and asks the server nothing")
  func everything() {
    var story = begun(present: 0...100)
    #expect(story.last.requests.isEmpty)
    #expect(!story.last.contains(.seal))
    story.wait(1)
    #expect(story.last.isEmpty)
    story.happen { $0.audited(now: $1) }
    #expect(story.last == [.seal])
    story.seal()
    story.publish()
    #expect(story.outcome == .finish)
    #expect(story.machine.receivedBytes == 0)
    #expect(story.machine.presentBytes == total)
  }

  @Test("with nothing there has nothing to audit")
  func nothing() {
    var story = begun(present: [])
    story.fetchAll(identity)
    #expect(story.last.contains(.seal))
  }

  @Test("fetches damaged blocks again", arguments: [false, true])
  func damaged(_ isLast: Bool) {
    var story = begun(present: 0...100)
    story.happen { $0.refuted(isLast ? [100] : [7, 8], now: $1) }
    let map = BlockMap(total: total)
    #expect(story.machine.presentBytes == total - (isLast ? 5 : 2 * mebibyte))
    #expect(story.lastRequests.count == 1)
    #expect(story.lastRequests.first?.question.range.lower == map.range(of: isLast ? 100 : 7).lower)
    story.happen { $0.audited(now: $1) }
    #expect(!story.last.contains(.seal))
    story.fetchAllAndPublish(identity)
    #expect(story.outcome == .finish)
    #expect(story.machine.receivedBytes == (isLast ? 5 : 2 * mebibyte))
  }

  @Test("a sound audit says nothing")
  func sound() {
    var story = begun(present: 0..<50)
    story.happen { $0.refuted([], now: $1) }
    #expect(story.last.isEmpty)
  }

  @Test("a changed file is fetched from its first byte, without an audit of the old one")
  func changed() {
    var story = begun(present: 0..<50)
    story.answer(story.latest, .changed("its ETag changed"))
    #expect(story.last.contains(.discard))
    #expect(story.lastRequests.map(\.question.isOpen) == [true])
    story.happen { $0.refuted([3], now: $1) }
    #expect(story.last.isEmpty)
    story.fetchAllAndPublish(.strong(60 * mebibyte, tag: "\"two\""))
    #expect(story.outcome == .finish)
    #expect(story.machine.receivedBytes == 60 * mebibyte)
  }

  @Test("what an earlier run cannot vouch for is fetched anew", arguments: [Validator.Strength.weak, .none])
  func weak(_ strength: Validator.Strength) {
    let identity = strength == .weak ? Identity.weak(total) : .bare(total)
    var story = Story(resumed: .init(identity, total: total, present: 0..<50))
    story.begin()
    #expect(story.last.first == .discard)
    #expect(story.last.layouts.isEmpty)
    #expect(story.lastRequests.map(\.question.isOpen) == [true])
    if strength == .none {
      story.accept(story.latest, identity)
      story.acceptWhole(story.latest, identity)
    }
    story.fetchAllAndPublish(identity)
    #expect(story.outcome == .finish)
    #expect(story.machine.receivedBytes == total)
  }

  @Test("a digest vouches for what an earlier run left")
  func weakWithDigest() {
    var story = Story(.init(digest: true), resumed: .init(.weak(total), total: total, present: 0..<50))
    story.begin()
    #expect(!story.last.contains(.discard))
    #expect(story.last.layouts.map(\.isResumed) == [true])
    #expect(story.lastRequests.map(\.question.pinned) == [.weak(total)])
  }

  @Test("a server that ignores ranges now gets one stream, after a second look")
  func rangesGone() {
    var story = begun(present: 0..<50)
    story.answer(story.latest, .rangeIgnored(identity))
    #expect(!story.last.contains(.discard))
    story.answer(story.latest, .rangeIgnored(identity))
    #expect(story.last.contains(.discard))
    story.acceptWhole(story.latest, identity)
    #expect(story.last.layouts.map(\.isResumed) == [false])
    story.finish(story.latest)
    #expect(story.last.contains(.seal))
  }

  @Test("from another URL it fetches the first, a middle and the last block again for proof")
  func proves() {
    var resumed = DownloadMachine.Resumed(identity, total: total, present: 10..<21)
    resumed.isFromElsewhere = true
    var machine = DownloadMachine(.original, settings: .init(), resumed: resumed, existing: nil)
    let actions = machine.begin(now: Instant(nanoseconds: 0))
    #expect(actions.first == .prove([10, 15, 20]))
    #expect(machine.presentBytes == 8 * mebibyte)
    let restarted = machine.disproved(now: Instant(nanoseconds: 0))
    #expect(restarted.contains(.discard))
    #expect(machine.presentBytes == nil)
  }

  @Test("with a digest another URL needs no proof")
  func needsNoProof() {
    var resumed = DownloadMachine.Resumed(identity, total: total, present: 10..<21)
    resumed.isFromElsewhere = true
    var machine = DownloadMachine(.original, settings: .init(digest: true), resumed: resumed, existing: nil)
    let actions = machine.begin(now: Instant(nanoseconds: 0))
    #expect(!actions.contains { if case .prove = $0 { true } else { false } })
  }
}

@Suite("DownloadMachine: a file under the target's name")
struct ExistingFileTests {
  private let identity = Identity.strong(50 << 20)

  private func begun() -> Story {
    var story = Story(existing: identity)
    story.begin()
    return story
  }

  @Test("is complete if the server says it is unchanged")
  func unchanged() {
    var story = begun()
    #expect(story.lastRequests.map(\.unlessStill) == [identity])
    story.answer(story.latest, .unchanged)
    #expect(story.outcome == .concludeAlreadyComplete(identity))
    #expect(story.machine.activeTransfers == 0)
  }

  @Test("is complete if the answer has the same identity, and no byte is taken", arguments: [false, true])
  func same(_ isWhole: Bool) {
    var story = begun()
    let probe = story.latest
    if isWhole { story.acceptWhole(probe, identity) } else { story.accept(probe, identity) }
    #expect(story.last == [.abort(probe), .concludeAlreadyComplete(identity)])
    story.happen { $0.ended(probe, .finished, now: $1, random: 0) }
    #expect(story.last.isEmpty)
  }

  @Test(
    "stays when the server has another",
    arguments: [.strong(50 << 20, tag: "\"two\""), .strong(51 << 20), .weak(50 << 20), .bare(50 << 20)] as [Identity])
  func other(_ found: Identity) {
    var story = begun()
    story.accept(story.latest, found)
    #expect(story.failure?.kind == .exists)
    #expect(story.transfers.isEmpty)
    #expect(story.last.layouts.isEmpty)
  }

  @Test("stays when the server's is empty now")
  func empty() {
    var story = begun()
    story.answer(story.latest, .empty(.strong(0)))
    #expect(story.failure?.kind == .exists)
  }

  @Test("is still asked about after a redirect and after a failure")
  func asksAgain() {
    var story = begun()
    story.redirect(story.latest, to: .mirror)
    #expect(story.lastRequests.map(\.unlessStill) == [identity])
    story.fail(story.latest, .cut)
    story.wait(30)
    #expect(story.lastRequests.map(\.unlessStill) == [identity])
    story.answer(story.latest, .unchanged)
    #expect(story.outcome == .concludeAlreadyComplete(identity))
  }
}
