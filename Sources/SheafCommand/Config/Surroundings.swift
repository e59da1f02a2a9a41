#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What counts besides a command line: the configuration file and the environment.
struct Surroundings: Sendable {
  private let environment: @Sendable (String) -> String?
  private let readsFiles: Bool

  /// Neither.
  static let none = Surroundings(environment: { _ in nil }, readsFiles: false)

  /// Those of the process.
  static let process = Surroundings(
    environment: { getenv($0).map { String(cString: $0) } }, readsFiles: true)

  init(environment: @escaping @Sendable (String) -> String?, readsFiles: Bool) {
    self.environment = environment
    self.readsFiles = readsFiles
  }

  /// The variable with arguments that come before those of the command line, with blanks between.
  static let argumentVariable = "SHEAF_OPTIONS"

  /// The layers below a command line; nil if there are none.
  func configuration(_ place: Configuration.Place, _ arguments: [String]) throws(UsageError) -> Configuration? {
    guard readsFiles else { return nil }
    let more = (environment(Self.argumentVariable) ?? "").split(whereSeparator: \.isWhitespace).map(String.init)
    var nothing = CommandOptions()
    do throws(UsageError) {
      guard case .operands([]) = try ArgumentParser(OptionTable.fetching).parse(more, into: &nothing) else {
        throw UsageError("there is a word that is no option", suggestion: "write options only, with = before values")
      }
    } catch {
      throw UsageError("\(Self.argumentVariable): \(error.message)", suggestion: error.suggestion)
    }
    let file = try Configuration.file(at: place, environment: environment)
    guard file != nil || !more.isEmpty else { return nil }
    return try Configuration(file?.0 ?? ConfigFile(), name: file?.name ?? "", arguments: more + arguments)
  }
}
