import Sheaf

/// The words that may stand in the place of the first URL. They never collide with one, for a URL has a scheme.
enum Subcommand: String, CaseIterable {
  case inspect
  case verify
  case repair
  case probe
  case status
  case completion
  case help

  /// Reads the arguments after the word.
  func invocation(_ arguments: [String], in surroundings: Surroundings) throws(UsageError) -> Invocation {
    switch self {
    case .inspect: try InspectOptions.invocation(arguments)
    case .verify: try VerifyOptions.invocation(arguments)
    case .repair: try RepairOptions.invocation(arguments, in: surroundings)
    case .probe: try Self.probe(arguments, in: surroundings)
    case .status: try StatusOptions.invocation(arguments)
    case .completion: try Self.completion(arguments)
    case .help: try Self.help(arguments)
    }
  }

  /// For help, manual page and completions.
  var description: CommandDescription {
    switch self {
    case .inspect: .inspecting
    case .verify: .verifying
    case .repair: .repairing
    case .probe: .probing
    case .status: .reporting
    case .completion: .completing
    case .help: .helping
    }
  }

  /// The same as a command that fetches, with `--dry-run`.
  private static func probe(_ arguments: [String], in surroundings: Surroundings) throws(UsageError) -> Invocation {
    if case .fetch(var options) = try Invocation.fetching(arguments, in: surroundings) {
      options.isDryRun = true
      return .fetch(options)
    }
    return .print(Help.text(of: .probing))
  }

  private static func completion(_ arguments: [String]) throws(UsageError) -> Invocation {
    if ["-h", "--help"].contains(arguments.first) { return .print(Help.text(of: .completing)) }
    guard arguments.count == 1, let shell = Shell(rawValue: arguments[0]) else {
      let known = Shell.allCases.map(\.rawValue)
      throw UsageError(
        "sheaf completion needs a shell: \(known.joined(separator: ", "))", suggestion: "try sheaf completion bash")
    }
    return .print(shell.completion)
  }

  private static func help(_ arguments: [String]) throws(UsageError) -> Invocation {
    guard let word = arguments.first else { return .print(Help.fetching) }
    guard arguments.count == 1 else {
      throw UsageError("sheaf help explains one thing", suggestion: "try sheaf help \(Topic.lists.rawValue)")
    }
    if word == "--man" { return .print(ManualPage.text) }
    if let subcommand = Subcommand(rawValue: word) { return .print(Help.text(of: subcommand.description)) }
    if ["-h", "--help"].contains(word) { return .print(Help.text(of: .helping)) }
    if let topic = Topic(rawValue: word) { return .print(Help.text(of: topic)) }
    let known = Topic.allCases.map(\.rawValue) + Subcommand.allCases.map(\.rawValue)
    throw UsageError(
      "there is no command or topic '\(redactedURL(word))'",
      suggestion: closest(to: word, among: known).map { "did you mean \($0)?" }
        ?? "topics are \(Topic.allCases.map(\.rawValue).joined(separator: ", "))")
  }
}
