import SheafCore
import Testing

@Suite("DownloadMachine: one stream")
struct SingleStreamTests {
  private let total = 100 * mebibyte

  @Test("a 200 to the first request becomes the only stream")
  func whole() {
    var story = Story()
    story.begin()
    let stream = story.latest
    story.acceptWhole(stream, .strong(total))
    #expect(story.last.layouts.map(\.identity) == [.strong(total)])
    #expect(story.last.layouts.map(\.blocks) == [BlockMap(total: total)])
    #expect(story.last.layouts.map(\.isResumable) == [false])
    #expect(story.last.layouts.map(\.isResumed) == [false])
    #expect(story.machine.activeTransfers == 1)
    story.progress(stream, to: 50 * mebibyte)
    #expect(story.machine.presentBytes == 50 * mebibyte)
    story.wait(10)
    story.finish(stream)
    #expect(story.last.contains(.seal))
    #expect(story.all.requests.count == 1)
    #expect(story.all.shrinks == 0)
    story.seal()
    story.publish()
    #expect(story.outcome == .finish)
  }

  @Test("the end of the answer tells an unknown length", arguments: [0, 1, 5 * mebibyte])
  func unknownLength(_ length: Int64) {
    var story = Story()
    story.begin()
    let stream = story.latest
    story.acceptWhole(stream, .strong(nil))
    #expect(story.last.layouts.map(\.blocks) == [nil])
    #expect(story.machine.knownTotal == nil)
    #expect(story.machine.presentBytes == nil)
    if length > 0 { story.progress(stream, to: length) }
    story.end(stream)
    #expect(story.machine.knownTotal == length)
    #expect(story.machine.presentBytes == length)
    #expect(story.last == [.seal])
    story.seal()
    story.publish()
    #expect(story.outcome == .finish)
  }

  @Test("one that breaks starts over from the first byte, and keeps nothing", arguments: [nil, 100 << 20] as [Int64?])
  func breaks(_ total: Int64?) {
    var story = Story()
    story.begin()
    story.acceptWhole(story.latest, .strong(total))
    story.progress(story.latest, to: 40 * mebibyte)
    story.fail(story.latest, .cut)
    #expect(story.last.first == .discard)
    #expect(story.lastRequests.isEmpty)
    let pause = story.last.wake?.seconds(since: story.now) ?? -1
    #expect(pause == 0.25)
    story.wait(pause)
    let question = story.lastRequests.first?.question
    #expect(question?.range.lower == 0)
    #expect(question?.asksRange == false)
    #expect(question?.pinned == nil)
    story.acceptWhole(story.latest, .strong(total))
    if total == nil {
      story.progress(story.latest, to: 100 * mebibyte)
      story.end(story.latest)
    } else {
      story.finish(story.latest)
    }
    #expect(story.last.contains(.seal))
    #expect(story.machine.presentBytes == 100 * mebibyte)
  }

  @Test("one that ends early counts as broken")
  func endsEarly() {
    var story = Story()
    story.begin()
    story.acceptWhole(story.latest, .strong(total))
    story.progress(story.latest, to: total - 1)
    story.end(story.latest)
    #expect(story.last.first == .discard)
    #expect(!story.all.contains(.seal))
  }

  @Test("gives up after as many tries as are allowed, progress or not", arguments: [1, 2, 5])
  func givesUp(_ tries: Int) {
    var story = Story(.init(tries: tries))
    story.begin()
    for _ in 0..<tries {
      #expect(story.outcome == nil)
      story.acceptWhole(story.latest, .strong(total))
      story.progress(story.latest, to: mebibyte)
      story.fail(story.latest, .timedOut)
      story.wait(30)
    }
    #expect(story.failure?.kind == .timedOut)
    #expect(story.all.requests.count == tries)
    #expect(story.transfers.isEmpty)
  }

  @Test("a wrong answer to a question without a range is the end")
  func rejected() {
    var story = Story()
    story.begin()
    story.acceptWhole(story.latest, .strong(total))
    story.fail(story.latest, .cut)
    story.wait(30)
    story.answer(story.latest, .rejected("it is encoded"))
    #expect(story.failure?.kind == .badResponse)
  }
}
