import SheafCore
import Simulation
@main struct SimulateCommand {
  static func main() {
    let n = Int(CommandLine.arguments.dropFirst().first ?? "100") ?? 100
    for seed in 0..<n {
      let c = SimulatedCase(seed: seed)
      let start = ContinuousClock.now
      var s = c.simulation()
      s.run()
      let d = ContinuousClock.now - start
      let o = s.outcome
      print(
        seed, c.exclusion?.rawValue ?? "-", o.seconds / c.ideal, o.requests, Double(o.wasted) / Double(c.total),
        o.waitingShare, o.decisions, o.events, d, c, o.complaint ?? "")
    }
  }
}
