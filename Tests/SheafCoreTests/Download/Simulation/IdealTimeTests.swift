import SheafCore
import Simulation
import Testing

@Suite("The ideal time")
struct IdealTimeTests {
  private let mebi = Double(1 << 20)

  private func ideal(_ mebibytes: Int64, connections: Int, _ network: Network) -> Double {
    IdealTime(network: network, connections: connections, total: mebibytes << 20).seconds(for: mebibytes << 20)
  }

  @Test("without a slow start: two round trips, then the payload at the first connection's rate, then at all")
  func plain() {
    let network = Network(roundTrip: 0.1, rate: { _ in 10 * mebi })
    #expect(abs(ideal(101, connections: 1, network) - 10.3) < 1e-9)
    // One MiB in the third round trip, the other hundred at 100 MiB/s.
    #expect(abs(ideal(101, connections: 10, network) - 1.3) < 1e-9)
  }

  @Test("no faster than the line")
  func line() {
    let network = Network(roundTrip: 0.1, line: 10 * mebi, rate: { _ in 10 * mebi })
    #expect(abs(ideal(101, connections: 10, network) - 10.3) < 1e-9)
  }

  @Test("no more connections than MiB")
  func small() {
    let network = Network(roundTrip: 0, rate: { _ in 1 * mebi })
    #expect(abs(ideal(4, connections: 16, network) - 1) < 1e-9)
  }

  @Test("a slow start doubles each round trip")
  func slowStart() {
    let network = Network(roundTrip: 0.1, line: 1e9, hasSlowStart: true) { _ in .init(cap: .infinity, weight: 1) }
    // 14,600 × (2^n − 1) bytes after n round trips.
    let total = Int64(14_600 * 127)
    let time = IdealTime(network: network, connections: 1, total: total).seconds(for: total)
    #expect(abs(time - 0.9) < 1e-9, "\(time)")
  }

  @Test("what a lone request takes is ideal", arguments: 0..<20)
  func agrees(seed: Int) {
    // The simulator must not be faster than it, nor slower where nothing is to be decided.
    var dice = Dice(seed: seed)
    let network = Network(
      roundTrip: dice.logarithmic(0.001...0.5), line: dice.logarithmic(1e5...1e9), hasSlowStart: true
    ) { _ in .init(cap: .infinity, weight: 1) }
    let total = dice.bytes(1 << 16...8 << 20)
    var settings = DownloadMachine.Settings()
    settings.connections = 1
    var simulation = NetworkSimulation(total: total, network: network, settings: settings)
    simulation.run()
    let ideal = IdealTime(network: network, connections: 1, total: total).seconds(for: total)
    #expect(abs(simulation.outcome.seconds / ideal - 1) < 1e-6, "\(simulation.outcome.seconds) for \(ideal)")
  }
}
