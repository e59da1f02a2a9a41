import SheafCore
import Simulation
import Testing

/// How close a download comes to the time that its connections allow.
@Suite("A simulated network")
struct NetworkTests {
  private let total: Int64 = 256 << 20
  private let rate = Double(4 << 20)

  private func time(_ network: Network, total: Int64? = nil) -> Double {
    var simulation = NetworkSimulation(total: total ?? self.total, network: network)
    simulation.run()
    #expect(simulation.outcome.complaint == nil)
    return simulation.outcome.seconds
  }

  @Test("equal connections: within five per cent of the ideal", arguments: [0.001, 0.02, 0.08])
  func equal(roundTrip: Double) {
    let ideal = Double(total) / (16 * rate)
    let time = time(.init(roundTrip: roundTrip, rate: { _ in rate }))
    #expect(time < 1.05 * ideal + 6 * roundTrip, "\(time / ideal)")
  }

  @Test("one of 16 connections 50 times slower costs next to nothing", arguments: [1, 5, 16])
  func oneSlow(number: Int) {
    let even = time(.init(rate: { _ in rate }))
    let uneven = time(.init(rate: { $0 == number ? rate / 50 : rate }))
    #expect(uneven < 1.06 * even, "\(uneven / even)")
  }

  @Test("every eighth connection 50 times slower")
  func everyEighth() {
    let even = time(.init(rate: { _ in rate }))
    let uneven = time(.init(rate: { $0 % 8 == 0 ? rate / 50 : rate }))
    #expect(uneven < 1.15 * even, "\(uneven / even)")
  }

  @Test("a frozen connection costs next to nothing", arguments: [2, 5, 16])
  func frozen(number: Int) {
    let even = time(.init(rate: { _ in rate }))
    let uneven = time(.init(rate: { $0 == number ? 0 : rate }))
    #expect(uneven < 1.06 * even, "\(uneven / even)")
  }

  @Test("random rates: never far from the ideal", arguments: 0..<40)
  func random(seed: Int) {
    var dice = Dice(seed: seed)
    let rates = (0..<2000).map { _ in rate * (0.05 + 2 * dice.fraction()) }
    let line = rate * 16
    let total = Int64(64 << 20) << Int64(seed % 4)
    let roundTrip = dice.pick(from: [0.001, 0.02, 0.08, 0.2])
    let time = time(.init(roundTrip: roundTrip, line: line, rate: { rates[$0 % rates.count] }), total: total)
    let ideal = Double(total) / min(line, rates[1...16].reduce(0, +))
    #expect(time < 1.3 * ideal + 8 * roundTrip, "\(time / ideal), round trip \(roundTrip), \(total >> 20) MiB")
  }

  // MARK: - Streams

  private func streamTime(_ network: Network, window: Int64 = 64 << 20) -> Double {
    var settings = DownloadMachine.Settings()
    settings.window = window
    var simulation = NetworkSimulation(total: total, network: network, settings: settings)
    simulation.run()
    #expect(simulation.outcome.complaint == nil)
    return simulation.outcome.seconds
  }

  @Test(
    "a stream whose reader keeps up takes hardly longer than a file, but for the round trips of its small segments",
    arguments: [(0.001, 1.05), (0.02, 1.1), (0.08, 1.25)])
  func stream(roundTrip: Double, most: Double) {
    let network = Network(roundTrip: roundTrip, rate: { _ in rate })
    let (file, stream) = (time(network), streamTime(network))
    #expect(stream < most * file, "\(stream / file)")
  }

  @Test("a laggard holds a stream up only for a while", arguments: [0, 50] as [Double], [2, 5, 16])
  func streamWithLaggard(slower: Double, number: Int) {
    let even = streamTime(.init(rate: { _ in rate }))
    let uneven = streamTime(.init(rate: { $0 == number ? (slower == 0 ? 0 : rate / slower) : rate }))
    #expect(uneven < 1.2 * even, "\(uneven / even)")
  }

  @Test("a small window is used by as many connections as it feeds", arguments: [1, 4, 8] as [Int64])
  func smallWindow(mebibytes: Int64) {
    let time = streamTime(.init(roundTrip: 0.001, rate: { _ in rate }), window: mebibytes << 20)
    // Two connections' worth at the least.
    #expect(time < Double(total) / (2 * rate), "\(time)")
  }
}
