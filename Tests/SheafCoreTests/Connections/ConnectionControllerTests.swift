import SheafCore
import Testing

@Suite("ConnectionController")
struct ConnectionControllerTests {
  private static let each = 4e6

  /// A server that caps each connection.
  private static func capped(_ connections: Int) -> Double { each * Double(connections) }
  /// A line that 16 connections fill.
  private static func full(_ connections: Int) -> Double { min(each * 16, each * Double(connections)) }

  @Test("opens a first wave of at most 16", arguments: [(1, 1), (4, 4), (16, 16), (17, 16), (256, 16)])
  func firstWave(_ ceiling: Int, _ expected: Int) {
    #expect(Host(ceiling: ceiling).controller.level == expected)
  }

  @Test("opens all at once when the number is pinned", arguments: [1, 16, 64, 256])
  func pinned(_ count: Int) {
    var host = Host(ceiling: count, isPinned: true)
    #expect(host.controller.level == count)
    host.run(60, roundTrip: 0.5, Self.full)
    #expect(host.controller.level == count)
  }

  @Test("climbs to the ceiling while each step pays, and says so", arguments: [32, 64, 256], [0, 0.1])
  func climbs(_ ceiling: Int, _ noise: Double) {
    var host = Host(ceiling: ceiling)
    host.run(60, noise: noise, Self.capped)
    #expect(host.controller.level == ceiling)
    #expect(host.controller.findings.ceilingWasReached)
    #expect(host.decisions.first == "there may be more: trying 32 connections")
    #expect(host.decisions.contains { $0.contains("keeping to 32") })
  }

  @Test("goes back when a step brings nothing, and asks ever more rarely")
  func staysWhereItPays() {
    var host = Host(ceiling: 64)
    host.run(120, noise: 0.05, Self.full)
    #expect(host.controller.level == 16)
    #expect(host.controller.findings.moreDidNotPay)
    #expect(host.decisions.count { $0.contains("trying") } < 8, "\(host.decisions)")
  }

  @Test("does not count time in which there was less to do than allowed")
  func idle() {
    var host = Host(ceiling: 64)
    host.run(60, wanted: 3, Self.capped)
    #expect(host.controller.level == 16)
    #expect(host.decisions.isEmpty)
  }

  @Test("gives connections back when round trips are inflated and fewer bring as much")
  func backsOff() {
    var host = Host(ceiling: 16)
    host.run(10, roundTrip: 0.02) { _ in 64e6 }
    #expect(host.controller.level == 16)
    host.run(300, roundTrip: 0.3) { _ in 64e6 }
    #expect(host.controller.level == 4)
    #expect(host.controller.findings.wasInflated)
  }

  @Test("keeps them when fewer bring less, however long the round trips")
  func keepsWhatPays() {
    var host = Host(ceiling: 16)
    host.run(10, roundTrip: 0.02, Self.capped)
    var levels: Set<Int> = []
    for _ in 0..<300 {
      host.run(1, roundTrip: 0.3, Self.capped)
      levels.insert(host.controller.level)
    }
    #expect(host.controller.level == 16)
    #expect(levels == [12, 16])
  }

  @Test("tries fewer when the rate has fallen by itself")
  func rateFell() {
    var host = Host(ceiling: 16)
    host.run(10) { _ in 64e6 }
    host.run(20) { _ in 20e6 }
    #expect(host.controller.level < 16)
  }

  @Test(
    "a refusal halves the level, or takes it to what works",
    arguments: [(15, 8), (9, 8), (8, 8), (4, 4), (1, 1), (0, 1)])
  func refusal(_ working: Int, _ expected: Int) {
    var host = Host(ceiling: 16)
    host.refuse(working: working)
    #expect(host.controller.level == expected)
  }

  @Test("refusals of one wave halve only once and find what the host bears")
  func wave() {
    var host = Host(ceiling: 16)
    for working in (4...15).reversed() { host.refuse(working: working) }
    #expect(host.controller.level == 4)
    #expect(host.controller.findings.refusals == 12)
  }

  @Test("climbs back after refusals, but hardly ever tries what was refused", arguments: [1, 4, 7])
  func climbsBack(_ bears: Int) {
    var host = Host(ceiling: 16)
    for working in (bears...15).reversed() { host.refuse(working: working) }
    let before = host.controller.findings.refusals
    for _ in 0..<3000 {
      host.run(0.1, wanted: bears, Self.capped)
      // The host refuses whatever is beyond.
      if host.controller.level > bears { host.refuse(working: bears) }
    }
    #expect(host.controller.level == bears)
    #expect(host.controller.findings.refusals - before < 9)
    host.run(90, Self.capped)
    #expect(host.controller.level == 16)
  }

  @Test("one broken connection is bad luck, many are a message")
  func breaks() {
    var host = Host(ceiling: 16)
    for _ in 0..<30 {
      host.breakOne(working: 15)
      host.run(2, Self.capped)
    }
    #expect(host.controller.level == 16)
    for _ in 0..<9 { host.breakOne(working: 15) }
    #expect(host.controller.level == 8)
  }

  @Test("a later download with a greater ceiling raises it, a refusal that was learnt stays")
  func laterCeilings() {
    var host = Host(ceiling: 4)
    host.controller.allow(16, isPinned: false)
    #expect(host.controller.level == 16)
    host.refuse(working: 5)
    host.controller.allow(4, isPinned: false)
    host.controller.allow(16, isPinned: false)
    #expect(host.controller.level == 4)
  }
}
