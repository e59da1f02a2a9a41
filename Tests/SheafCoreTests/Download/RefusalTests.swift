import SheafCore
import Testing

@Suite("DownloadMachine: refusals and failures")
struct RefusalTests {
  private let total = 400 * mebibyte

  private func begun(_ settings: DownloadMachine.Settings = .init(connections: 4)) -> Story {
    var story = Story(settings)
    story.begin()
    story.accept(story.latest, .strong(total))
    return story
  }

  private func resumable() -> Story {
    var story = Story(resumed: .init(.strong(total), total: total, present: 0..<10))
    story.begin()
    return story
  }

  private static let lasting: [(TransferFailure.Kind, Failure.Kind)] = [
    (.connectionRefused, .network), (.nameResolution, .nameResolution), (.tls, .network), (.malformed, .badResponse),
  ]

  @Test("what a second try cannot mend ends it before any answer", arguments: lasting)
  func atOnce(_ kind: TransferFailure.Kind, _ expected: Failure.Kind) {
    var story = Story()
    story.begin()
    story.fail(story.latest, kind)
    #expect(story.failure?.kind == expected)
    #expect(story.all.requests.count == 1)
  }

  @Test("and so it does when an earlier run left something", arguments: lasting)
  func atOnceResumed(_ kind: TransferFailure.Kind, _ expected: Failure.Kind) {
    var story = resumable()
    story.fail(story.latest, kind)
    #expect(story.failure?.kind == expected)
    #expect(story.all.requests.count == 1)
  }

  @Test(
    "what may pass is tried again, after a while, until the tries are used up",
    arguments: [TransferFailure.Kind.timedOut, .cut, .other], [1, 3, 5])
  func retries(_ kind: TransferFailure.Kind, _ tries: Int) {
    var story = Story(.init(tries: tries))
    story.begin()
    var pauses: [Double] = []
    while story.outcome == nil, pauses.count < 10 {
      story.fail(story.latest, kind)
      guard let wake = story.last.wake else { break }
      pauses.append(wake.seconds(since: story.now))
      story.wait(pauses[pauses.count - 1] / 2)
      #expect(story.lastRequests.isEmpty)
      story.wait(pauses[pauses.count - 1] / 2)
    }
    #expect(story.failure?.kind == (kind == .timedOut ? .timedOut : .network))
    #expect(story.all.requests.count == tries)
    #expect(pauses == Array([0.25, 0.5, 1, 2].prefix(tries - 1)))
  }

  @Test("a byte of progress gives all tries back")
  func progressHelps() {
    var story = begun(.init(connections: 1, tries: 2))
    for step in 1...20 {
      let id = story.latest
      story.fail(id, .cut)
      story.wait(30)
      #expect(story.outcome == nil)
      story.accept(story.latest, .strong(total))
      story.progress(story.latest, to: Int64(step) * 65_536)
    }
    story.fail(story.latest, .cut)
    #expect(story.lastRequests.map(\.question.range.lower) == [20 * 65_536])
    story.fail(story.latest, .cut)
    story.wait(30)
    story.fail(story.latest, .cut)
    #expect(story.failure?.kind == .network)
  }

  @Test("a transfer that breaks on its way goes on from there at once")
  func goesOn() {
    var story = begun()
    let id = story.transfers[0].id
    story.progress(id, to: 77_777)
    story.fail(id, .cut)
    #expect(story.lastRequests.map(\.question.range.lower) == [77_777])
    #expect(story.last.wake == nil)
  }

  @Test("a transfer that breaks after a few bytes is a failure: the next one waits")
  func breaksAtOnce() {
    var story = begun(.init(connections: 1))
    story.accept(story.latest, .strong(total))
    story.progress(story.latest, to: 777)
    story.fail(story.latest, .cut)
    #expect(story.lastRequests.isEmpty)
    #expect(story.last.wake != nil)
  }

  @Test("a refused connection lowers the limit to what works, and to half", arguments: 1...3)
  func limit(_ refused: Int) {
    var story = begun()
    for _ in 0..<refused {
      story.fail(story.latest, .connectionRefused)
      #expect(story.outcome == nil)
      #expect(story.lastRequests.isEmpty)
    }
    #expect(story.machine.activeTransfers == 4 - refused)
    #expect(story.budget.controller.level == min(2, 4 - refused))
    story.fetchAllAndPublish(.strong(total))
    #expect(story.outcome == .finish)
  }

  @Test("429 with Retry-After holds new requests back, and the others go on")
  func rateLimit() {
    var story = begun()
    story.answer(story.latest, .refused(status: 429, retryAfter: 20))
    #expect(story.outcome == nil)
    story.finish(story.transfers[0].id)
    #expect(story.lastRequests.isEmpty)
    story.wait(19.9)
    #expect(story.lastRequests.isEmpty)
    #expect(story.machine.activeTransfers == 2)
    story.wait(0.1)
    story.finish(story.transfers[0].id)
    #expect(!story.lastRequests.isEmpty)
    story.fetchAllAndPublish(.strong(total))
    #expect(story.outcome == .finish)
  }

