extension Shell {
  static var zshCompletion: String {
    let commands = CommandDescription.withWord
    let described = commands.map { quoted("\($0.word ?? ""):\($0.summary)") }
    var text = """
      #compdef sheaf
      # Completion of sheaf for zsh. Made by: sheaf completion zsh
      _sheaf_commands() {
        local -a commands=(
          \(described.joined(separator: "\n    "))
        )
        _describe -t commands command commands
      }

      """
    for command in [CommandDescription.fetching] + commands {
      text += """

        _sheaf_\(command.word ?? "fetch")() {
          _arguments -s -S \\
            \((command.options.map(zshOption) + [zshOperands(command)]).joined(separator: " \\\n    "))
        }

        """
    }
    return text + """

      _sheaf() {
        if (( CURRENT > 2 )); then
          case $words[2] in
            \(commands.compactMap(\.word).joined(separator: "|")))
              local command=$words[2]
              shift words
              (( CURRENT-- ))
              _sheaf_$command
              return
              ;;
          esac
        fi
        if (( CURRENT == 2 )) && [[ $PREFIX != -* ]]; then _sheaf_commands; fi
        _sheaf_fetch
      }

      if [[ $funcstack[1] == _sheaf ]]; then _sheaf "$@"; else compdef _sheaf sheaf; fi

      """
  }

  /// One specification for each option; its names exclude each other unless it may be repeated.
  private static func zshOption(_ option: OptionDescription) -> String {
    let mayRepeat = option.help.contains("may be repeated")
    let group = mayRepeat ? "\\*" : quoted("(\(option.names.joined(separator: " ")))")
    let names = option.names.map { name -> String in
      switch option.value {
      case .none: name
      // Text right behind the name, with an equals sign for long ones, or the next word.
      case .required: name.hasPrefix("--") ? name + "=" : name + "+"
      case .truth: name.hasPrefix("--") ? name + "=-" : name
      }
    }
    let spelled = names.count > 1 ? "{\(names.joined(separator: ","))}" : names[0]
    let explanation = zshEscaped(option.help)
    let value: String
    switch option.value {
    case .none: value = ""
    case .truth: value = "::truth:(true false)"
    case .required(let placeholder):
      let message = zshEscaped(placeholder.replacing("'", with: ""))
      switch ValueHint(placeholder: placeholder) {
      case .files: value = ":\(message):_files"
      case .directories: value = ":\(message):_files -/"
      case .choices(let words): value = ":\(message):(\(words.joined(separator: " ")))"
      case .anything: value = ":\(message): "
      }
    }
    return "\(group)\(spelled)\(quoted("[\(explanation)]\(value)"))"
  }

  private static func zshOperands(_ command: CommandDescription) -> String {
    switch command.operands {
    case .choices(let words): quoted("*:word:(\(words.joined(separator: " ")))")
    default: quoted("*:operand:_files")
    }
  }

  private static func zshEscaped(_ text: String) -> String {
    var result = ""
    for character in text {
      if "[]:\\".contains(character) { result += "\\" }
      result.append(character)
    }
    return result
  }
}
