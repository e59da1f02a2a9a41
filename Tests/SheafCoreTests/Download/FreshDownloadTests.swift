import SheafCore
import Testing

@Suite("DownloadMachine: a fresh download")
struct FreshDownloadTests {
  private let total = 400 * mebibyte

  @Test("asks for the first bytes before anything else")
  func probes() {
    var story = Story()
    story.begin()
    #expect(story.all.count == 1)
    let question = story.lastRequests.first?.question
    #expect(question?.range == ByteRange(0, DownloadMachine.probeLength))
    #expect(question?.isOpen == true)
    #expect(question?.asksRange == true)
    #expect(question?.pinned == nil)
    #expect(story.lastRequests.first?.carriesPrivateFields == true)
    #expect(story.machine.activeTransfers == 1)
    #expect(story.machine.presentBytes == nil)
  }

  @Test("with a strong identity uses all connections, each for other bytes of the pinned file")
  func manyLanes() {
    var story = Story()
    story.begin()
    story.accept(story.latest, .strong(total))
    #expect(story.last.layouts.map(\.identity) == [.strong(total)])
    #expect(story.last.layouts.map(\.blocks) == [BlockMap(total: total)])
    #expect(story.last.layouts.map(\.isResumable) == [true])
    #expect(story.last.layouts.map(\.isResumed) == [false])
    #expect(story.lastRequests.count == 15)
    #expect(story.machine.activeTransfers == 16)
    #expect(story.machine.strength == .strong)
    var asked = RangeSet([ByteRange(0, DownloadMachine.probeLength)])
    for request in story.lastRequests {
      #expect(asked.intersection(in: request.question.range).isEmpty)
      asked.insert(request.question.range)
      #expect(request.question.pinned == .strong(total))
      #expect(request.question.asksRange && !request.question.isOpen)
      #expect(request.blocks == BlockMap(total: total))
    }
    story.fetchAllAndPublish(.strong(total))
    #expect(story.outcome == .finish)
    #expect(story.machine.presentBytes == total)
    #expect(story.machine.receivedBytes == total)
  }

  @Test("seals, publishes and finishes, in this order")
  func order() {
    var story = Story()
    story.begin()
    story.fetchAll(.strong(total))
    #expect(story.last.last == .seal)
    #expect(story.outcome == nil)
    story.publish()
    #expect(story.last.isEmpty)
    story.seal()
    #expect(story.last == [.publish])
    story.seal()
    #expect(story.last.isEmpty)
    story.publish()
    #expect(story.last == [.finish])
    story.publish()
    #expect(story.last.isEmpty)
  }

  @Test(
    "a file that fits the first request is done in that request",
    arguments: [1, mebibyte - 1, mebibyte, 5 * mebibyte, DownloadMachine.probeLength])
  func fits(_ total: Int64) {
    var story = Story()
    story.begin()
    let probe = story.latest
    story.accept(probe, .strong(total))
    story.progress(probe, to: total / 2)
    story.finish(probe)
    #expect(story.all.requests.count == 1)
    #expect(story.all.shrinks == 0)
    #expect(story.last.contains(.seal))
    story.seal()
    story.publish()
    #expect(story.outcome == .finish)
  }

  @Test("a file just larger than the first request gets more connections")
  func justLarger() {
    var story = Story()
    story.begin()
    story.accept(story.latest, .strong(DownloadMachine.probeLength + 1))
    #expect(!story.lastRequests.isEmpty)
  }

  @Test(
    // Of 100 MiB the first answer has eight, which one other helps with.
    "no more connections than asked for, nor than the file has mebibytes",
    arguments: [
      (1, nil, 400, 1), (4, nil, 400, 4), (16, 5, 400, 5), (3, 8, 400, 3), (256, nil, 100, 94), (0, 0, 400, 1),
    ] as [(Int, Int?, Int64, Int)])
  func ceiling(_ connections: Int, _ split: Int?, _ mebibytes: Int64, _ expected: Int) {
    var story = Story(.init(connections: connections, split: split))
    story.begin()
    story.accept(story.latest, .strong(mebibytes * mebibyte))
    var most = story.machine.activeTransfers
    var steps = 0
    while let next = story.transfers.first, steps < 5000 {
      steps += 1
      if next.isAccepted { story.finish(next.id) } else { story.accept(next.id, .strong(mebibytes * mebibyte)) }
      most = max(most, story.machine.activeTransfers)
    }
    #expect(most == expected)
  }

