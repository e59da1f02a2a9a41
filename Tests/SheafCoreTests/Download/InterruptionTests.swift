import SheafCore
import Testing

@Suite("DownloadMachine: interrupted")
struct InterruptionTests {
  /// Where a download can be when it is stopped.
  enum Moment: CaseIterable, Sendable {
    case idle, probing, waiting, redirected, fetching, auditing, oneStream, sealing, publishing
  }

  private func story(at moment: Moment) -> Story {
    let identity = Identity.strong(40 << 20)
    if moment == .auditing {
      var story = Story(resumed: .init(identity, total: 40 << 20, present: 0..<40))
      story.begin()
      return story
    }
    var story = Story(.init(connections: 4))
    if moment == .idle { return story }
    story.begin()
    switch moment {
    case .idle, .auditing, .probing: break
    case .waiting: story.answer(story.latest, .refused(status: 503, retryAfter: 9))
    case .redirected: story.redirect(story.latest, to: .mirror)
    case .fetching: story.accept(story.latest, identity)
    case .oneStream: story.acceptWhole(story.latest, identity)
    case .sealing: story.fetchAll(identity)
    case .publishing:
      story.fetchAll(identity)
      story.seal()
    }
    return story
  }

  @Test("a wish to stop comes too late once the file is being published")
  func tooLateToStop() {
    var story = story(at: .publishing)
    story.happen { machine, _ in machine.interrupted(by: Failure.Kind.interrupted.sample) }
    #expect(story.last.isEmpty)
    story.publish()
    #expect(story.outcome == .finish)
  }

  @Test("anywhere: aborts every transfer, fails once, and then hears nothing more", arguments: Moment.allCases)
  func interrupted(_ moment: Moment) {
    var story = story(at: moment)
    let live = story.transfers.map(\.id)
    #expect(story.outcome == nil)
    let failure = Failure.Kind.diskFull.sample
    story.happen { machine, _ in machine.interrupted(by: failure) }
    #expect(story.last.last == .fail(failure))
    #expect(Set(story.last.dropLast()) == Set(live.map { .abort($0) }))
    #expect(story.machine.activeTransfers == 0)

    story.happen { machine, _ in machine.interrupted(by: failure) }
    #expect(story.last.isEmpty)
    for id in live {
      story.happen { $0.answered(id, .range(ByteRange(0, 5), .strong(5)), now: $1) }
      story.happen { $0.advanced(id, to: 5, now: $1) }
      story.happen { $0.redirected(id, to: .mirror, now: $1) }
      story.happen { $0.ended(id, .finished, now: $1, random: 0) }
    }
    story.wait(1000)
    story.happen { $0.audited(now: $1) }
    story.happen { $0.refuted([0], now: $1) }
    story.happen { $0.checkpointed(now: $1) }
    story.seal()
    story.publish()
    #expect(story.all.count { if case .fail = $0 { true } else { false } } == 1)
    #expect(story.all.last == .fail(failure))
  }

  @Test("a disk that fails while the file is sealed or published is heard", arguments: [Moment.sealing, .publishing])
  func diskFails(_ moment: Moment) {
    var story = story(at: moment)
    story.happen { machine, _ in machine.interrupted(by: Failure.Kind.diskFull.sample) }
    #expect(story.failure?.kind == .diskFull)
  }

  @Test("once finished, it is too late")
  func tooLate() {
    var story = story(at: .publishing)
    story.publish()
    story.happen { machine, _ in machine.interrupted(by: Failure.Kind.interrupted.sample) }
    #expect(story.last.isEmpty)
    #expect(story.outcome == .finish)
  }
}

@Suite("DownloadMachine: checkpoints")
struct CheckpointTests {
  private func begun() -> Story {
    var story = Story(.init(connections: 1))
    story.begin()
    story.accept(story.latest, .strong(400 << 20), length: 300 << 20)
    return story
  }

  @Test("are due each second, by progress or by looking around", arguments: [false, true])
  func byTime(_ byProgress: Bool) {
    var story = begun()
    story.progress(story.latest, to: 10)
    #expect(!story.last.contains(.checkpoint))
    if byProgress {
      story.now = story.now.advanced(bySeconds: 1)
      story.progress(story.latest, to: 11)
    } else {
      story.wait(1)
    }
    #expect(story.last.contains(.checkpoint))
  }

  @Test("are due after 64 MiB, over all transfers and segments")
  func byBytes() {
    var story = begun()
    var count = 0
    while let transfer = story.transfers.first, story.machine.receivedBytes < 64 * mebibyte {
      #expect(count == 0)
      if transfer.isAccepted { story.finish(transfer.id) } else { story.accept(transfer.id, .strong(400 << 20)) }
      count += story.last.count { $0 == .checkpoint }
    }
    #expect(count == 1)
  }

  @Test("wait for the one before, and come at once when it is done")
  func oneAtATime() {
    var story = begun()
    story.progress(story.latest, to: 10)
    story.wait(1)
    #expect(story.last.contains(.checkpoint))
    story.progress(story.latest, to: 20)
    story.wait(5)
    #expect(!story.last.contains(.checkpoint))
    story.happen { $0.checkpointed(now: $1) }
    #expect(story.last == [.checkpoint])
    story.happen { $0.checkpointed(now: $1) }
    #expect(story.last.isEmpty)
  }

  @Test("are not due when nothing new has come, nor after the last byte")
  func notDue() {
    var story = begun()
    story.wait(100)
    #expect(!story.last.contains(.checkpoint))
    story.fetchAll(.strong(400 << 20))
    story.happen { $0.checkpointed(now: $1) }
    story.wait(100)
    #expect(story.last.isEmpty)
  }
}
