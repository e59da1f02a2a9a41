import SheafCore
import Testing

/// A download under a limit of the user's own.
@Suite("DownloadMachine: limits")
struct LimitedDownloadTests {
  private let total = 100 * mebibyte

  private func begun(
    _ settings: DownloadMachine.Settings = .init(), under limit: OwnLimit = OwnLimit()
  ) -> Story {
    var story = Story(settings)
    story.limit(limit)
    story.begin()
    story.accept(story.latest, .strong(total))
    return story
  }

  @Test(
    "has a connection for each 64 KiB per second, and at least one",
    arguments: [(1, 1), (64 << 10, 1), (200 << 10, 3), (2 << 20, 16), (nil, 16)] as [(Int64?, Int)])
  func connections(rate: Int64?, expected: Int) {
    let story = begun(under: OwnLimit(bytesPerSecond: rate))
    #expect(story.transfers.count == expected)
  }

  @Test("has as many as the user pins")
  func pinned() {
    let story = begun(.init(connections: 8, split: 8), under: OwnLimit(bytesPerSecond: 1000))
    #expect(story.transfers.count == 8)
  }

  @Test("takes more when the limit is raised")
  func raised() {
    var story = begun(under: OwnLimit(bytesPerSecond: 64 << 10))
    story.limit(OwnLimit())
    story.wait(0.1)
    #expect(story.transfers.count == 16)
  }

  /// All transfers but the first bring something ten times a second.
  private func silence(of story: inout Story, seconds: Int, isTight: Bool) {
    for transfer in story.transfers where !transfer.isAccepted { story.accept(transfer.id, .strong(total)) }
    for _ in 0..<(10 * seconds) {
      story.limit(OwnLimit(bytesPerSecond: 2 << 20, isTight: isTight))
      story.wait(0.1)
      for transfer in story.transfers.dropFirst() where transfer.position + 10_000 < transfer.end {
        story.progress(transfer.id, to: transfer.position + 10_000)
      }
    }
  }

  @Test("replaces nobody for a silence of its own making", arguments: [true, false])
  func silence(isTight: Bool) {
    var story = begun(under: OwnLimit(bytesPerSecond: 2 << 20))
    let first = story.transfers[0]
    silence(of: &story, seconds: 20, isTight: isTight)
    #expect((story.transfer(first.id)?.end == first.end) == isTight)
  }

  @Test("begins to count silence when the limit is no longer what holds it back")
  func excuse() {
    var story = begun(under: OwnLimit(bytesPerSecond: 2 << 20))
    let first = story.transfers[0]
    silence(of: &story, seconds: 20, isTight: true)
    silence(of: &story, seconds: 0, isTight: false)
    story.limit(OwnLimit())
    story.wait(0.5)
    #expect(story.transfer(first.id)?.end == first.end)
    silence(of: &story, seconds: 20, isTight: false)
    #expect(story.transfer(first.id)?.end != first.end)
  }
}
