/// The manual page `sheaf(1)` in roff's man macros, made from the descriptions that `--help` is made from.
enum ManualPage {
  static var text: String {
    let fetching = CommandDescription.fetching
    var lines = [".TH SHEAF 1 \"\" \"Sheaf \(Version.number)\" \"User Commands\"", ".SH NAME"]
    lines.append("sheaf \\- \(escaped(fetching.summary))")
    lines.append(".SH SYNOPSIS")
    lines.append(".nf")
    for command in [fetching] + CommandDescription.withWord {
      for usage in command.usage {
        lines.append("\\fBsheaf\(command.word.map { " " + escaped($0) } ?? "")\\fR \(escaped(usage))")
      }
    }
    lines.append(".fi")
    lines += section("DESCRIPTION", fetching.explanation + fetching.notes)
    lines.append(".SH OPTIONS")
    lines += groups(of: fetching.options)
    lines.append(".SH COMMANDS")
    for command in CommandDescription.withWord {
      for usage in command.usage.prefix(1) {
        lines.append(".SS sheaf \(escaped("\(command.word ?? "") \(usage)"))")
      }
      lines += command.explanation.flatMap(roff)
      lines += command.ownOptions.flatMap(item)
      if command.options.count > command.ownOptions.count + 3 {
        lines += roff(
          .text(
            "Of the options above, those count that make sense for one file: see sheaf \(command.word ?? "") --help."))
      }
    }
    for topic in Topic.allCases where topic != .options {
      lines += section(topic.title.uppercased(), topic.paragraphs)
    }
    lines += [".SH SEE ALSO", ".BR curl (1),", ".BR aria2c (1),", ".BR sha256sum (1)"]
    return lines.map { $0 + "\n" }.joined()
  }

  private static func section(_ title: String, _ paragraphs: [Paragraph]) -> [String] {
    [".SH \(escaped(title))"] + paragraphs.flatMap(roff)
  }

  private static func groups(of options: [OptionDescription]) -> [String] {
    OptionGroup.allCases.flatMap { group -> [String] in
      let members = options.filter { $0.group == group }
      return members.isEmpty ? [] : [".SS \(escaped(group.rawValue))"] + members.flatMap(item)
    }
  }

  private static func item(_ option: OptionDescription) -> [String] {
    var term = option.names.map { "\\fB\(escaped($0))\\fR" }.joined(separator: ", ")
    switch option.value {
    case .required(let placeholder): term += " \\fI\(escaped(placeholder))\\fR"
    case .truth: term += "[=\\fBtrue\\fR|\\fBfalse\\fR]"
    case .none: break
    }
    return [".TP", term, line(option.help)]
  }

  private static func roff(_ paragraph: Paragraph) -> [String] {
    switch paragraph {
    case .text(let text): [".PP", line(text)]
    case .example(let lines): [".PP", ".RS 4", ".nf"] + lines.map(line) + [".fi", ".RE"]
    case .terms(let terms): terms.flatMap { [".TP", "\\fB\(escaped($0.name))\\fR", line($0.meaning)] }
    }
  }

  /// Text as a line of its own, which must not look like a request.
  private static func line(_ text: String) -> String {
    let escaped = escaped(text)
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
  }

  /// Every character as it is, whatever roff would make of it: hyphens stay hyphens when they are copied.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      case "\"": result += "\\(dq"
      case "\n": result += " "
      default: result.append(character)
      }
    }
    return result
  }
}
