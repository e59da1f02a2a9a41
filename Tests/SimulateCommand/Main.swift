import SheafCore
import Simulation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Runs many simulated downloads, or one, and says how well the plan did.
@main
struct SimulateCommand {
  static func main() async {
    let options: SimulateOptions
    do {
      options = try SimulateOptions(arguments: Array(CommandLine.arguments.dropFirst()))
    } catch {
      let text = Array("sheaf-simulate: \(error); try --help\n".utf8)
      _ = write(STDERR_FILENO, text, text.count)
      exit(2)
    }
    switch options.mode {
    case .help: print(SimulateOptions.help, terminator: "")
    case .version: print("sheaf-simulate \(version)")
    case .one(let seed): tell(seed)
    case .growth:
      let rows = Growth.rows()
      print(options.isJSON ? Growth.json(rows) : Growth.table(rows))
    case .survey:
      let width = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
      let survey = await Survey.run(seeds: options.firstSeed..<options.firstSeed + options.cases, width: width)
      let summary = SurveySummary(survey)
      print(options.isJSON ? summary.json : summary.text)
      if !survey.complaints.isEmpty { exit(1) }
    }
  }

  /// One case, decision by decision.
  private static func tell(_ seed: Int) {
    let one = SimulatedCase(seed: seed)
    print("seed \(seed): \(one)")
    print("ideal \(rounded(one.ideal)) s\(one.exclusion.map { ", not counted: \($0.rawValue)" } ?? "")")
    var simulation = one.simulation()
    simulation.log = { text, time in print("\(rounded(time)) s: \(text)") }
    simulation.run()
    let outcome = simulation.outcome
    print(
      "took \(rounded(outcome.seconds)) s, \(rounded(outcome.seconds / one.ideal)) times the ideal; "
        + "\(outcome.requests) requests over \(outcome.opened) connections, \(outcome.wasted) bytes wasted, "
        + "\(rounded(100 * outcome.waitingShare)) % of the connections' time spent waiting")
    if let complaint = outcome.complaint { print("wrong: \(complaint)") }
  }
}

/// Four digits behind the point are enough for people.
func rounded(_ value: Double) -> Double { (value * 10_000).rounded() / 10_000 }
