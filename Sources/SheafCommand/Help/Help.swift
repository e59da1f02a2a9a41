/// The help texts, made from the descriptions of commands and topics.
enum Help {
  static let fetching = text(of: .fetching)

  /// What a command does, how it is called, and its options.
  static func text(of command: CommandDescription) -> String {
    let name = command.word.map { "sheaf \($0)" } ?? "sheaf"
    var parts: [String] = []
    if command.word == nil { parts.append("sheaf \(Version.number): \(command.summary).\n") }
    var usage = command.usage.map { "\(name) \($0)" }
    if command.word == nil {
      usage += CommandDescription.withWord.flatMap { other in other.usage.map { "sheaf \(other.word ?? "") \($0)" } }
    }
    parts.append(
      usage.enumerated().map { ($0.offset == 0 ? "Usage: " : "       ") + $0.element + "\n" }.joined())
    parts += command.explanation.map { $0.text(width: width) }
    parts += groups(of: command.options)
    parts += command.notes.map { $0.text(width: width) }
    if command.word == nil {
      parts.append(
        Paragraph.text("More: sheaf help \(Topic.allCases.map(\.rawValue).joined(separator: ", ")).").text(width: width)
      )
    }
    return parts.joined(separator: "\n")
  }

  /// What a topic is about.
  static func text(of topic: Topic) -> String {
    if topic == .options { return fetching }
    return ([topic.title + "\n"] + topic.paragraphs.map { $0.text(width: width) }).joined(separator: "\n")
  }

  private static let width = 108

  /// One paragraph for each group that has options.
  static func groups(of options: [OptionDescription]) -> [String] {
    OptionGroup.allCases.compactMap { group in
      let members = options.filter { $0.group == group }
      return members.isEmpty ? nil : "\(group.rawValue):\n" + members.map(line).joined()
    }
  }

  /// The names and, from a fixed column on, the help; on a line of its own when the names are long.
  private static func line(for option: OptionDescription) -> String {
    let column = 34
    var names = option.names.joined(separator: ", ")
    if option.shortName != nil, option.names.count > 1 { names = "  " + names } else { names = "      " + names }
    switch option.value {
    case .required(let placeholder): names += " \(placeholder)"
    case .truth: names += "[=true|false]"
    case .none: break
    }
    let gap =
      names.count + 2 <= column
      ? String(repeating: " ", count: column - names.count) : "\n" + String(repeating: " ", count: column)
    return "\(names)\(gap)\(option.help)\n"
  }
}
