import SheafCore
import Testing

private func at(_ seconds: Double) -> Instant { Instant(nanoseconds: 0).advanced(bySeconds: seconds) }

@Suite("RateMeter")
struct RateMeterTests {
  @Test("says nothing until it has two moments")
  func needsTwo() {
    var meter = RateMeter()
    #expect(meter.bytesPerSecond == 0)
    meter.sample(1000, at: at(1))
    #expect(meter.bytesPerSecond == 0)
    meter.sample(2000, at: at(1))
    #expect(meter.bytesPerSecond == 0)
    meter.sample(3000, at: at(2))
    #expect(meter.bytesPerSecond == 2000)
  }

  @Test("reads a steady rate right, however often it is asked", arguments: [0.001, 0.01, 0.1, 0.5, 2.9, 10])
  func steady(_ step: Double) {
    var meter = RateMeter()
    for count in 0...Int(20 / step) { meter.sample(Int64(Double(count) * step * 1e6), at: at(Double(count) * step)) }
    #expect(abs(meter.bytesPerSecond - 1e6) < 1e3)
  }

  @Test("forgets what is older than some seconds")
  func forgets() {
    var meter = RateMeter()
    for tenth in 0...100 { meter.sample(Int64(tenth) * 1000, at: at(Double(tenth) / 10)) }
    // Nothing comes any more.
    for tenth in 101...129 { meter.sample(100_000, at: at(Double(tenth) / 10)) }
    #expect(meter.bytesPerSecond > 0)
    for tenth in 130...132 { meter.sample(100_000, at: at(Double(tenth) / 10)) }
    #expect(meter.bytesPerSecond == 0)
  }
}
