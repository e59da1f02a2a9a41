import SheafCore
import Testing

@Suite("DownloadMachine: readers")
struct ReaderTests {
  private let total = 1024 * mebibyte

  private func stream(window: Int64 = 64, start: Int64 = 0, connections: Int = 8, digest: Bool = false) -> Story {
    var settings = DownloadMachine.Settings(connections: connections, digest: digest)
    settings.window = window * mebibyte
    settings.start = start
    return Story(settings)
  }

  @Test("a stream begins at its first byte, asks for no more than the window, and names no file")
  func begins() {
    var story = stream(window: 4, start: 10 * mebibyte + 3)
    story.begin()
    #expect(story.lastRequests.first?.question.range == ByteRange(10 * mebibyte + 3, 14 * mebibyte + 3))
    story.accept(story.latest, .strong(12 * mebibyte))
    #expect(story.last.layouts.map(\.isResumable) == [false])
    story.fetchAll(.strong(12 * mebibyte))
    #expect(story.last.contains(.seal))
    story.seal()
    #expect(story.outcome == .finish)
    #expect(!story.all.contains(.publish))
    #expect(story.machine.receivedBytes == 2 * mebibyte - 3)
  }

  @Test("more is asked for as the reader goes on, and all of it comes")
  func flows() {
    var story = stream()
    story.begin()
    story.accept(story.latest, .strong(total))
    var read: Int64 = 0
    var steps = 0
    while !story.last.contains(.seal), steps < 10_000 {
      steps += 1
      for transfer in story.transfers {
        #expect(transfer.request.question.range.upper <= read + 64 * mebibyte)
        if transfer.isAccepted { story.finish(transfer.id) } else { story.accept(transfer.id, .strong(total)) }
      }
      read = story.machine.presentEnd(from: read)
      story.happen { machine, now in
        machine.handedOut(upTo: read)
        return machine.consumed(upTo: read, now: now)
      }
    }
    #expect(read == total)
    #expect(story.machine.receivedBytes == total)
  }

  @Test("while the reader does nothing, all is quiet once the window is full")
  func quiet() {
    var story = stream()
    story.begin()
    story.accept(story.latest, .strong(total))
    story.fetchAll(.strong(total))
    #expect(story.transfers.isEmpty)
    // But for a rest that is not worth a request.
    #expect((61 * mebibyte...64 * mebibyte).contains(story.machine.presentEnd(from: 0)))
    let received = story.machine.receivedBytes
    for _ in 0..<20 {
      story.wait(1)
      #expect(story.lastRequests.isEmpty)
    }
    #expect(story.machine.receivedBytes == received)
  }

  @Test("a stream of one answer waits at the horizon and goes on with the reader")
  func whole() {
    var story = stream(window: 4)
    story.begin()
    #expect(story.lastRequests.first?.reach == 4 * mebibyte)
    story.acceptWhole(story.latest, .strong(nil))
    #expect(story.last.contains(.extend(story.latest, to: 4 * mebibyte)))
    story.progress(story.latest, to: 4 * mebibyte)
    story.happen { machine, now in
      machine.handedOut(upTo: mebibyte)
      return machine.consumed(upTo: mebibyte, now: now)
    }
    #expect(story.last == [.extend(story.latest, to: 5 * mebibyte)])
  }

  private func begun(_ identity: Identity, isWhole: Bool = false) -> Story {
    var story = stream()
    story.begin()
    if isWhole { story.acceptWhole(story.latest, identity) } else { story.accept(story.latest, identity) }
    story.progress(story.latest, to: mebibyte)
    story.happen { machine, now in
      machine.handedOut(upTo: mebibyte)
      return machine.consumed(upTo: mebibyte, now: now)
    }
    return story
  }