  @Test("a connection that has run dry takes over the far part of the laggard's")
  func steals() {
    var story = Story(.init(connections: 2))
    story.begin()
    let laggard = story.latest
    story.accept(laggard, .strong(9 * mebibyte))
    let other = story.latest
    #expect(story.lastRequests.map(\.question.range) == [ByteRange(8 * mebibyte, 9 * mebibyte)])
    story.accept(other, .strong(9 * mebibyte))
    story.progress(laggard, to: 2 * mebibyte)
    story.finish(other)
    let thief = story.latest
    let place = story.lastRequests.first?.question.range.lower ?? 0
    #expect(2 * mebibyte < place && place < 8 * mebibyte)
    #expect(story.lastRequests.map(\.question.range) == [ByteRange(place, 8 * mebibyte)])
    // It gives nothing up before the thief has its answer.
    #expect(story.all.shrinks == 0)
    story.accept(thief, .strong(9 * mebibyte))
    #expect(story.last.contains(.shrink(laggard, to: place)))
    #expect(story.transfer(laggard)?.end == place)
    story.fetchAllAndPublish(.strong(9 * mebibyte))
    #expect(story.outcome == .finish)
    #expect(story.machine.receivedBytes == 9 * mebibyte)
  }

  @Test("a transfer robbed before its answer came keeps to its half when it comes")
  func robbedBeforeItsAnswer() {
    var story = Story(.init(connections: 2))
    story.begin()
    let probe = story.latest
    story.accept(probe, .strong(64 * mebibyte))
    let slow = story.latest
    var steps = 0
    while story.transfer(slow)?.end == story.transfer(slow)?.request.question.range.upper, steps < 1000 {
      steps += 1
      guard let next = story.transfers.first(where: { $0.id != slow }) else { break }
      if next.isAccepted { story.finish(next.id) } else { story.accept(next.id, .strong(64 * mebibyte)) }
    }
    guard let robbed = story.transfer(slow), robbed.end < robbed.request.question.range.upper else {
      Issue.record("nothing was stolen")
      return
    }
    story.accept(slow, .strong(64 * mebibyte))
    #expect(story.transfer(slow)?.end == robbed.end)
    story.fetchAllAndPublish(.strong(64 * mebibyte))
    #expect(story.outcome == .finish)
    #expect(story.machine.receivedBytes == 64 * mebibyte)
  }

  @Test("under a weak identity every part overlaps the one before it, and nothing can be continued later")
  func weak() {
    let identity = Identity.weak(total)
    var story = Story()
    story.begin()
    story.accept(story.latest, identity)
    #expect(story.last.layouts.first?.isResumable == false)
    #expect(story.machine.activeTransfers == 16)
    story.fetchAllAndPublish(identity)
    #expect(story.outcome == .finish)
    let others = story.all.requests.dropFirst()
    #expect(others.allSatisfy { $0.question.pinned == identity })
    #expect(others.allSatisfy { $0.question.seam == DownloadMachine.seamLength })
    #expect(others.allSatisfy { $0.question.asked.lower == $0.question.range.lower - DownloadMachine.seamLength })
  }

  @Test("under a strong identity no part overlaps another")
  func strong() {
    var story = Story()
    story.begin()
    story.accept(story.latest, .strong(total))
    #expect(story.all.requests.allSatisfy { $0.question.seam == 0 })
  }

  @Test("under a weak identity a laggard gives its part up before another asks for it: no byte has two writers")
  func weakTheft() throws {
    var story = Story(.init(connections: 2))
    story.begin()
    story.accept(story.latest, .weak(total))
    for transfer in story.transfers { story.accept(transfer.id, .weak(total)) }
    while let quick = story.transfers.last, story.transfers.count == 2 {
      story.accept(quick.id, .weak(total))
      story.finish(quick.id)
      for transfer in story.transfers {
        let others = story.transfers.filter { $0.id != transfer.id }
        let overlap = others.contains { ($0.position..<$0.end).overlaps(transfer.position..<transfer.end) }
        #expect(!overlap, "\(story.transfers)")
      }
    }
    #expect(story.last.shrinks + story.all.shrinks > 0)
  }

  @Test("parts that do not fit together are thrown away, and the file comes in one stream")
  func misfit() {
    var story = Story()
    story.begin()
    story.accept(story.latest, .weak(total))
    story.happen { $0.misfitted(ByteRange(4096, 8192), by: 0, now: $1) }
    #expect(story.last.contains(.discard))
    #expect(story.lastRequests.map(\.question.asksRange) == [false])
    story.acceptWhole(story.latest, .weak(total))
    story.finish(story.latest)
    story.seal()
    story.publish()
    #expect(story.outcome == .finish)
  }

  @Test("parts that turn out not to fit when all are there are thrown away as well")
  func lateMisfit() {
    var story = Story()
    story.begin()
    story.accept(story.latest, .weak(total))
    story.fetchAll(.weak(total))
    #expect(story.last.last == .seal)
    story.happen { $0.misfitted(ByteRange(4096, 8192), by: 0, now: $1) }
    #expect(story.last.contains(.discard))
    story.seal()
    #expect(!story.last.contains(.publish))
    #expect(story.outcome == nil)
  }

