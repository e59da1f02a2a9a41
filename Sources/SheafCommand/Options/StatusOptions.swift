/// What `sheaf status` is asked for.
struct StatusOptions: Sendable {
  var directories: [String] = []
  var json = false

  static func invocation(_ arguments: [String]) throws(UsageError) -> Invocation {
    var options = StatusOptions()
    switch try ArgumentParser(OptionTable.reporting).parse(arguments, into: &options) {
    case .request: return .print(Help.text(of: .reporting))
    case .operands(let operands):
      guard !operands.contains("") else {
        throw UsageError("a directory without a name", suggestion: "try sheaf status DIR")
      }
      options.directories = operands.isEmpty ? ["."] : operands
      return .status(options)
    }
  }
}
