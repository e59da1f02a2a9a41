/// The command line of `sheaf-simulate`.
struct SimulateOptions {
  struct UsageError: Error, CustomStringConvertible {
    let description: String
  }

  enum Mode {
    case survey, growth, help, version
    case one(seed: Int)
  }

  private(set) var mode = Mode.survey
  private(set) var cases = 5000
  private(set) var firstSeed = 0
  private(set) var isJSON = false

  static let help = """
    Usage: sheaf-simulate [OPTION]...
    Runs the planner against simulated networks and compares its time with the ideal one.

      --cases N        so many seeded cases (default: 5000)
      --first-seed N   the first of the seeds, which follow each other (default: 0)
      --seed S         only the case of this seed, with each decision
      --growth         how the planner's cost grows with the file and the connections
      --json           one JSON object instead of text
      --help           show this
      --version        say which planner it runs

    Status 1 if a case broke a rule: did not end, lost or wasted bytes, asked too often.

    """

  init(arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    while let option = rest.popFirst() {
      switch option {
      case "--json": isJSON = true
      case "--growth": mode = .growth
      case "--help": mode = .help
      case "--version": mode = .version
      case "--cases": cases = try Self.number(for: option, from: &rest)
      case "--first-seed": firstSeed = try Self.number(for: option, from: &rest)
      case "--seed": mode = .one(seed: try Self.number(for: option, from: &rest))
      default: throw UsageError(description: "unknown option \(option)")
      }
    }
  }

  private static func number(for option: String, from rest: inout ArraySlice<String>) throws(UsageError) -> Int {
    guard let text = rest.popFirst(), let number = Int(text), number >= 0 else {
      throw UsageError(description: "\(option) needs a number")
    }
    return number
  }
}
