/// An option as help, manual page and completions show it: all but what it does.
struct OptionDescription: Equatable, Sendable {
  /// What may follow the name.
  enum Value: Equatable, Sendable {
    case none
    /// `=true` or `=false`, or nothing.
    case truth
    /// A value; the text stands for it.
    case required(String)
  }

  /// Every spelling with its dashes; the short one, if any, comes first.
  let names: [String]
  let scope: OptionScope
  let group: OptionGroup
  let help: String
  let value: Value

  var shortName: String? { names.first { !$0.hasPrefix("--") } }
  var longNames: [String] { names.filter { $0.hasPrefix("--") } }

  /// What a shell can offer as its value; nil where none follows as a word of its own.
  var hint: ValueHint? {
    if case .required(let placeholder) = value { ValueHint(placeholder: placeholder) } else { nil }
  }
}

extension Option {
  var description: OptionDescription {
    let value: OptionDescription.Value =
      switch form {
      case .flag, .request: .none
      case .toggle: .truth
      case .value(let placeholder, _): .required(placeholder)
      }
    return OptionDescription(names: names, scope: scope, group: group, help: help, value: value)
  }
}
