import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@testable import SheafCommand

/// Each script runs in its own shell; a shell that is not there is one of the packages that `make test` installs.
@Suite("Completion")
struct ShellTests {
  @Test("every shell's script has every option of every command", arguments: Shell.allCases)
  func complete(shell: Shell) throws {
    guard case .print(let script) = try Invocation(parsing: ["completion", shell.rawValue]) else {
      Issue.record("prints nothing")
      return
    }
    for command in HelpTests.commands {
      for name in command.options.flatMap(\.names) {
        let spelled =
          shell != .fish ? name : name.hasPrefix("--") ? "-l \(name.dropFirst(2)) " : "-s \(name.dropFirst()) "
        #expect(script.contains(spelled), "\(name)")
      }
    }
  }

  @Test("another shell is refused", arguments: [["completion"], ["completion", "tcsh"], ["completion", "bash", "x"]])
  func unknown(arguments: [String]) {
    let error = #expect(throws: UsageError.self) { try Invocation(parsing: arguments) }
    #expect(error?.message.contains("bash, zsh, fish") == true)
  }

  /// What bash offers for the last word.
  private func bash(_ words: [String], in directory: TemporaryDirectory) async throws -> Set<String> {
    try directory.write(Shell.bash.completion, to: "completion")
    let script = """
      source ./completion
      COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
      _sheaf
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let run = await (try ChildProcess("bash", ["-c", script, "bash"] + words, directory: directory.path)).result()
    #expect(run.status == .exited(0) && run.errors == "", "\(run.errors)")
    return Set(run.output.split(separator: "\n").map(String.init))
  }

  @Test("bash completes commands, options, values and files")
  func inBash() async throws {
    let directory = try TemporaryDirectory()
    try directory.write("", to: "a b.txt")
    try #require(mkdir(directory.file("deep"), 0o700) == 0)
    func offers(_ words: String...) async throws -> Set<String> { try await bash(["sheaf"] + words, in: directory) }
    #expect(try await offers("ver") == ["verify"])
    #expect(try await offers("--max-tr") == ["--max-tries"])
    #expect(try await offers("--fsync-policy", "") == ["full", "checkpoint", "off"])
    #expect(try await offers("http://h/", "--verify", "=", "r") == ["require"])
    #expect(try await offers("-x", "=") == [])
    #expect(try await offers("-d", "d") == ["deep"])
    #expect(try await offers("-i", "a") == ["a b.txt"])
    #expect(try await offers("verify", "a") == ["a b.txt"])
    #expect(try await offers("verify", "--ch") == ["--checksum", "--checksum-file"])
    #expect(try await offers("completion", "").isSuperset(of: ["bash", "zsh", "fish"]))
    #expect(try await offers("help", "exit") == ["exit-statuses"])
  }

  @Test("zsh reads its script and knows the function")
  func inZsh() async throws {
    let directory = try TemporaryDirectory()
    try directory.write(Shell.zsh.completion, to: "_sheaf")
    // What `_arguments` makes of the specifications shows only while a line is edited: a line editor in a terminal of its
    // own, asked for a list.
    let script = """
      zmodload zsh/zpty
      zpty z zsh -f -i
      zpty -w z "PS1=; fpath=($PWD \\$fpath); autoload -Uz compinit; compinit -u -d $PWD/dump; echo re''ady"
      zpty -r -m z line '*ready*'
      zpty -n -w z $'sheaf --max-tr\\t7 ; echo fin\\'\\'ished\\n'
      zpty -r -m z line '*finished*'
      print -r -- $line
      """
    let run = await (try ChildProcess("zsh", ["-f", "-c", script], directory: directory.path)).result()
    #expect(run.output.contains("--max-tries"), "\(run.output) \(run.errors)")
  }

  @Test("fish completes options, values and commands")
  func inFish() async throws {
    let directory = try TemporaryDirectory()
    try directory.write(Shell.fish.completion, to: "sheaf.fish")
    func offers(_ line: String) async throws -> [Substring] {
      let script = "source sheaf.fish; complete -C '\(line)'"
      let run = await
        (try ChildProcess(
          "fish", ["--no-config", "-c", script], environment: ["HOME": directory.path], directory: directory.path))
        .result()
      #expect(run.status == .exited(0) && run.errors == "", "\(run.errors)")
      return run.output.split(separator: "\n").map { $0.prefix { $0 != "\t" } }
    }
    #expect(try await offers("sheaf --max-tr") == ["--max-tries"])
    #expect(try await Set(offers("sheaf --fsync-policy ")) == ["full", "checkpoint", "off"])
    #expect(try await offers("sheaf verif") == ["verify"])
    #expect(try await offers("sheaf repair --samp") == ["--samples"])
  }

  @Test("the manual page has no warnings")
  func manual() async throws {
    let directory = try TemporaryDirectory()
    try directory.write(ManualPage.text, to: "sheaf.1")
    let run = await
      (try ChildProcess(
        "man", ["--warnings=w", "-l", "sheaf.1"], environment: ["LC_ALL": "C.UTF-8", "MANWIDTH": "100"],
        directory: directory.path)).result()
    #expect(run.status == .exited(0) && run.errors == "", "\(run.errors)")
    #expect(run.output.contains("--max-connection-per-server N") && run.output.contains("EXIT STATUS"))
  }
}
