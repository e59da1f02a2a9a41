import Sheaf

/// The words that may stand in the place of the first URL. They never collide with one, for a URL has a scheme.
enum Subcommand: String, CaseIterable {
  case inspect
  case verify
  case repair
  case help

  /// Reads the arguments after the word.
  func invocation(_ arguments: [String]) throws(UsageError) -> Invocation {
    switch self {
    case .inspect: try InspectOptions.invocation(arguments)
    case .verify: try VerifyOptions.invocation(arguments)
    case .repair: try RepairOptions.invocation(arguments)
    case .help: try Self.help(arguments)
    }
  }

  private static func help(_ arguments: [String]) throws(UsageError) -> Invocation {
    guard let word = arguments.first else { return .print(Help.fetching) }
    switch Subcommand(rawValue: word) {
    case .inspect: return .print(Help.inspecting)
    case .verify: return .print(Help.verifying)
    case .repair: return .print(Help.repairing)
    case .help: return .print(Help.fetching)
    case nil:
      throw UsageError("there is no command '\(redactedURL(word))'")
    }
  }
}
