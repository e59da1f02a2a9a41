import SheafCore
import Testing

/// How many connections are worth opening before the first answer has come.
@Suite("DownloadMachine: spare connections")
struct SpareConnectionTests {
  private let total = 400 * mebibyte

  @Test(
    "as many as the first wave will have, where the round trip is long",
    arguments: [(16, 15), (4, 3), (1, 0), (64, 15)])
  func share(_ share: Int, _ expected: Int) {
    var story = Story(.init(connections: 64))
    story.begin()
    #expect(story.machine.worthOpening(roundTrip: 0.08, share: share) == expected)
    #expect(story.machine.worthOpening(roundTrip: 0.001, share: share) == 0)
  }

  @Test("no more than the user allows")
  func ceiling() {
    var story = Story(.init(connections: 5))
    story.begin()
    #expect(story.machine.worthOpening(roundTrip: 0.08, share: 16) == 4)
  }

  @Test("none once an answer has come, and none to see whether a file is still the server's")
  func later() {
    var story = Story()
    story.begin()
    story.accept(story.latest, .strong(total))
    #expect(story.machine.worthOpening(roundTrip: 0.08, share: 16) == 0)
    var finished = Story(existing: .strong(total))
    finished.begin()
    #expect(finished.machine.worthOpening(roundTrip: 0.08, share: 16) == 0)
  }

  @Test("a download that goes on has its file's size to go by")
  func resumed() {
    var story = Story(resumed: .init(.strong(2 * mebibyte), total: 2 * mebibyte, present: []))
    story.begin()
    #expect(story.machine.worthOpening(roundTrip: 0.08, share: 16) <= 1)
  }
}
