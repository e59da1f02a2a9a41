/// What the command line asks for, checked as far as that goes without doing anything.
enum Invocation: Sendable {
  /// Print this text and be done.
  case print(String)
  case fetch(CommandOptions)
  case inspect(InspectOptions)
  case verify(VerifyOptions)
  case repair(RepairOptions)

  /// Reads the arguments after the program's name.
  init(parsing arguments: [String]) throws(UsageError) {
    if let word = arguments.first, let subcommand = Subcommand(rawValue: word) {
      self = try subcommand.invocation(Array(arguments.dropFirst()))
    } else {
      self = try Self.fetching(arguments)
    }
  }

  private static func fetching(_ arguments: [String]) throws(UsageError) -> Invocation {
    var options = CommandOptions()
    switch try ArgumentParser(OptionTable.fetching).parse(arguments, into: &options) {
    case .request(.help): return .print(Help.fetching)
    case .request(.version): return .print("sheaf \(Version.number)\n")
    case .operands(let operands):
      try options.accept(operands)
      return .fetch(options)
    }
  }
}
