import SheafCore

/// Reads a command line as getopt_long does: options and operands in any order, `--` ends the options,
/// short flags may be bundled, the last of several values counts.
struct ArgumentParser<Options> {
  /// What a command line turned out to be.
  enum Parsed: Equatable {
    case operands([String])
    /// Only this was asked for; what follows was not read.
    case request(Option<Options>.Request)
  }

  private let options: [String: Option<Options>]

  init(_ table: [Option<Options>]) {
    options = Dictionary(table.flatMap { option in option.names.map { ($0, option) } }) { first, _ in first }
  }

  /// Applies every option to `result`.
  func parse(_ arguments: [String], into result: inout Options) throws(UsageError) -> Parsed {
    var rest = arguments[...]
    var operands: [String] = []
    while let argument = rest.popFirst() {
      if argument == "--" {
        return .operands(operands + rest)
      } else if argument.hasPrefix("--") {
        if let request = try long(argument, &rest, &result) { return .request(request) }
      } else if argument.hasPrefix("-"), argument != "-" {
        if let request = try bundle(argument, &rest, &result) { return .request(request) }
      } else {
        operands.append(argument)
      }
    }
    return .operands(operands)
  }

  /// `--name`, `--name=value` or `--name value`.
  private func long(
    _ argument: String, _ rest: inout ArraySlice<String>, _ result: inout Options
  ) throws(UsageError) -> Option<Options>.Request? {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let name = parts[0]
    let value = parts.dropFirst().first
    guard let option = options[name] else { throw unknown(name) }
    switch option.form {
    case .value(let placeholder, let apply):
      let text = if let value { value } else { try next(&rest, for: name, placeholder) }
      try apply(OptionArgument(option: name, text: text), &result)
    case .toggle(let apply):
      try apply(truth(value, of: name), &result)
    case .flag(let apply):
      try refuse(value, of: name)
      apply(&result)
    case .request(let request):
      try refuse(value, of: name)
      return request
    }
    return nil
  }

  /// `-q`, `-qc`, `-x16`, `-qx16` or `-x 16`.
  private func bundle(
    _ argument: String, _ rest: inout ArraySlice<String>, _ result: inout Options
  ) throws(UsageError) -> Option<Options>.Request? {
    var letters = argument.dropFirst()
    while let letter = letters.popFirst() {
      let name = "-\(letter)"
      guard let option = options[name] else { throw unknown(name) }
      switch option.form {
      case .value(let placeholder, let apply):
        let text = letters.isEmpty ? try next(&rest, for: name, placeholder) : String(letters)
        try apply(OptionArgument(option: name, text: text), &result)
        return nil
      case .toggle(let apply):
        apply(true, &result)
      case .flag(let apply):
        apply(&result)
      case .request(let request):
        return request
      }
    }
    return nil
  }

  /// Applies one line of a list or a configuration, `name=value` or `name`. Messages call the option as it stands there.
  /// - Parameter isInList: somebody else may have written it.
  func apply(_ line: String, isInList: Bool = true, to result: inout Options) throws(UsageError) {
    let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let name = parts[0]
    let value = parts.dropFirst().first
    guard name.utf8.count > 1, let option = options["--\(name)"] else { throw unknown("--\(name)", asWritten: name) }
    switch option.form {
    case .value(let placeholder, let apply):
      guard let value else { throw UsageError("\(name) needs a value", suggestion: "write \(name)=\(placeholder)") }
      try apply(OptionArgument(option: name, text: value, isInList: isInList), &result)
    case .toggle(let apply):
      try apply(truth(value, of: name), &result)
    case .flag(let apply):
      try refuse(value, of: name)
      apply(&result)
    case .request:
      throw unknown("--\(name)", asWritten: name)
    }
  }

  private func next(
    _ rest: inout ArraySlice<String>, for name: String, _ placeholder: String
  ) throws(UsageError) -> String {
    guard let value = rest.popFirst() else {
      throw UsageError("\(name) needs a value", suggestion: "write \(name) \(placeholder)")
    }
    return value
  }

  private func truth(_ value: String?, of name: String) throws(UsageError) -> Bool {
    switch value {
    case nil, "true": return true
    case "false": return false
    case .some(let text): throw OptionArgument(option: name, text: text).unlike("true or false", example: "false")
    }
  }

  private func refuse(_ value: String?, of name: String) throws(UsageError) {
    if value != nil { throw UsageError("\(name) takes no value", suggestion: "write just \(name)") }
  }

  private func unknown(_ name: String, asWritten written: String? = nil) -> UsageError {
    // What follows the name was meant for something else: a header field or a URL, with its secrets.
    let shown = (written ?? name).prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    if ["http-accept-gzip", "compressed"].contains(shown.drop { $0 == "-" }) {
      return UsageError(
        "\(shown) is not possible: parts of a file cannot be told from parts of its compressed form",
        suggestion: "do without it")
    }
    let message = "unknown option '\(shown)\(shown.count < (written ?? name).count ? "…" : "")'"
    let kind = options.keys.filter { $0.hasPrefix("--") == name.hasPrefix("--") }
    guard let known = closest(to: name, among: kind.sorted()) else { return UsageError(message) }
    return UsageError(message, suggestion: "did you mean \(written == nil ? known : String(known.dropFirst(2)))?")
  }
}
