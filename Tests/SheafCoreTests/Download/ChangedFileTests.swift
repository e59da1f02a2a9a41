import SheafCore
import Testing

@Suite("DownloadMachine: the file changes on the server")
struct ChangedFileTests {
  @Test(
    "a page in place of the file is never taken for a new version",
    arguments: [
      Identity(total: 65, validator: .none), .weak(65), .weak(400 * mebibyte),
      Identity(total: 65, validator: Identity.strong(1).validator),
    ], [true, false])
  func page(_ page: Identity, _ isWhole: Bool) {
    var story = Story(.init(connections: 4))
    story.begin()
    story.accept(story.latest, .strong(400 * mebibyte))
    story.answer(story.latest, .changed("its length is 65 bytes"))
    #expect(story.last.contains(.discard))
    if isWhole { story.acceptWhole(story.latest, page) } else { story.accept(story.latest, page) }
    #expect(story.failure?.kind == .badResponse)
    #expect(!story.all.contains(.publish))
  }

  private let total = 100 * mebibyte

  private func begun() -> Story {
    var story = Story(.init(connections: 4))
    story.begin()
    story.accept(story.latest, .strong(total))
    return story
  }

  /// Ways in which an answer can say so.
  static let answers: [Verdict] = [.changed("its ETag changed"), .unsatisfiable(total: 5)]

  @Test("nothing of the old version is kept", arguments: answers)
  func discards(_ verdict: Verdict) {
    var story = begun()
    story.progress(story.transfers[0].id, to: 3 * mebibyte)
    let others = story.transfers.dropLast().map(\.id)
    story.answer(story.latest, verdict)
    #expect(story.outcome == nil)
    // Aborted first, then discarded, and only then asked for again: no late byte can get into the new file.
    #expect(story.last.prefix(3) == others.map { .abort($0) }[...])
    #expect(story.last.contains(.discard))
    guard case .request(let probe) = story.last.last else {
      Issue.record("no new start")
      return
    }
    #expect(probe.question == RangeQuestion(range: ByteRange(0, DownloadMachine.probeLength), isOpen: true))
    #expect(probe.blocks == nil)
    #expect(story.machine.presentBytes == nil)
    #expect(story.machine.activeTransfers == 1)

    story.fetchAllAndPublish(.strong(60 * mebibyte, tag: "\"two\""))
    #expect(story.outcome == .finish)
    #expect(story.machine.identityInForce == .strong(60 * mebibyte, tag: "\"two\""))
    #expect(story.machine.receivedBytes == 63 * mebibyte)
  }

  @Test("late news of the aborted transfers are not heard")
  func lateNews() {
    var story = begun()
    let old = story.transfers[0].id
    story.answer(story.latest, .changed("its ETag changed"))
    story.happen { $0.advanced(old, to: mebibyte, now: $1) }
    story.happen { $0.shrunk(old, to: mebibyte, now: $1) }
    story.happen { $0.ended(old, .finished, now: $1, random: 0) }
    #expect(story.last.isEmpty)
    #expect(!story.machine.isWorking(old))
    #expect(story.machine.receivedBytes == 0)
    #expect(story.machine.activeTransfers == 1)
  }

  @Test("a file that never settles is given up after three fresh starts")
  func bounded() {
    var story = begun()
    for version in 0..<4 {
      #expect(story.outcome == nil)
      story.answer(story.latest, .changed("its ETag changed"))
      guard story.outcome == nil else { break }
      story.accept(story.latest, .strong(total, tag: "\"\(version)\""))
    }
    #expect(story.failure?.kind == .badResponse)
    #expect(story.all.count { $0 == .discard } == 3)
    #expect(story.transfers.isEmpty)
    #expect(story.machine.activeTransfers == 0)
  }

  @Test("the new version may be shorter, empty or without ranges", arguments: [0, 1, 2])
  func otherShapes(_ shape: Int) {
    var story = begun()
    story.answer(story.latest, .changed("its length changed"))
    func new(_ total: Int64) -> Identity { Identity(total: total, validator: .strongTag("\"new\"")) }
    switch shape {
    case 0: story.answer(story.latest, .empty(new(0)))
    case 1:
      story.accept(story.latest, new(1))
      story.finish(story.latest)
    default:
      story.acceptWhole(story.latest, new(7))
      story.finish(story.latest)
    }
    #expect(story.last.contains(.seal))
    #expect(story.last.layouts.isEmpty || story.last.layouts.allSatisfy { !$0.isResumed })
  }
}