  @Test("knows which bytes are there")
  func present() {
    var story = Story(.init(connections: 1))
    story.begin()
    let first = story.latest
    story.accept(first, .strong(total))
    story.progress(first, to: 1000)
    #expect(story.machine.isPresent(ByteRange(0, 1000)))
    #expect(!story.machine.isPresent(ByteRange(999, 1001)))
    #expect(!story.machine.isPresent(ByteRange(total - 1, total)))
  }

  @Test("a file that nothing but its length identifies comes in one stream, never in parts")
  func bare() {
    var story = Story()
    story.begin()
    let probe = story.latest
    story.accept(probe, .bare(total))
    #expect(story.last.contains(.abort(probe)))
    #expect(story.lastRequests.map(\.question.asksRange) == [false])
    #expect(story.last.layouts.isEmpty)
  }

  @Test("a digest makes a weak identity as good as a strong one, and keeps segments short")
  func digest() {
    var story = Story(.init(digest: true))
    story.begin()
    story.accept(story.latest, .weak(total))
    #expect(story.machine.strength == .strong)
    #expect(story.last.layouts.first?.isResumable == true)
    #expect(story.lastRequests.count == 15)
    #expect(story.lastRequests.allSatisfy { $0.question.range.count <= 8 * mebibyte })
    story.fetchAllAndPublish(.weak(total))
    #expect(story.outcome == .finish)
  }

  @Test("an answer that covers less than was asked gives the rest back")
  func shortAnswer() {
    var story = Story(.init(connections: 2))
    story.begin()
    story.accept(story.latest, .strong(total), length: 1000)
    #expect(story.machine.activeTransfers == 2)
    let second = story.latest
    #expect(story.lastRequests.first?.question.range.lower == 1000)
    story.accept(second, .strong(total), length: 500)
    story.finish(second)
    #expect(story.lastRequests.first?.question.range.lower == 1500)
    story.fetchAllAndPublish(.strong(total))
    #expect(story.outcome == .finish)
    #expect(story.machine.receivedBytes == total)
  }

  @Test("a range that ends early goes back to what is missing")
  func endsEarly() {
    var story = Story(.init(connections: 1))
    story.begin()
    let probe = story.latest
    story.accept(probe, .strong(total))
    story.progress(probe, to: 12_345)
    story.end(probe)
    #expect(story.failure == nil)
    #expect(story.lastRequests.first?.question.range.lower == 12_345)
    story.fetchAllAndPublish(.strong(total))
    #expect(story.outcome == .finish)
  }

  @Test("an empty file needs no bytes")
  func empty() {
    var story = Story()
    story.begin()
    story.answer(story.latest, .empty(.strong(0)))
    #expect(story.last.layouts.map(\.identity) == [.strong(0)])
    #expect(story.last.layouts.map(\.isResumable) == [false])
    #expect(story.last.last == .seal)
    story.seal()
    story.publish()
    #expect(story.outcome == .finish)
    #expect(story.machine.presentBytes == 0)
  }

  @Test(
    "any length that a server may claim is borne",
    arguments: [(1 << 32) - 1, 1 << 32, (1 << 32) + 1, 1 << 40, (1 << 62) + 1, .max - 1, .max] as [Int64])
  func anyLength(_ total: Int64) {
    var story = Story(.init(connections: 256))
    story.begin()
    story.accept(story.latest, .strong(total))
    #expect(story.machine.activeTransfers == 256)
    for transfer in story.transfers where !transfer.isAccepted { story.accept(transfer.id, .strong(total)) }
    for transfer in story.transfers.suffix(20) { story.finish(transfer.id) }
    #expect(story.failure == nil)
    #expect(story.machine.presentBytes == story.machine.receivedBytes)
  }

  @Test("news of a transfer that is not on the books changes nothing")
  func strangers() {
    var story = Story()
    story.begin()
    story.accept(story.latest, .strong(total))
    let before = story.machine.activeTransfers
    let stranger = TransferID(99_999)
    story.answer(stranger, .changed("its ETag changed"))
    #expect(story.last.isEmpty)
    story.fail(stranger, .cut)
    #expect(story.last.isEmpty)
    story.happen { $0.advanced(stranger, to: 5, now: $1) }
    #expect(story.last.isEmpty)
    story.redirect(stranger, to: .mirror)
    #expect(story.last.isEmpty)
    #expect(story.machine.activeTransfers == before)
    #expect(story.machine.receivedBytes == 0)
  }

  @Test("a transfer may end before the place that others have brought its bytes up to")
  func endsBehind() throws {
    var story = Story(.init(connections: 4))
    story.begin()
    story.accept(story.latest, .strong(100 * mebibyte))
    let first = try #require(story.transfers.first)
    story.progress(first.id, to: 1 << 20)
    story.happen { $0.shrunk(first.id, to: 1000, now: $1) }
    #expect(story.machine.receivedBytes == 1 << 20)
    #expect(story.machine.isPresent(ByteRange(0, 1 << 20)))
  }
}
