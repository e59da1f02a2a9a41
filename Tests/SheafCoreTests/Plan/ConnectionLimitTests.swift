import SheafCore
import Testing

@Suite("ConnectionLimit")
struct ConnectionLimitTests {
  @Test("starts at its ceiling, and never below one", arguments: [(-3, 1), (0, 1), (1, 1), (16, 16), (256, 256)])
  func starts(_ ceiling: Int, _ expected: Int) {
    let limit = ConnectionLimit(ceiling: ceiling)
    #expect(limit.ceiling == expected)
    #expect(limit.current == expected)
  }

  @Test("falls to what the server bears", arguments: [(0, 1), (1, 1), (5, 5), (16, 16), (40, 16)])
  func falls(_ active: Int, _ expected: Int) {
    var limit = ConnectionLimit(ceiling: 16)
    limit.connectionRefused(active: active)
    #expect(limit.current == expected)
  }

  @Test("never rises by a refusal")
  func doesNotRise() {
    var limit = ConnectionLimit(ceiling: 16)
    limit.connectionRefused(active: 3)
    limit.connectionRefused(active: 9)
    #expect(limit.current == 3)
  }

  @Test("climbs by one with each finished segment, up to its ceiling")
  func climbs() {
    var limit = ConnectionLimit(ceiling: 4)
    limit.connectionRefused(active: 1)
    var seen: [Int] = []
    for _ in 0..<5 {
      limit.segmentFinished()
      seen.append(limit.current)
    }
    #expect(seen == [2, 3, 4, 4, 4])
  }
}
