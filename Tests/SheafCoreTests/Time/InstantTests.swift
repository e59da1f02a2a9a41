import SheafCore
import Testing

@Suite("Instant")
struct InstantTests {
  @Test("counts seconds forth and back", arguments: [0, 0.1, 1, 300, 86_400] as [Double])
  func counts(_ seconds: Double) {
    let start = Instant(nanoseconds: 5_000_000_000)
    let end = start.advanced(bySeconds: seconds)
    #expect(abs(end.seconds(since: start) - seconds) < 1e-6)
    #expect((start < end) == (seconds > 0))
  }

  @Test("has an end of time instead of an overflow", arguments: [1e10, 1e18, 1e300, .infinity] as [Double])
  func saturates(_ seconds: Double) {
    #expect(Instant(nanoseconds: 1).advanced(bySeconds: seconds) == Instant(nanoseconds: .max))
  }
}
