import SheafCore
import Testing

@Suite("DownloadMachine: hedges")
struct HedgeTests {
  private let total = 100 * mebibyte

  /// All but the last bytes of one transfer have arrived, which has fallen silent; a second request is under way.
  private func raced(at location: Location = .original) -> (story: Story, victim: TransferID, hedge: TransferID?) {
    var story = Story(.init(connections: 4), at: location)
    story.begin()
    story.accept(story.latest, .strong(total))
    var steps = 0
    var victim = TransferID(-1)
    while story.outcome == nil, steps < 1000 {
      steps += 1
      if let unanswered = story.transfers.first(where: { !$0.isAccepted }) {
        story.accept(unanswered.id, .strong(total))
        continue
      }
      story.wait(0.1)
      // Each but the last advances at 4 MiB/s; that one stops 100 kB before its end.
      for transfer in story.transfers {
        let isLast = story.machine.presentBytes ?? 0 > 95 * mebibyte && transfer.id == story.transfers.first?.id
        let goal = isLast ? transfer.end - 100_000 : transfer.end
        let next = min(goal, transfer.position + 400 << 10)
        if next > transfer.position { story.progress(transfer.id, to: next) }
        if isLast, next == goal { victim = transfer.id }
        if next == transfer.end { story.end(transfer.id) }
        if let hedge = story.transfers.first(where: { story.machine.isHedge($0.id) }) {
          return (story, victim, hedge.id)
        }
      }
      if story.transfers.map(\.id) == [victim], story.transfers[0].end - story.transfers[0].position <= 100_000 {
        for _ in 0..<30 {
          story.wait(0.1)
          if let hedge = story.transfers.first(where: { story.machine.isHedge($0.id) }) {
            return (story, victim, hedge.id)
          }
        }
        return (story, victim, nil)
      }
    }
    return (story, victim, nil)
  }

  @Test("asks once for the rest of a silent connection, and the second request wins")
  func wins() throws {
    var (story, victim, hedge) = raced()
    let id = try #require(hedge)
    let range = try #require(story.transfer(id)).request.question.range
    #expect(range.upper == story.transfer(victim)?.end)
    #expect(range.count <= total / 50)
    story.accept(id, .strong(total))
    story.finish(id)
    #expect(story.last.contains(.abort(victim)))
    #expect(story.all.contains { if case .cover(let covered) = $0 { covered.upper == range.upper } else { false } })
    story.fetchAllAndPublish(.strong(total))
    #expect(story.outcome == .finish)
    #expect(story.machine.receivedBytes == total)
  }

  @Test("the first request wins after all, and the second is given up")
  func loses() throws {
    var (story, victim, hedge) = raced()
    let id = try #require(hedge)
    story.accept(id, .strong(total))
    story.progress(id, to: try #require(story.transfer(id)).position + 1000)
    story.finish(victim)
    #expect(story.all.contains(.abort(id)))
    story.fetchAllAndPublish(.strong(total))
    #expect(story.outcome == .finish)
    #expect(story.machine.receivedBytes == total + 1000)
  }

  @Test("when the first one breaks, the second takes its place")
  func inherits() throws {
    var (story, victim, hedge) = raced()
    let id = try #require(hedge)
    story.accept(id, .strong(total))
    story.progress(id, to: try #require(story.transfer(id)).position + 1000)
    story.fail(victim, .cut)
    #expect(story.outcome == nil)
    #expect(story.machine.isWorking(id))
    story.fetchAllAndPublish(.strong(total))
    #expect(story.outcome == .finish)
  }

  @Test(
    "an answer that cannot be used costs nothing",
    arguments: [
      Verdict.refused(status: 503, retryAfter: 9), .refused(status: 404, retryAfter: nil), .rangeIgnored(.strong(1)),
      .unsatisfiable(total: nil), .rejected("nonsense"),
    ])
  func useless(_ verdict: Verdict) throws {
    var (story, victim, hedge) = raced()
    story.answer(try #require(hedge), verdict)
    #expect(story.outcome == nil)
    #expect(story.machine.isWorking(victim))
    story.finish(victim)
    story.fetchAllAndPublish(.strong(total))
    #expect(story.outcome == .finish)
  }

  @Test("an answer of another file starts over")
  func changed() throws {
    var (story, _, hedge) = raced()
    story.answer(try #require(hedge), .changed("another ETag"))
    #expect(story.last.contains(.discard))
  }

  @Test("never asks twice of a link that looks signed")
  func signed() {
    let signed = Location(url: Location.original.url + "?X-Amz-Signature=1", origin: Location.original.origin)
    #expect(raced(at: signed).hedge == nil)
  }
}
