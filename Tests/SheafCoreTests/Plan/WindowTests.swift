import SheafCore
import Testing

@Suite("Window")
struct WindowTests {
  private func planner(_ total: Int64, window: Int64, consumed: Int64 = 0, smallest: Int64 = mebibyte) -> Planner {
    Planner(
      missing: RangeSet([ByteRange(0, total)]), policy: .init(smallest: smallest), alignment: mebibyte,
      window: Window(length: window, consumed: consumed))
  }

  @Test("the horizon is a window ahead of the reader, who never goes back, and never overflows")
  func horizon() {
    var window = Window(length: 100, consumed: 7)
    #expect(window.horizon == 107)
    window.consume(upTo: 50)
    window.consume(upTo: 20)
    #expect(window.horizon == 150)
    #expect(Window(length: .max, consumed: 1).horizon == .max)
  }

  @Test(
    "segments of half the window over the lanes, at least a MiB unless the window is too small",
    arguments: [
      (64, 16, 2), (64, 1, 16), (64, 64, 1), (8, 16, 1), (4, 16, 1),
    ] as [(Int64, Int, Int64)])
  func least(_ window: Int64, _ lanes: Int, _ expected: Int64) {
    #expect(
      Window(length: window * mebibyte).least(lanes: lanes, smallest: mebibyte) == expected * mebibyte)
  }

  @Test(
    "a tiny window has four segments, or single bytes",
    arguments: [(1 << 20, 1 << 18), (8, 2), (1, 1)] as [(Int64, Int64)])
  func tiny(_ window: Int64, _ expected: Int64) {
    #expect(Window(length: window).least(lanes: 16, smallest: mebibyte) == expected)
  }

  @Test("nothing is given out beyond the horizon, and no sliver before it")
  func givesOut() {
    var planner = planner(1 << 30, window: 64 * mebibyte)
    var given: [ByteRange] = []
    while let range = planner.take(for: TransferID(given.count), lanes: 16) { given.append(range) }
    #expect(given.count == 32)
    #expect(given.allSatisfy { $0.count == 2 * mebibyte })
    #expect(given.last?.upper == 64 * mebibyte)
    planner.consume(upTo: 2 * mebibyte - 1)
    #expect(!planner.canGive(lanes: 16))
    #expect(planner.take(for: TransferID(99), lanes: 16) == nil)
    planner.consume(upTo: 2 * mebibyte)
    #expect(planner.take(for: TransferID(99), lanes: 16) == ByteRange(64 * mebibyte, 66 * mebibyte))
  }

  @Test("what another transfer gave back within the window is no sliver")
  func givesGaps() {
    var planner = planner(1 << 30, window: 64 * mebibyte)
    planner.claim(ByteRange(0, 64 * mebibyte), for: TransferID(1))
    planner.shrink(TransferID(1), to: 64 * mebibyte - 100)
    #expect(planner.take(for: TransferID(2), lanes: 16) == nil)
    planner.consume(upTo: 4 * mebibyte)
    #expect(planner.take(for: TransferID(2), lanes: 16)?.lower == 64 * mebibyte - 100)
  }

  @Test("the rest of the file is given out whole, however small")
  func rest() {
    var planner = planner(10 * mebibyte + 5, window: 64 * mebibyte, consumed: 10 * mebibyte)
    planner.claim(ByteRange(0, 10 * mebibyte), for: TransferID(1))
    #expect(planner.take(for: TransferID(2), lanes: 16) == ByteRange(10 * mebibyte, 10 * mebibyte + 5))
  }

  @Test("a slow connection gets less of what the reader will wait for")
  func weighs() {
    var paces = Paces()
    let now = Instant(nanoseconds: 0).advanced(bySeconds: 3)
    paces.started(TransferID(50), now: Instant(nanoseconds: 0))
    paces.answered(TransferID(50), now: Instant(nanoseconds: 0))
    paces.received(30 * mebibyte, by: TransferID(50), now: now)
    var planner = planner(1 << 30, window: 64 * mebibyte)
    let slow = planner.take(for: TransferID(1), lanes: 16, rate: Double(5 * mebibyte), paces: paces, now: now)
    #expect(slow?.count == mebibyte)
    let usual = planner.take(for: TransferID(2), lanes: 16, rate: Double(10 * mebibyte), paces: paces, now: now)
    #expect(usual?.count == 2 * mebibyte)
  }
}

@Suite("Urgent ranges")
struct UrgentTests {
  private func planner() -> Planner {
    Planner(missing: RangeSet([ByteRange(0, 1 << 30)]), policy: .init(smallest: mebibyte), alignment: mebibyte)
  }

  @Test("are given before all else, and what follows them with them, in small segments")
  func first() {
    var planner = planner()
    let place = 500 * mebibyte
    planner.urgent = [ByteRange(place + 10, place + 20)]
    #expect(planner.take(for: TransferID(1), lanes: 4)?.lower == place + 10)
    let next = planner.take(for: TransferID(2), lanes: 4)
    #expect(next?.lower == 0)
    #expect(planner.missingBytes == 1 << 30)
  }

  @Test("are divided among the lanes")
  func divided() {
    var planner = planner()
    planner.urgent = [ByteRange(100 * mebibyte, 116 * mebibyte)]
    let first = planner.take(for: TransferID(1), lanes: 4)
    #expect(first == ByteRange(100 * mebibyte, 104 * mebibyte))
    #expect(planner.take(for: TransferID(2), lanes: 4)?.lower == 104 * mebibyte)
  }

  @Test("say where the first missing byte is, in whosever hands")
  func firstMissing() {
    var planner = planner()
    planner.claim(ByteRange(0, 10 * mebibyte), for: TransferID(1))
    #expect(planner.firstMissing(from: 0) == 0)
    planner.advance(TransferID(1), to: 3 * mebibyte)
    #expect(planner.firstMissing(from: 0) == 3 * mebibyte)
    #expect(planner.firstMissing(from: 5 * mebibyte) == 5 * mebibyte)
    #expect(planner.firstMissing(from: 20 * mebibyte) == 20 * mebibyte)
    #expect(planner.firstMissing(from: 1 << 30) == nil)
    #expect(planner.holder(of: 2 * mebibyte)?.id == nil)
    #expect(planner.holder(of: 3 * mebibyte)?.id == TransferID(1))
  }
}
