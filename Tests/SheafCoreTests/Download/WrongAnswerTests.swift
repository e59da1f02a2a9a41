import SheafCore
import Testing

@Suite("DownloadMachine: answers that cannot be used")
struct WrongAnswerTests {
  private let total = 400 * mebibyte

  private func begun(connections: Int = 4) -> Story {
    var story = Story(.init(connections: connections))
    story.begin()
    story.accept(story.latest, .strong(total))
    return story
  }

  static let wrong: [Verdict] = [
    .rejected("it has no Content-Range"), .rangeIgnored(.strong(400 << 20)), .unsatisfiable(total: nil),
    .unsatisfiable(total: 400 << 20), .unchanged,
  ]

  @Test("once means fewer connections, twice means one stream without ranges", arguments: wrong)
  func twice(_ verdict: Verdict) {
    var story = begun()
    story.progress(story.transfers[0].id, to: mebibyte)
    story.answer(story.latest, verdict)
    #expect(!story.all.contains(.discard))
    #expect(story.machine.activeTransfers == 3)
    #expect(story.lastRequests.isEmpty)
    // One that was under way at the same time proves nothing new.
    story.answer(story.latest, verdict)
    #expect(!story.all.contains(.discard))
    story.fail(story.transfers[0].id, .cut)
    story.answer(story.latest, verdict)
    #expect(story.last.contains(.discard))
    #expect(story.lastRequests.map(\.question.asksRange) == [false])
    #expect(story.machine.activeTransfers == 1)
    story.acceptWhole(story.latest, .strong(total))
    story.finish(story.latest)
    story.seal()
    story.publish()
    #expect(story.outcome == .finish)
  }

  @Test("to the first request, one is enough")
  func probe() {
    var story = Story()
    story.begin()
    story.answer(story.latest, .rejected("it begins at byte 7 instead of 0"))
    #expect(story.lastRequests.map(\.question.asksRange) == [false])
    #expect(story.outcome == nil)
  }

  @Test("a range without a single byte in it is one of them")
  func noByte() {
    var story = begun(connections: 1)
    story.end(story.latest)
    #expect(story.failure == nil)
    #expect(story.lastRequests.map(\.question.range.lower) == [0])
    story.accept(story.latest, .strong(total))
    story.end(story.latest)
    #expect(story.lastRequests.map(\.question.asksRange) == [false])
  }

  @Test("a server that can do nothing right is given up")
  func nothingRight() {
    var story = Story()
    story.begin()
    var steps = 0
    while story.outcome == nil, steps < 100 {
      steps += 1
      story.answer(story.latest, .rejected("it is multipart"))
      story.wait(60)
    }
    #expect(story.failure?.kind == .badResponse)
  }
}
