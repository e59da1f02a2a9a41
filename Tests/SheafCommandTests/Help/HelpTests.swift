import Testing

@testable import SheafCommand

@Suite("What is made from the option table")
struct HelpTests {
  static let commands = [CommandDescription.fetching] + CommandDescription.withWord

  @Test("the help of every command has every name of every option and fits 110 columns", arguments: commands.indices)
  func help(index: Int) {
    let command = Self.commands[index]
    let lines = Help.text(of: command).split(separator: "\n")
    for option in command.options {
      #expect(lines.contains { $0.contains(option.names.joined(separator: ", ")) }, "\(option.names)")
      #expect(lines.contains { $0.hasSuffix(option.help) }, "\(option.names)")
    }
    #expect(lines.allSatisfy { $0.count <= 110 })
  }

  @Test("every command has help, by its own option and by its name", arguments: Subcommand.allCases)
  func commandHelp(subcommand: Subcommand) throws {
    let expected = Help.text(of: subcommand.description)
    for arguments in [[subcommand.rawValue, "--help"], ["help", subcommand.rawValue]] {
      guard case .print(let text) = try Invocation(parsing: arguments) else {
        Issue.record("\(arguments) prints nothing")
        continue
      }
      #expect(text == expected)
    }
    #expect(Help.fetching.contains("sheaf \(subcommand.rawValue)"))
  }

  @Test("every topic says something, within the width", arguments: Topic.allCases)
  func topics(topic: Topic) throws {
    guard case .print(let text) = try Invocation(parsing: ["help", topic.rawValue]) else {
      Issue.record("prints nothing")
      return
    }
    #expect(text.split(separator: "\n").count > 3)
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 110 })
    #expect(Help.fetching.contains(topic.rawValue))
  }

  @Test("the exit statuses are all explained")
  func statuses() {
    let text = Help.text(of: .exitStatuses)
    for status in ExitStatus.allCases {
      #expect(
        text.contains("\(status.rawValue) ") && text.contains(status.meaning.prefix(30)) && text.contains(status.name))
    }
  }

  @Test("a topic that does not exist is refused with what does", arguments: [["help", "list"], ["help", "a", "b"]])
  func unknownTopic(arguments: [String]) {
    let error = #expect(throws: UsageError.self) { try Invocation(parsing: arguments) }
    #expect(error?.suggestion.contains("lists") == true)
  }

  @Test("the manual page has every option, every command and every topic")
  func manual() {
    let page = ManualPage.text
    for command in Self.commands {
      for option in command == CommandDescription.fetching ? command.options : command.ownOptions {
        for name in option.names {
          #expect(page.contains("\\fB\(name.replacing("-", with: "\\-"))\\fR"), "\(name)")
        }
      }
      #expect(page.contains("sheaf \(command.word ?? "")"))
    }
    for topic in Topic.allCases { #expect(page.contains(".SH \(topic.title.uppercased())")) }
  }

  @Test("an own option is one that fetching explains otherwise")
  func own() {
    #expect(CommandDescription.repairing.ownOptions.map(\.names[0]) == ["-o", "-M", "--samples"])
    #expect(CommandDescription.fetching.ownOptions.isEmpty)
  }

  @Test("the word for a value says what a shell can offer")
  func hints() {
    #expect(ValueHint(placeholder: "FILE") == .files)
    #expect(ValueHint(placeholder: "FILE|URL") == .files)
    #expect(ValueHint(placeholder: "DIR") == .directories)
    #expect(ValueHint(placeholder: "full|checkpoint|off") == .choices(["full", "checkpoint", "off"]))
    #expect(ValueHint(placeholder: "N") == .anything && ValueHint(placeholder: "auto") == .anything)
  }

  @Test("every choice that the help names is taken")
  func choices() throws {
    for option in CommandDescription.fetching.options {
      guard case .choices(let words) = option.hint else { continue }
      for word in words { _ = try fetchOptions(["\(option.names.last ?? "")=\(word)", "http://h/f"]) }
    }
  }
}

extension CommandDescription {
  static func == (one: Self, other: Self) -> Bool { one.word == other.word }
}
