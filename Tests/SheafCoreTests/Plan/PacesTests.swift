import SheafCore
import Testing

@Suite("Paces")
struct PacesTests {
  private let start = Instant(nanoseconds: 0)

  /// Eight transfers that bring a megabyte each second.
  private func flowing(until seconds: Int) -> Paces {
    var paces = Paces()
    for number in 1...8 {
      let id = TransferID(number)
      paces.started(id, now: start)
      paces.answered(id, now: start)
      for tenth in 1...(seconds * 10) {
        paces.received(100_000, by: id, now: start.advanced(bySeconds: Double(tenth) / 10))
      }
    }
    return paces
  }

  @Test("a transfer that was given up says nothing about the others, however long ago")
  func forgets() {
    var paces = flowing(until: 2)
    for number in 1...6 { paces.forget(TransferID(number)) }
    for number in 7...8 {
      for tenth in 21...80 {
        paces.received(100_000, by: TransferID(number), now: start.advanced(bySeconds: Double(tenth) / 10))
      }
    }
    let now = start.advanced(bySeconds: 8)
    #expect(abs((paces.usual(now: now) ?? 0) - 1e6) < 5e4)
    #expect(paces[TransferID(1)] == nil)
  }

  @Test("what is usual leaves out the one that is asked about", arguments: 1...8)
  func others(_ number: Int) {
    var paces = flowing(until: 2)
    let id = TransferID(number)
    paces.received(900_000_000, by: id, now: start.advanced(bySeconds: 2))
    let table = paces.table(now: start.advanced(bySeconds: 2))
    #expect(abs((table.expected(besides: id) ?? 0) - 1e6) < 5e4)
    #expect(abs((table.fastest(besides: id) ?? 0) - 1e6) < 5e4)
  }
}
