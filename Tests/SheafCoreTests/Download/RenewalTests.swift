import SheafCore
import Testing

/// A link that the server refuses is renewed, if somebody can.
@Suite("Renewed links")
struct RenewalTests {
  private let fresh = Location(
    url: "https://example.org/new", origin: .init(scheme: "https", host: "example.org", port: 443))

  private func story(_ renewable: Set<Int> = [403], resumed: DownloadMachine.Resumed? = nil) -> Story {
    var settings = DownloadMachine.Settings()
    settings.renewable = renewable
    var story = Story(settings, resumed: resumed)
    story.begin()
    return story
  }

  private func renewals(_ story: Story) -> Int {
    story.all.count { if case .renew = $0 { true } else { false } }
  }

  @Test("refused at once, it is asked for, and the download begins at the new place")
  func atOnce() {
    var story = story()
    story.answer(story.latest, .refused(status: 403, retryAfter: nil))
    #expect(renewals(story) == 1)
    #expect(story.outcome == nil)
    // Nothing is asked meanwhile.
    story.wait(60)
    #expect(story.transfers.isEmpty)
    story.happen { [fresh] in $0.renewed(0, status: 403, to: fresh, now: $1) }
    #expect(story.lastRequests.map(\.location) == [fresh])
  }

  @Test("without another link it ends with the refusal")
  func none() {
    var story = story()
    story.answer(story.latest, .refused(status: 403, retryAfter: nil))
    story.happen { $0.renewed(0, status: 403, to: nil, now: $1) }
    #expect(story.failure?.kind == .authorization)
  }

  @Test("it is not asked for a status that nobody can mend, nor without end")
  func bounded() {
    var other = story([401])
    other.answer(other.latest, .refused(status: 403, retryAfter: nil))
    #expect(other.failure?.kind == .authorization)
    #expect(renewals(other) == 0)

    var story = story()
    for _ in 0..<10 where story.outcome == nil {
      story.answer(story.latest, .refused(status: 403, retryAfter: nil))
      story.happen { [fresh] in $0.renewed(0, status: 403, to: fresh, now: $1) }
    }
    #expect(story.failure?.kind == .authorization)
    #expect(renewals(story) == 3)
  }

  @Test("expired in the middle, it is asked for once, whoever hears of it, and what is there stays")
  func inTheMiddle() {
    var story = story()
    let identity = Identity(total: 1 << 30, validator: .strongTag("\"a\""))
    story.accept(story.latest, identity)
    let others = story.transfers.dropFirst().map(\.id)
    #expect(others.count > 3)
    for id in others { story.answer(id, .refused(status: 403, retryAfter: nil)) }
    #expect(renewals(story) == 1)
    story.happen { [fresh] in $0.renewed(0, status: 403, to: fresh, now: $1) }
    #expect(!story.lastRequests.isEmpty)
    #expect(story.lastRequests.allSatisfy { $0.location == fresh })
    #expect(!story.all.contains(.discard))
    #expect(story.outcome == nil)
  }

  @Test("an answer that comes after the end changes nothing")
  func late() {
    var story = story()
    story.answer(story.latest, .refused(status: 403, retryAfter: nil))
    story.happen { machine, _ in machine.interrupted(by: Failure(.interrupted, "stopped")) }
    story.happen { [fresh] in $0.renewed(0, status: 403, to: fresh, now: $1) }
    #expect(story.last.isEmpty)
    story.happen { [fresh] in $0.renewed(7, status: 403, to: fresh, now: $1) }
    #expect(story.last.isEmpty)
  }
}
