import SheafCore

/// What `sheaf inspect` is asked for.
struct InspectOptions: Sendable {
  /// The manifest's path.
  var path = ""
  var json = false

  static func invocation(_ arguments: [String]) throws(UsageError) -> Invocation {
    var options = InspectOptions()
    switch try ArgumentParser(OptionTable.inspecting).parse(arguments, into: &options) {
    case .request: return .print(Help.text(of: .inspecting))
    case .operands(let operands):
      guard operands.count == 1, let path = operands.first, !path.isEmpty else {
        throw UsageError("sheaf inspect needs one manifest", suggestion: "try sheaf inspect FILE.sheaf")
      }
      options.path = path
      return .inspect(options)
    }
  }
}
