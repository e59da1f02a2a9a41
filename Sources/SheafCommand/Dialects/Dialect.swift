/// The command line of another program, for scripts that call it: under its name, `sheaf` takes the arguments in common use
/// and says so where one means nothing to it.
struct Dialect: Sendable {
  /// A text that is asked for instead of any work.
  enum Request: Sendable {
    case help
    case version
  }

  /// The other program.
  enum Program: String, CaseIterable, Sendable {
    case aria2c
    case curl
    case wget
    case axel
  }

  let program: Program
  let options: [ForeignOption]
  /// What the other program does without being asked.
  let defaults: [String]
  /// The first line of its version, as far as callers look at it.
  let version: String
  /// The number of each exit status.
  let number: @Sendable (ExitStatus) -> Int32

  /// The one that this process was called to speak.
  static let ofProcess = CommandLine.arguments.first.flatMap { named($0) }

  /// The dialect for a program called by this path, if its name, or the part after the last dash, is that of one.
  static func named(_ path: String) -> Dialect? {
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    guard
      let program = Program(rawValue: name)
        ?? name.split(separator: "-").last.flatMap({ Program(rawValue: String($0)) })
    else { return nil }
    return of(program)
  }

  static func of(_ program: Program) -> Dialect {
    switch program {
    case .aria2c: aria2
    case .curl: curl
    case .wget: wget
    case .axel: axel
    }
  }
}

/// What a command line of another program comes to.
enum Translation: Equatable, Sendable {
  case print(String)
  /// The arguments for `sheaf`, and what is to be said about those that mean nothing to it.
  case arguments([String], notices: [String])
}

extension Dialect {
  /// Reads the arguments after the program's name, as getopt_long does.
  /// - Parameter knows: whether `sheaf` has a long option of this name.
  /// - Throws: a usage error for what is not supported, which names it.
  func translate(
    _ arguments: [String], knows: (String) -> Bool = { Dialect.known.contains($0) }
  ) throws(UsageError) -> Translation {
    var reader = Reader(self, arguments, knows)
    return try reader.read()
  }

  /// The long options of `sheaf`.
  static let known = Set(OptionTable.fetching.flatMap(\.names))

  private struct Reader {
    private let dialect: Dialect
    private let options: [String: ForeignOption]
    private let known: Set<String>
    private var rest: ArraySlice<String>
    private var words: [String] = []
    private var operands: [String] = []
    private var notices: [String] = []

    init(_ dialect: Dialect, _ arguments: [String], _ knows: (String) -> Bool) {
      self.dialect = dialect
      rest = arguments[...]
      options = Dictionary(
        dialect.options.flatMap { option in option.names.map { ($0, option) } }, uniquingKeysWith: { first, _ in first }
      )
      known = Set(
        dialect.options.compactMap { option in
          switch option.meaning {
          case .same(let name), .sameOr(let name, _): knows(name) ? name : nil
          default: nil
          }
        })
    }

    mutating func read() throws(UsageError) -> Translation {
      while let argument = rest.popFirst() {
        if argument == "--" {
          operands += rest
          break
        } else if argument.hasPrefix("--") {
          if let request = try long(argument) { return .print(request) }
        } else if argument.hasPrefix("-"), argument != "-" {
          if let request = try letters(argument) { return .print(request) }
        } else {
          operands.append(argument)
        }
      }
      return .arguments(dialect.defaults + words + ["--"] + operands, notices: notices)
    }

    private mutating func long(_ argument: String) throws(UsageError) -> String? {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard let option = options[parts[0]] else { throw unsupported(parts[0]) }
      let value = parts.dropFirst().first
      switch option.form {
      case .flag:
        guard value == nil else { throw UsageError("\(parts[0]) takes no value", suggestion: "write just \(parts[0])") }
        return try apply(option, parts[0], nil)
      case .toggle:
        guard ["true", "false", nil].contains(value) else {
          throw UsageError("\(parts[0]) needs true or false", suggestion: "write \(parts[0])=false")
        }
        return try apply(option, parts[0], value ?? "true")
      case .value:
        let text = if let value { value } else { try next(parts[0]) }
        return try apply(option, parts[0], text)
      }
    }

    /// A bundle such as `-x16`, `-qc` or `-nv`, which is one option of two letters where the program has one.
    private mutating func letters(_ argument: String) throws(UsageError) -> String? {
      var letters = argument.dropFirst()
      while !letters.isEmpty {
        let pair = "-\(letters.prefix(2))"
        let name = letters.count > 1 && options[pair] != nil ? pair : "-\(letters.prefix(1))"
        letters = letters.dropFirst(name.count - 1)
        guard let option = options[name] else { throw unsupported(name) }
        switch option.form {
        case .flag: if let request = try apply(option, name, nil) { return request }
        case .toggle: if let request = try apply(option, name, "true") { return request }
        case .value: return try apply(option, name, letters.isEmpty ? try next(name) : String(letters))
        }
      }
      return nil
    }

    private mutating func apply(
      _ option: ForeignOption, _ name: String, _ value: String?
    ) throws(UsageError) -> String? {
      switch option.meaning {
      case .same(let own):
        guard known.contains(own) else { throw unsupported(name) }
        words.append(value.map { "\(own)=\($0)" } ?? own)
      case .sameOr(let own, let text):
        if known.contains(own) {
          words.append(value.map { "\(own)=\($0)" } ?? own)
        } else if value != "false" {
          notices.append("\(name) has no effect: \(text)")
        }
      case .arguments(let arguments): words += arguments
      case .made(let make):
        guard let arguments = make(value ?? "") else {
          throw UsageError("\(name) is not supported with this value", suggestion: "see sheaf help dialects")
        }
        words += arguments
      case .nothing: break
      case .notice(let text): notices.append("\(name) has no effect: \(text)")
      case .request(.help): return Help.fetching
      case .request(.version): return dialect.version + "\n"
      }
      return nil
    }

    private mutating func next(_ name: String) throws(UsageError) -> String {
      guard let value = rest.popFirst() else { throw UsageError("\(name) needs a value") }
      return value
    }

    private func unsupported(_ name: String) -> UsageError {
      let shown = name.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
      return UsageError(
        "\(dialect.program.rawValue)'s option \(shown) is not supported", suggestion: "see sheaf help dialects")
    }
  }
}
