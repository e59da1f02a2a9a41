extension Shell {
  static var fishCompletion: String {
    let commands = CommandDescription.withWord
    let words = commands.compactMap(\.word).joined(separator: " ")
    var lines = [
      "# Completion of sheaf for fish. Made by: sheaf completion fish",
      "function __sheaf_command",
      "  set -l tokens (commandline -opc)",
      "  test (count $tokens) -gt 1; and contains -- $tokens[2] \(words); and echo $tokens[2]; or echo fetch",
      "end",
    ]
    let isFirst = "test (count (commandline -opc)) -eq 1"
    for command in commands {
      lines.append(
        "complete -c sheaf -n \(quoted(isFirst)) -a \(command.word ?? "") -d \(quoted(command.summary))")
    }
    for command in [CommandDescription.fetching] + commands {
      let condition = quoted("test (__sheaf_command) = \(command.word ?? "fetch")")
      if case .choices(let words) = command.operands {
        lines.append("complete -c sheaf -n \(condition) -f -a \(quoted(words.joined(separator: " ")))")
      }
      lines += command.options.map { "complete -c sheaf -n \(condition) \(fishOption($0))" }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func fishOption(_ option: OptionDescription) -> String {
    var parts = option.names.map { name in
      name.hasPrefix("--") ? "-l \(name.dropFirst(2))" : "-s \(name.dropFirst())"
    }
    switch option.hint {
    case nil: break
    case .files: parts.append("-r -F")
    case .directories: parts.append("-x -a '(__fish_complete_directories)'")
    case .choices(let words): parts.append("-x -a \(quoted(words.joined(separator: " ")))")
    case .anything: parts.append("-x")
    }
    return (parts + ["-d", quoted(option.help)]).joined(separator: " ")
  }
}
