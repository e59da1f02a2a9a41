extension Shell {
  /// Needs nothing but bash itself, whose word breaks take `--name=value` apart.
  static var bashCompletion: String {
    let commands = CommandDescription.withWord
    let words = commands.compactMap(\.word)
    return """
      # Completion of sheaf for bash. Made by: sheaf completion bash
      _sheaf() {
        local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command= options= kind=operand words=
        COMPREPLY=()
        if [[ $cur == '=' ]]; then
          cur=
        elif [[ $prev == '=' ]]; then
          prev=${COMP_WORDS[COMP_CWORD-2]}
        fi
        if (( COMP_CWORD > 1 )); then
          case ${COMP_WORDS[1]} in
            \(words.joined(separator: "|"))) command=${COMP_WORDS[1]} ;;
          esac
        fi
        case $command in
      \(([CommandDescription.fetching] + commands).map(bashCase).joined())\
        esac
        if [[ $kind == operand && $cur == -* ]]; then
          mapfile -t COMPREPLY < <(compgen -W "$options" -- "$cur")
          return
        fi
        if (( COMP_CWORD == 1 )); then words="\(words.joined(separator: " "))"; fi
        case $kind in
          none) return ;;
          directory) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$cur") ;;
          choice) mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur") ;;
          *)
            compopt -o filenames 2>/dev/null
            mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur"; compgen -f -- "$cur")
            ;;
        esac
      }
      complete -F _sheaf sheaf

      """
  }

  private static func bashCase(_ command: CommandDescription) -> String {
    let names = command.options.flatMap(\.names).joined(separator: " ")
    var arms: [(names: String, action: String)] = []
    for option in command.options {
      guard let hint = option.hint else { continue }
      arms.append((option.names.joined(separator: "|"), bashKind(hint)))
    }
    var text = "    \(command.word ?? "''"))\n      options=\"\(names)\"\n"
    if case .choices(let words) = command.operands {
      text += "      kind=operand words=\"\(words.joined(separator: " "))\"\n"
    }
    if !arms.isEmpty {
      text += "      case $prev in\n"
      for arm in arms { text += "        \(arm.names)) \(arm.action) ;;\n" }
      text += "      esac\n"
    }
    return text + "      ;;\n"
  }

  private static func bashKind(_ hint: ValueHint) -> String {
    switch hint {
    case .files: "kind=file"
    case .directories: "kind=directory"
    case .choices(let words): "kind=choice words=\"\(words.joined(separator: " "))\""
    case .anything: "kind=none"
    }
  }
}