  @Test("503 with Retry-After keeps to what works until then")
  func unavailable() {
    var story = begun()
    story.answer(story.latest, .refused(status: 503, retryAfter: 20))
    story.answer(story.latest, .refused(status: 503, retryAfter: 20))
    #expect(story.outcome == nil)
    for _ in 0..<5 {
      // What has finished may be followed by another, for that many the server bears.
      story.finish(story.transfers[0].id)
      #expect(story.lastRequests.count == 1)
      story.accept(story.latest, .strong(total))
      story.wait(3)
      #expect(story.machine.activeTransfers == 2)
    }
    story.fetchAllAndPublish(.strong(total))
    #expect(story.outcome == .finish)
  }

  @Test("503 to the first request waits as long as the server asks")
  func probeRetryAfter() {
    var story = Story()
    story.begin()
    story.answer(story.latest, .refused(status: 503, retryAfter: 7))
    #expect(story.last.wake == Instant(nanoseconds: 7_000_000_000))
    story.wait(7)
    #expect(story.lastRequests.map(\.question.isOpen) == [true])
  }

  @Test("but never less than the user wants")
  func leastWait() {
    var story = Story(.init(leastWait: 5))
    story.begin()
    story.answer(story.latest, .refused(status: 503, retryAfter: 0))
    #expect(story.last.wake == Instant(nanoseconds: 5_000_000_000))
  }

  @Test("an overloaded server is given up after the tries", arguments: [408, 425, 429, 500, 502, 503, 504])
  func overloaded(_ status: Int) {
    var story = Story(.init(tries: 3))
    story.begin()
    for _ in 0..<3 {
      #expect(story.outcome == nil)
      story.answer(story.latest, .refused(status: status, retryAfter: nil))
      story.wait(30)
    }
    #expect(story.failure?.kind == ([429, 503].contains(status) ? .overloaded : .badResponse))
  }

  @Test(
    "a refusal that means it is final",
    arguments: [
      (404, .notFound), (410, .notFound), (401, .authorization), (403, .authorization), (407, .authorization),
      (400, .badResponse), (418, .badResponse), (501, .badResponse),
    ] as [(Int, Failure.Kind)])
  func final(_ status: Int, _ kind: Failure.Kind) {
    var story = Story()
    story.begin()
    story.answer(story.latest, .refused(status: status, retryAfter: nil))
    #expect(story.failure?.kind == kind)
    #expect(story.last.count == 1)
  }

  static let lastingStatuses = [400, 401, 403, 404, 407, 410, 418, 451, 501]

  @Test("while others work, a refusal costs a connection and nothing else", arguments: lastingStatuses)
  func oneOfMany(_ status: Int) {
    var story = begun()
    story.answer(story.latest, .refused(status: status, retryAfter: nil))
    #expect(story.outcome == nil)
    #expect(story.machine.activeTransfers == 3)
    #expect(story.lastRequests.isEmpty)
    story.fetchAllAndPublish(.strong(total))
    #expect(story.outcome == .finish)
  }

  @Test("every fifth request refused: the file comes all the same", arguments: lastingStatuses, [1, 4, 16])
  func everyFifth(_ status: Int, _ connections: Int) {
    var story = begun(.init(connections: connections))
    var requests = 0
    while story.outcome == nil, requests < 10_000 {
      guard let next = story.transfers.first(where: { !$0.isAccepted }) ?? story.transfers.first else {
        guard !story.machine.isFetching else {
          story.wait(30)
          continue
        }
        break
      }
      guard !next.isAccepted else {
        story.finish(next.id)
        continue
      }
      requests += 1
      if requests % 5 == 0 {
        story.answer(next.id, .refused(status: status, retryAfter: nil))
      } else {
        story.accept(next.id, .strong(total))
      }
    }
    story.seal()
    story.publish()
    #expect(story.outcome == .finish)
  }

  @Test(
    "when nothing comes any more, the refusal is the end, after the tries",
    arguments: [(404, .notFound), (410, .notFound), (403, .authorization), (401, .authorization), (451, .badResponse)]
      as [(Int, Failure.Kind)])
  func refusedForGood(_ status: Int, _ kind: Failure.Kind) {
    var story = begun(.init(connections: 4, tries: 3))
    var refusals = 0
    while story.outcome == nil, refusals < 100 {
      if let next = story.transfers.first(where: { !$0.isAccepted }) {
        refusals += 1
        story.answer(next.id, .refused(status: status, retryAfter: nil))
      } else if let next = story.transfers.first {
        story.finish(next.id)
      } else {
        story.wait(30)
      }
    }
    #expect(story.failure?.kind == kind)
    #expect(refusals < 10)
  }

  @Test("a connection that was cut instead of ended counts only with a digest", arguments: [false, true])
  func unconfirmed(_ hasDigest: Bool) {
    var story = Story(.init(digest: hasDigest))
    story.begin()
    story.acceptWhole(story.latest, Identity(total: nil, validator: .none))
    story.progress(story.latest, to: 1000)
    story.fail(story.latest, .endUnconfirmed)
    #expect(story.last.contains(.seal) == hasDigest)
    #expect(story.last.contains(.discard) != hasDigest)
    #expect(story.outcome == nil)
  }
}
