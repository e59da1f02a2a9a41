/// The command line of `sheaf-soak`.
struct SoakOptions: Sendable {
  struct UsageError: Error, CustomStringConvertible {
    let description: String
  }

  private(set) var showsHelp = false
  private(set) var isQuick = false
  private(set) var parts: [Part] = []
  /// How often, in place of each part's own number.
  private(set) var cycles: Int?
  /// No cycle begins after so many seconds of a part.
  private(set) var seconds: Double?
  private(set) var seed: UInt64 = 1
  private(set) var lanes: Int?

  static let help = """
    Usage: sheaf-soak [OPTION]...
    Long runs that look for what short tests do not find. Each ends with `NAME: N passed, N failed`.

      --only PART           one of these; may be repeated (default: all of them)
    \(Part.allCases.map { "      \($0.rawValue.padded(to: 22))\($0.summary)\n" }.joined())
      --quick               a small part of each, for the test suite
      --cycles N            how often, in place of the part's own number
      --seconds N           begin nothing new in a part after that long
      --seed N              where the dice begin (default: 1); cycle K of seed N is cycle 1 of seed N + K - 1
      --lanes N             how many at once, in place of the part's own number
      --help                show this

    """

  init(arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--help", "-h": showsHelp = true
      case "--quick": isQuick = true
      default:
        let pieces = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let value = pieces.count == 2 ? pieces[1] : rest.popFirst() else {
          throw UsageError(description: "\(argument): unknown, or lacks its value")
        }
        try set(pieces[0], to: value)
      }
    }
    if parts.isEmpty { parts = Part.allCases }
  }

  /// How often a part is to be done.
  func cycles(quick: Int, full: Int) -> Int { cycles ?? (isQuick ? quick : full) }

  private mutating func set(_ option: String, to value: String) throws(UsageError) {
    switch option {
    case "--only":
      guard let part = Part(rawValue: value) else { throw UsageError(description: "no part \(value)") }
      parts.append(part)
    case "--cycles": cycles = Int(try Self.number(option, value))
    case "--seconds": seconds = Double(try Self.number(option, value))
    case "--lanes": lanes = Int(try Self.number(option, value))
    case "--seed": seed = try Self.number(option, value)
    default: throw UsageError(description: "unknown option \(option)")
    }
  }

  private static func number(_ option: String, _ value: String) throws(UsageError) -> UInt64 {
    guard let number = UInt64(value), 1...1_000_000_000_000 ~= number else {
      throw UsageError(description: "\(option) \(value): not a number above zero")
    }
    return number
  }
}

extension String {
  func padded(to width: Int) -> String { self + String(repeating: " ", count: max(1, width - count)) }
}
