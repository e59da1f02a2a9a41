/// What the command line asks for, checked as far as that goes without doing anything.
enum Invocation: Sendable {
  /// Print this text and be done.
  case print(String)
  case fetch(CommandOptions)
  case inspect(InspectOptions)
  case verify(VerifyOptions)
  case repair(RepairOptions)
  case status(StatusOptions)

  /// Reads the arguments after the program's name.
  /// - Parameter surroundings: what counts besides them.
  init(parsing arguments: [String], in surroundings: Surroundings = .none) throws(UsageError) {
    if let word = arguments.first, let subcommand = Subcommand(rawValue: word) {
      self = try subcommand.invocation(Array(arguments.dropFirst()), in: surroundings)
    } else {
      self = try Self.fetching(arguments, in: surroundings)
    }
  }

  /// Reads the arguments of another program, as far as they mean something here.
  /// - Parameter notice: told of those that mean nothing.
  init(parsing arguments: [String], in dialect: Dialect, notice: (String) -> Void) throws(UsageError) {
    switch try dialect.translate(arguments) {
    case .print(let text): self = .print(text)
    case .arguments(let own, let notices):
      for text in notices { notice(text) }
      self = try Self.fetching(own, in: .process)
      if case .fetch(var options) = self {
        options.speaksAria2 = dialect.program == .aria2c
        self = .fetch(options)
      }
    }
  }

  static func fetching(_ arguments: [String], in surroundings: Surroundings) throws(UsageError) -> Invocation {
    let parser = ArgumentParser(OptionTable.fetching)
    var options = CommandOptions()
    switch try parser.parse(arguments, into: &options) {
    case .request(.help): return .print(Help.fetching)
    case .request(.version): return .print("sheaf \(Version.number)\n")
    case .operands(var operands):
      if let configuration = try surroundings.configuration(options.configuration, arguments) {
        options = try configuration.base()
        // Its arguments are the environment's and then these.
        guard case .operands(let all) = try parser.parse(configuration.arguments, into: &options) else { break }
        operands = all
        options.layers = configuration
      }
      try options.accept(operands)
      return .fetch(options)
    }
    return .print(Help.fetching)
  }
}
