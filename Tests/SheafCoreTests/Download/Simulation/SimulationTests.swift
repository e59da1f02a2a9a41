import SheafCore
import Testing

@Suite("DownloadMachine, simulated")
struct SimulationTests {
  @Test("every life ends, and a finished file is whole and of one version", arguments: 0..<8)
  func ends(_ group: Int) {
    var endings: [String: Int] = [:]
    for seed in group * 300..<(group + 1) * 300 {
      var simulation = Simulation(seed: seed)
      simulation.run()
      if let complaint = simulation.complaint {
        Issue.record("seed \(seed): \(complaint)")
        return
      }
      switch simulation.outcome {
      case .finish: endings["finish", default: 0] += 1
      case .fail(let failure): endings[failure.kind.rawValue, default: 0] += 1
      default: endings["other", default: 0] += 1
      }
    }
    // A simulation in which nothing succeeds, or nothing fails, proves nothing.
    #expect(endings["finish", default: 0] > 100, "\(endings)")
    #expect(endings.count > 3, "\(endings)")
  }

  @Test("whatever its reader does, a stream is of one version and stays within its window", arguments: 0..<8)
  func streams(_ group: Int) {
    var endings: [String: Int] = [:]
    for seed in group * 100..<(group + 1) * 100 {
      var simulation = Simulation(seed: seed, isRead: true)
      simulation.run()
      if let complaint = simulation.complaint {
        Issue.record("seed \(seed): \(complaint)")
        return
      }
      switch simulation.outcome {
      case .finish: endings["finish", default: 0] += 1
      case .fail(let failure): endings[failure.kind.rawValue, default: 0] += 1
      default: endings["other", default: 0] += 1
      }
    }
    #expect(endings["finish", default: 0] > 20, "\(endings)")
    #expect(endings.count > 2, "\(endings)")
  }
}
