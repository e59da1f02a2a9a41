import SheafCore
import Testing

@Suite("Theft")
struct TheftTests {
  private let a = TransferID(1)
  private let b = TransferID(2)

  /// A moment, in seconds.
  private func at(_ seconds: Double) -> Instant { Instant(nanoseconds: 0).advanced(bySeconds: seconds) }

  /// A transfer with an answer after 0.1 s and then a steady rate until `end`.
  private func steady(_ paces: inout Paces, _ id: TransferID, rate: Double, until end: Double) {
    paces.started(id, now: at(0))
    paces.answered(id, now: at(0.1))
    var time = 0.1
    while time < end {
      time += 0.1
      paces.received(Int64(rate * 0.1), by: id, now: at(time))
    }
  }

  private func segment(_ lower: Int64, _ upper: Int64, at position: Int64) -> Segment {
    var segment = Segment(ByteRange(lower, upper))
    segment.advance(to: position)
    return segment
  }

  @Test("splits so that both are done together", arguments: [(1e6, 1e6), (4e6, 1e6), (1e6, 4e6)])
  func balances(rate: Double, other: Double) throws {
    var paces = Paces()
    steady(&paces, a, rate: rate, until: 2)
    steady(&paces, b, rate: other, until: 2)
    let left = 40_000_000.0
    let theft = Theft.best(
      among: [a: segment(0, 60_000_000, at: 20_000_000)], paces: paces, floor: 65_536, blindFloor: 1 << 20, now: at(2))
    let place = Double(try #require(theft).place - 20_000_000)
    let victimTime = place / rate
    let thiefTime = 0.1 + (left - place) / other
    #expect(abs(victimTime - thiefTime) < 0.05 * victimTime)
  }

  @Test("takes everything from a transfer that has fallen silent")
  func frozen() {
    var paces = Paces()
    steady(&paces, a, rate: 1e6, until: 0.3)
    steady(&paces, b, rate: 1e6, until: 60)
    let theft = Theft.best(
      among: [a: segment(0, 1_000_000, at: 300_000)], paces: paces, floor: 65_536, blindFloor: 1 << 20, now: at(60))
    #expect(theft == Theft(victim: a, place: 300_000))
  }

  @Test("takes everything from a transfer whose answer is long overdue")
  func unanswered() {
    var paces = Paces()
    steady(&paces, b, rate: 1e6, until: 5)
    paces.started(a, now: at(0.5))
    let theft = Theft.best(
      among: [a: segment(0, 1_000_000, at: 0)], paces: paces, floor: 65_536, blindFloor: 1 << 20, now: at(5))
    #expect(theft == Theft(victim: a, place: 0))
  }

  @Test("robs the one that would finish last, not the one with most bytes")
  func victim() throws {
    var paces = Paces()
    steady(&paces, a, rate: 10e6, until: 2)
    steady(&paces, b, rate: 0.5e6, until: 2)
    let theft = Theft.best(
      among: [a: segment(0, 10_000_000, at: 0), b: segment(20_000_000, 24_000_000, at: 20_000_000)], paces: paces,
      floor: 65_536, blindFloor: 1 << 20, now: at(2))
    #expect(try #require(theft).victim == b)
  }

  @Test("leaves alone what is nearly done", arguments: [1000, 60_000, 120_000] as [Int64])
  func nearlyDone(left: Int64) {
    var paces = Paces()
    steady(&paces, a, rate: 1e6, until: 2)
    steady(&paces, b, rate: 1e6, until: 2)
    #expect(
      Theft.best(
        among: [a: segment(0, left, at: 0)], paces: paces, floor: 65_536, blindFloor: 1 << 20, now: at(2)) == nil)
  }

  @Test("the user's least size binds both parts")
  func floor() {
    var paces = Paces()
    steady(&paces, a, rate: 1e6, until: 2)
    steady(&paces, b, rate: 1e6, until: 2)
    let segments = [a: segment(0, 5_000_000, at: 0)]
    #expect(Theft.best(among: segments, paces: paces, floor: 3_000_000, blindFloor: 3_000_000, now: at(2)) == nil)
    #expect(Theft.best(among: segments, paces: paces, floor: 1_000_000, blindFloor: 1_000_000, now: at(2)) != nil)
  }
}
