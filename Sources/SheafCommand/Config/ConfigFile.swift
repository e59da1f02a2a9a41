/// What a configuration file says: options of every run, and of downloads from some hosts.
struct ConfigFile: Equatable, Sendable {
  /// One line, `name=value` or `name`.
  struct Setting: Equatable, Sendable {
    let text: String
    let line: Int

    /// What stands before the equals sign.
    var name: Substring { text.prefix { $0 != "=" } }
  }

  /// The options of downloads from some hosts.
  struct Profile: Equatable, Sendable {
    let hosts: HostPattern
    var settings: [Setting]
  }

  private(set) var settings: [Setting] = []
  private(set) var profiles: [Profile] = []

  init() {}

  /// Reads the text; what the options mean is not looked at.
  /// - Throws: a problem of a line, which repeats nothing that may be secret.
  init(parsing bytes: [UInt8]) throws(ListProblem) {
    var line = 0
    for bytes in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      line += 1
      guard let raw = String(validating: bytes, as: UTF8.self) else {
        throw ListProblem(line: line, "the line is not UTF-8", suggestion: "is this a configuration of sheaf?")
      }
      let text = Self.trimmed(raw[...])
      if text.isEmpty || text.hasPrefix("#") { continue }
      if text.hasPrefix("[") {
        profiles.append(Profile(hosts: try Self.section(text, line: line), settings: []))
        continue
      }
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let setting = Setting(text: parts.map { String(Self.trimmed($0)) }.joined(separator: "="), line: line)
      if profiles.isEmpty { settings.append(setting) } else { profiles[profiles.count - 1].settings.append(setting) }
    }
  }

  /// The profiles for a host, those for many hosts first, so that those for fewer count more.
  func profiles(for host: String) -> [Profile] {
    let fitting = profiles.filter { $0.hosts.includes(host) }
    return fitting.enumerated().sorted {
      ($0.element.hosts.rank, $0.offset) < ($1.element.hosts.rank, $1.offset)
    }.map(\.element)
  }

  /// `[host example.org]`, `[example.org]` or `[*.example.org]`.
  private static func section(_ text: Substring, line: Int) throws(ListProblem) -> HostPattern {
    guard text.hasSuffix("]") else {
      throw ListProblem(line: line, "the section has no end", suggestion: "write [host NAME]")
    }
    var name = trimmed(text.dropFirst().dropLast())
    if name == "host" || name.hasPrefix("host ") { name = trimmed(name.dropFirst(4)) }
    guard let hosts = HostPattern(name) else {
      throw ListProblem(
        line: line, "the section names no host", suggestion: "write [host example.org] or [host *.example.org]")
    }
    return hosts
  }

  private static func trimmed(_ text: Substring) -> Substring {
    let isBlank = { (character: Character) in character == " " || character == "\t" || character == "\r" }
    let start = text.drop(while: isBlank)
    guard let last = start.lastIndex(where: { !isBlank($0) }) else { return "" }
    return start[...last]
  }
}

/// A host, or with `*.` all below a domain, but not the domain itself.
struct HostPattern: Equatable, Sendable {
  private let name: String
  private let isBelow: Bool

  /// Nil if it is neither.
  init?(_ text: Substring) {
    isBelow = text.hasPrefix("*.")
    name = (isBelow ? text.dropFirst(2) : text).lowercased()
    let isHost = name.utf8.allSatisfy { byte in
      (97...122).contains(byte) || (48...57).contains(byte) || "-._:[]".utf8.contains(byte)
    }
    guard !name.isEmpty, isHost, name.utf8.first != UInt8(ascii: ".") else { return nil }
  }

  func includes(_ host: String) -> Bool {
    let host = host.lowercased()
    return isBelow ? host.hasSuffix(".\(name)") : host == name
  }

  /// Greater for patterns that fewer hosts fit.
  var rank: Int { isBelow ? name.utf8.count : .max }
}
