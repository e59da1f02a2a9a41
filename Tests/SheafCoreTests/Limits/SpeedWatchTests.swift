import SheafCore
import Testing

/// When a download takes too long for the user.
@Suite("DownloadMachine: patience")
struct PatienceTests {
  private let total = 100 * mebibyte

  /// A download that brings `rate` bytes per second; how long it goes on, and with what failure it ends within a minute.
  private func run(
    _ settings: DownloadMachine.Settings, rate: Int64, isTight: Bool = false
  ) -> (seconds: Double, failure: Failure?) {
    var story = Story(settings)
    story.begin()
    story.accept(story.latest, .strong(total))
    for tick in 1...600 {
      if let failure = story.failure { return (story.now.seconds(since: Instant(nanoseconds: 0)), failure) }
      for transfer in story.transfers where !transfer.isAccepted { story.accept(transfer.id, .strong(total)) }
      story.limit(OwnLimit(bytesPerSecond: rate, isTight: isTight))
      story.wait(0.1)
      if tick % 10 == 0, let transfer = story.transfers.first {
        story.progress(transfer.id, to: transfer.position + rate)
      }
    }
    return (60, story.failure)
  }

  private func settings(_ change: (inout DownloadMachine.Settings) -> Void) -> DownloadMachine.Settings {
    var settings = DownloadMachine.Settings(connections: 1)
    change(&settings)
    return settings
  }

  @Test("one that is slower than it may be ends after the time that this was allowed for")
  func slow() {
    let slow = settings { ($0.leastSpeed, $0.speedPeriod) = (10_000, 20) }
    let ended = run(slow, rate: 9_000)
    #expect(ended.failure?.kind == .tooSlow)
    #expect(ended.seconds > 19 && ended.seconds < 22)
    #expect(run(slow, rate: 11_000).failure == nil)
    // It is our own doing.
    #expect(run(slow, rate: 9_000, isTight: true).failure == nil)
  }

  @Test("one that takes longer than it may ends with what it has")
  func long() {
    let ended = run(settings { $0.mostTime = 30 }, rate: 10_000)
    #expect(ended.failure?.kind == .timedOut)
    #expect(abs(ended.seconds - 30) < 0.2)
    #expect(run(settings { _ in }, rate: 10_000).failure == nil)
  }
}