  @Test("a file that changes after its first bytes were handed out ends the stream")
  func changes() throws {
    var story = begun(.strong(total))
    story.answer(try #require(story.transfers.last?.id), .changed("another ETag"))
    #expect(story.outcome == nil)
    let probe = try #require(story.lastRequests.first)
    #expect(probe.question.range.lower == mebibyte)
    #expect(!story.all.contains(.discard))
    #expect(probe.question.pinned == .strong(total))
    story.answer(probe.id, .changed("its ETag changed"))
    #expect(story.failure?.kind == .badResponse)
    #expect(story.failure?.message.contains("handed out") == true)
  }

  @Test("the same file, asked for once more, goes on where the reader is")
  func goesOn() throws {
    var story = begun(.strong(total))
    story.answer(try #require(story.transfers.last?.id), .changed("another ETag"))
    let probe = try #require(story.lastRequests.first)
    story.accept(probe.id, .strong(total))
    #expect(story.outcome == nil)
    #expect(story.machine.presentEnd(from: mebibyte) == mebibyte)
    #expect(story.machine.presentBytes == mebibyte)
  }

  @Test("a change before the first byte was handed out starts over")
  func startsOver() throws {
    var story = stream()
    story.begin()
    story.accept(story.latest, .strong(total))
    story.answer(try #require(story.transfers.last?.id), .changed("another ETag"))
    #expect(story.last.contains(.discard))
    story.accept(story.latest, .strong(total, tag: "\"two\""))
    #expect(story.outcome == nil)
  }

  @Test("one answer that breaks is asked for again if it proves to be the same")
  func breaks() {
    var story = begun(.strong(total), isWhole: true)
    story.fail(story.latest, .cut)
    #expect(story.outcome == nil && !story.all.contains(.discard))
    story.wait(1)
    story.acceptWhole(story.latest, .strong(total))
    #expect(story.machine.presentEnd(from: mebibyte) == mebibyte)
    story.progress(story.latest, to: 2 * mebibyte)
    #expect(story.machine.presentEnd(from: mebibyte) == 2 * mebibyte)
  }

  @Test("one answer that breaks and proves nothing ends the stream", arguments: [Identity.weak(nil), .bare(nil)])
  func breaksForGood(_ identity: Identity) {
    var story = begun(identity, isWhole: true)
    story.fail(story.latest, .cut)
    #expect(story.failure?.kind == .badResponse)
  }

  @Test("a file that is too short for the first byte is an error, and one that ends there is not")
  func tooShort() {
    var short = stream(start: 100)
    short.begin()
    short.acceptWhole(short.latest, .strong(99))
    #expect(short.failure?.kind == .badResponse)
    var empty = stream(start: 100)
    empty.begin()
    empty.acceptWhole(empty.latest, .strong(100))
    #expect(empty.transfers.isEmpty && empty.last.contains(.seal))
    var unknown = stream(start: 100)
    unknown.begin()
    unknown.acceptWhole(unknown.latest, .strong(nil))
    unknown.progress(unknown.latest, to: 99)
    unknown.end(unknown.latest)
    #expect(unknown.failure?.kind == .badResponse)
  }

  // MARK: - Here and there

  @Test("bytes that a reader waits for are taken from whoever is far from them")
  func urgent() throws {
    var story = Story(.init(connections: 2))
    story.begin()
    story.accept(story.latest, .strong(total))
    for transfer in story.transfers where !transfer.isAccepted { story.accept(transfer.id, .strong(total)) }
    let last = try #require(story.transfers.last)
    #expect(story.machine.activeTransfers == 2)
    let place = last.end - 5 * mebibyte
    story.happen { $0.awaited([ByteRange(place, place + 100)], now: $1) }
    // Both connections are busy: the one that has these bytes among others gives all of them up.
    #expect(story.last.contains(.shrink(last.id, to: last.position)))
    story.end(last.id)
    #expect(story.lastRequests.first?.question.range.lower == place)
    #expect(story.lastRequests.count == 1)
    let request = try #require(story.lastRequests.first)
    story.happen { $0.awaited([ByteRange(place, place + 101)], now: $1) }
    #expect(story.last.shrinks == 0)
    story.accept(request.id, .strong(total))
    story.finish(request.id)
    #expect(story.machine.presentEnd(from: place) >= place + 101)
    story.happen { $0.awaited([], now: $1) }
    story.fetchAllAndPublish(.strong(total))
    #expect(story.outcome == .finish)
  }

  @Test("bytes that come soon anyway are left to whoever brings them")
  func near() throws {
    var story = Story(.init(connections: 2))
    story.begin()
    story.accept(story.latest, .strong(total))
    let first = try #require(story.transfers.first)
    story.happen { $0.awaited([ByteRange(first.position + 1000, first.position + 2000)], now: $1) }
    #expect(story.last.shrinks == 0 && story.lastRequests.isEmpty)
  }

  @Test("bytes that nobody has yet get the place of the one with most to do")
  func unassigned() throws {
    var story = Story(.init(connections: 2))
    story.begin()
    story.accept(story.latest, .strong(total))
    for transfer in story.transfers where !transfer.isAccepted { story.accept(transfer.id, .strong(total)) }
    let place = total - mebibyte
    let busiest = try #require(story.transfers.max { $0.end - $0.position < $1.end - $1.position })
    story.happen { $0.awaited([ByteRange(place, total)], now: $1) }
    #expect(story.last.contains(.shrink(busiest.id, to: busiest.position)))
    story.end(busiest.id)
    #expect(story.lastRequests.map(\.question.range) == [ByteRange(place, total)])
  }
}
