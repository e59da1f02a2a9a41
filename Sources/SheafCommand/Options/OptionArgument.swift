import Sheaf
import SheafCore

/// The value given to an option, with the spelling under which it was given.
///
/// Each way of reading it throws a `UsageError` that names that spelling.
struct OptionArgument {
  /// The option as typed: `-x` or `--split`; in a list `split`.
  let option: String
  let text: String
  /// Whether it stands in a list, which may have come from somebody else.
  var isInList = false

  /// A usage error that says what was expected and gives an example.
  func unlike(_ expected: String, example: String) -> UsageError {
    UsageError("\(option) needs \(expected), not '\(printable(text))'", suggestion: "try \(spelled(example))")
  }

  /// The same for values that may hold a secret: the value itself is not repeated.
  func unlikeSecret(_ expected: String, example: String) -> UsageError {
    UsageError("\(option) needs \(expected)", suggestion: "try \(spelled(example))")
  }

  private func spelled(_ example: String) -> String {
    let isLetter = option.hasPrefix("-") && !option.hasPrefix("--")
    return isLetter ? "\(option) \(example)" : "\(option)=\(example)"
  }
}

extension OptionArgument {
  /// A path; only the empty one is refused.
  func path(example: String) throws(UsageError) -> String {
    guard !text.isEmpty else { throw unlike("a path", example: example) }
    return text
  }

  /// The path of a Metalink document, which no server is asked for.
  func metalinkPath() throws(UsageError) -> String {
    guard !text.contains("://") else {
      throw UsageError("\(option) reads no document from a server", suggestion: "fetch it first and give its path")
    }
    return try path(example: "big.iso.meta4")
  }

  /// One of the values of an enumeration.
  func choice<Value>(_ type: Value.Type) throws(UsageError) -> Value
  where Value: CaseIterable & RawRepresentable<String> {
    guard let value = Value(rawValue: text) else {
      let known = Value.allCases.map(\.rawValue)
      throw unlike("one of \(known.joined(separator: ", "))", example: known.first ?? "")
    }
    return value
  }

  /// The digest the file must have.
  func checksum() throws(UsageError) -> Checksum {
    do {
      return try Checksum(parsing: text)
    } catch {
      throw UsageError("\(option): \(error.message)", suggestion: error.suggestion ?? "see sheaf --help")
    }
  }
}
