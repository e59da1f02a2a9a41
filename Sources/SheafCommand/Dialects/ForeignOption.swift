/// An option of another program, and what stands for it here.
struct ForeignOption: Sendable {
  /// What the other program expects after the name.
  enum Form: Sendable {
    case flag
    case value
    /// Nothing or, after an equals sign, `true` or `false`.
    case toggle
  }

  /// What is done with it.
  enum Meaning: Sendable {
    /// The option of that long name, with the same value.
    case same(String)
    /// The same where there is such an option; else nothing, for which there is a word unless the value is `false`.
    case sameOr(String, String)
    /// These arguments.
    case arguments([String])
    /// These, made from the value; nil for a value that has no meaning here.
    case made(@Sendable (String) -> [String]?)
    /// Nothing: what it asks for is so in any case, or has no meaning here.
    case nothing
    /// Nothing, for which there is a word; it may matter to somebody.
    case notice(String)
    /// A text is asked for.
    case request(Dialect.Request)
  }

  let names: [String]
  let form: Form
  let meaning: Meaning

  init(_ names: String..., form: Form = .value, means meaning: Meaning) {
    self.names = names
    self.form = form
    self.meaning = meaning
  }

  /// Each of these names means nothing.
  static func nothing(_ form: Form, _ names: String...) -> [ForeignOption] {
    names.map { ForeignOption($0, form: form, means: .nothing) }
  }

  /// Each of these names has an option of the same name.
  static func same(_ form: Form, _ names: String...) -> [ForeignOption] {
    names.map { ForeignOption("--\($0)", form: form, means: .same("--\($0)")) }
  }
}
