/// One option: its names, its line of help, and what it does to `Options`.
///
/// Parser, help, manual page and completions all read these, so that none can know an option that another does not.
struct Option<Options>: Sendable {
  /// What may follow the name.
  enum Form: Sendable {
    /// Nothing: `--quiet`.
    case flag(@Sendable (inout Options) -> Void)
    /// Nothing or, after an equals sign, a truth value: `--continue`, `--continue=false`.
    case toggle(@Sendable (Bool, inout Options) -> Void)
    /// A value: `--split 16`, `--split=16`, `-s16`, `-s 16`. The text stands for it in the help.
    case value(String, @Sendable (OptionArgument, inout Options) throws(UsageError) -> Void)
    /// Nothing; reading the command line ends here.
    case request(Request)
  }

  /// What is printed instead of doing any work.
  enum Request: Sendable {
    case help
    case version
  }

  /// Every spelling with its dashes; the short one, if any, comes first.
  let names: [String]
  let scope: OptionScope
  let group: OptionGroup
  let help: String
  let form: Form

  init(
    _ names: String..., scope: OptionScope = .download, group: OptionGroup, help: String, form: Form
  ) {
    self.init(names, scope: scope, group: group, help: help, form: form)
  }

  init(_ names: [String], scope: OptionScope, group: OptionGroup, help: String, form: Form) {
    self.names = names
    self.scope = scope
    self.group = group
    self.help = help
    self.form = form
  }
}

extension Option.Form {
  /// One of the values of an enumeration, which the help shows and shells complete.
  static func choice<Value>(_ type: Value.Type, _ apply: @escaping @Sendable (Value, inout Options) -> Void) -> Self
  where Value: CaseIterable & RawRepresentable<String> & SendableMetatype {
    .value(Value.allCases.map(\.rawValue).joined(separator: "|")) { argument, options throws(UsageError) in
      apply(try argument.choice(Value.self), &options)
    }
  }
}

/// What an option is about.
enum OptionScope: Sendable {
  /// One download: a list may give each its own.
  case download
  /// The whole run.
  case run
}

/// The headings of the help text, in their order.
enum OptionGroup: String, CaseIterable, Sendable {
  case list = "What is fetched"
  case file = "Where the file goes"
  case connections = "How it is fetched"
  case proof = "What it must be"
  case network = "The way to the server"
  case request = "What the server is told, and whom to trust"
  case failures = "When something fails"
  case automation = "What is run beside it, and written down"
  case report = "What is printed"
}
