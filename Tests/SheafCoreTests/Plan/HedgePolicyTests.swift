import SheafCore
import Testing

@Suite("HedgePolicy")
struct HedgePolicyTests {
  private let start = Instant(nanoseconds: 0)
  private let total = 100 * mebibyte

  /// Sixteen transfers of which number 1 has been silent for `silence` seconds with `left` bytes to go.
  private func candidate(left: Int64, silence: Double, spent: Int64 = 0, latency: Double = 0.05) -> TransferID? {
    var paces = Paces()
    var segments: [TransferID: Segment] = [:]
    for number in 1...16 {
      let id = TransferID(number)
      paces.started(id, now: start)
      paces.answered(id, now: start.advanced(bySeconds: latency))
      let quietSince = number == 1 ? 2.0 : 2 + silence
      for tenth in 1...Int(quietSince * 10) {
        paces.received(400_000, by: id, now: start.advanced(bySeconds: Double(tenth) / 10))
      }
      let lower = Int64(number) * 4 * mebibyte
      segments[id] = Segment(ByteRange(lower, lower + (number == 1 ? left : 4096)))
    }
    var races = Races()
    if spent > 0 { races.add(TransferID(99), .hedge, against: TransferID(98), for: ByteRange(0, spent)) }
    return HedgePolicy.candidate(
      among: segments, races: races, total: total, paces: paces, now: start.advanced(bySeconds: 2 + silence))
  }

  @Test("asks a second time for the rest of a connection that has fallen silent", arguments: [0.3, 1, 5])
  func silent(_ silence: Double) {
    #expect(candidate(left: 50_000, silence: silence) == TransferID(1))
  }

  @Test("leaves alone what arrives in time")
  func flowing() {
    #expect(candidate(left: 50_000, silence: 0) == nil)
  }

  @Test("leaves alone what a second request could not bring sooner")
  func far() {
    #expect(candidate(left: 50_000, silence: 0.3, latency: 0.2) == nil)
  }

  @Test(
    "never asks for more than two per cent of the file twice",
    arguments: [(2 * mebibyte, 0), (1000, 2 * mebibyte - 1000)] as [(Int64, Int64)])
  func bounded(_ left: Int64, _ spent: Int64) {
    #expect(candidate(left: left, silence: 1, spent: spent) == TransferID(1))
    #expect(candidate(left: left + 100_000, silence: 1, spent: spent) == nil)
  }

  @Test(
    "knows links that look signed or made for one use",
    arguments: [
      "https://b.s3.amazonaws.com/k?X-Amz-Algorithm=AWS4&X-Amz-Signature=00ff", "https://h/f?sig=1",
      "http://h/f?a=1&Token=x",
      "https://cdn/f?Expires=1&Key-Pair-Id=K", "https://h/f?st=a&e=1", "https://h/f?x#y?z&token",
    ])
  func signed(_ url: String) {
    #expect(HedgePolicy.looksSigned(url) == !url.contains("#"))
  }

  @Test(
    "and those that do not",
    arguments: ["https://h/f", "https://h/token=1", "https://h/f?", "https://h/f?version=2&design=1"])
  func plain(_ url: String) {
    #expect(!HedgePolicy.looksSigned(url))
  }
}
