/// The command line of `sheaf-hostile`.
struct HostileOptions {
  struct UsageError: Error, CustomStringConvertible {
    let description: String
  }

  private(set) var showsHelp = false
  private(set) var lists = false
  private(set) var playsLarge = false
  private(set) var isVerbose = false
  private(set) var peer = "sheaf"
  private(set) var program: String?
  private(set) var filter: [String] = []
  private(set) var exceptions: [String] = []
  private(set) var json: String?
  private(set) var lanes = 4
  private(set) var seeds: [UInt64] = [1]
  private(set) var connections = [1, 4, 16]
  private(set) var starts = Start.allCases
  private(set) var isQuick = false

  static let help = """
    Usage: sheaf-hostile [OPTION]...
    Runs a downloader against every behaviour of the origin, and says what it did wrong. Ends with `N passed, N failed`.

      --peer NAME           sheaf (default), curl, wget, wget2, aria2c, axel or lftp
      --program FILE        its executable (default: sheaf beside this one, others from PATH)
      --filter TEXT         only scenarios whose name contains TEXT; may be repeated
      --except TEXT         no scenarios whose name contains TEXT; may be repeated
      --quick               the part that takes less than a minute
      --large               also files of 4 GiB, which take as much memory
      --starts LIST         fresh, resumed or both
      --connections LIST    counts of connections (default: 1,4,16)
      --seeds LIST          seeds (default: 1)
      --lanes N             runs at once (default: 4)
      --json FILE           write what came out, one object a line
      --verbose             print every run
      --list                print the runs and make none
      --help                show this

    """

  init(arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      if parts.count == 1, setFlag(argument) { continue }
      guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
        throw UsageError(description: "\(argument): unknown, or lacks its value")
      }
      try set(parts[0], to: value)
    }
    if isQuick {
      connections = connections.contains(4) ? [4] : Array(connections.prefix(1))
      seeds = Array(seeds.prefix(1))
    }
  }

  func selects(_ scenario: Scenario) -> Bool {
    if isQuick, scenario.behaviour.takesLong || Self.slow.contains(where: { scenario.name.hasPrefix($0) }) {
      return false
    }
    if exceptions.contains(where: { scenario.name.contains($0) }) { return false }
    return filter.isEmpty || filter.contains { scenario.name.contains($0) }
  }

  /// What waits for timeouts or backs off for seconds, or comes in dozens.
  private static let slow = [
    "always-5", "always-429", "stalls", "pauses", "hangs", "busy", "too-many", "retry-after", "closes-at-once",
    "content-disposition", "url-path", "escapes-in-retry", "B-44", "B-47", "B-52", "B-53", "B-61", "B-62", "B-64",
    "B-65",
    "B-80", "fails-3", "bad-gateway", "gateway", "one-byte-a", "closes-without", "chunked-cut", "content-length",
    "B-46",
    "B-67", "B-14", "B-76", "B-79", "header-line", "tls-truncated", "h2-closes", "forgets",
  ]

  private mutating func setFlag(_ option: String) -> Bool {
    switch option {
    case "--help", "-h": showsHelp = true
    case "--list": lists = true
    case "--quick": isQuick = true
    case "--large": playsLarge = true
    case "--verbose": isVerbose = true
    default: return false
    }
    return true
  }

  private mutating func set(_ option: String, to value: String) throws(UsageError) {
    let items = value.split(separator: ",").map(String.init)
    switch option {
    case "--peer": peer = value
    case "--program": program = value
    case "--filter": filter.append(value)
    case "--except": exceptions.append(value)
    case "--json": json = value
    case "--lanes": lanes = try Self.numbers(items, option).map(Int.init)[0]
    case "--seeds": seeds = try Self.numbers(items, option)
    case "--connections": connections = try Self.numbers(items, option).map(Int.init)
    case "--starts":
      starts = items.compactMap { Start(rawValue: $0) }
      guard starts.count == items.count, !starts.isEmpty else { throw UsageError(description: "\(option) \(value)") }
    default: throw UsageError(description: "unknown option \(option)")
    }
  }

  private static func numbers(_ items: [String], _ option: String) throws(UsageError) -> [UInt64] {
    let numbers = items.compactMap { UInt64($0) }
    guard numbers.count == items.count, numbers.allSatisfy({ 1...1_000_000 ~= $0 }), !numbers.isEmpty else {
      throw UsageError(description: "\(option): numbers above zero, with commas between them")
    }
    return numbers
  }
}
