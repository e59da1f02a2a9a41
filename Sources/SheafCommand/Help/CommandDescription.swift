/// A command as help, manual page and completions show it.
struct CommandDescription: Sendable {
  /// The word after `sheaf`; nil for fetching, which has none.
  let word: String?
  /// What follows `sheaf`, a line for each way of calling it.
  let usage: [String]
  /// What it does, in half a sentence.
  let summary: String
  let explanation: [Paragraph]
  let options: [OptionDescription]
  /// What a shell can offer as operands.
  let operands: ValueHint
  /// What stands below the options.
  var notes: [Paragraph] = []

  static let fetching = CommandDescription(
    word: nil,
    usage: ["[options] URL...", "[options] -i LIST", "[options] FILE.meta4"],
    summary: "fetch large files over many connections, whole and verified or not at all",
    explanation: [.text("The same command again continues what was interrupted.")],
    options: OptionTable.fetching.map(\.description), operands: .files,
    notes: [
      .text(
        """
        A list has one URL a line. Lines below it that begin with a blank are options of that download alone, by \
        their long names: ' out=NAME', ' checksum=sha-256=HEX'. Lines that begin with # mean nothing.
        """),
      .text(
        """
        Sizes take K, M, G and T, each 1024 times the one before. The exit status is 0 when every file is complete, \
        otherwise that of the last error, with aria2's numbers: 3 not found, 6 network, 7 interrupted, 9 disk full, \
        28 usage, 32 checksum.
        """),
    ])

  static let inspecting = CommandDescription(
    word: "inspect", usage: ["FILE.sheaf [--json]"], summary: "show what an unfinished download has",
    explanation: [.text("Shows what the manifest of an unfinished download says.")],
    options: OptionTable.inspecting.map(\.description), operands: .files)

  static let verifying = CommandDescription(
    word: "verify", usage: ["[options] FILE..."], summary: "compare files with their digests",
    explanation: [
      .text(
        """
        Compares files with their digests. Without an option the digest is looked for beside the file: in FILE.sha256 \
        and the like, then in SHA256SUMS and the like. The exit status is 32 if a file has another one.
        """)
    ],
    options: OptionTable.verifying.map(\.description), operands: .files)

  static let repairing = CommandDescription(
    word: "repair", usage: ["[options] FILE URL..."], summary: "fetch only what is bad or missing in a file",
    explanation: [
      .text(
        """
        Keeps what is good in FILE, whatever has fetched it, and fetches the rest. FILE stays as it is until the whole \
        takes its place. What is good is known by the digests of its pieces (--metalink-file), or by what Sheaf noted; \
        else the control file of aria2, axel or lftp beside it, or FILE itself, is taken for a hint, and some blocks \
        are compared with the source: then the others are taken on trust, and the result says how many. Nothing is \
        changed if FILE is right already, or if nothing in it is what the source has. Further URLs are mirrors of the \
        first.
        """)
    ],
    options: OptionTable.repairing.map(\.description), operands: .files)

  static let probing = CommandDescription(
    word: "probe", usage: ["[options] URL..."], summary: "say what servers tell of files, and fetch none",
    explanation: [
      .text(
        """
        Asks about each file with one request, follows redirects, and says how long the file is, whether it can be had \
        in parts, what identifies it, which digests the server offers and what other places it names. Nothing is \
        written. The exit status is what that of a download would be. The options are those of a download: sheaf \
        --dry-run does the same.
        """)
    ],
    options: OptionTable.fetching.map(\.description), operands: .files)

  static let reporting = CommandDescription(
    word: "status", usage: ["[--json] [DIR...]"], summary: "list what is unfinished in directories",
    explanation: [
      .text(
        """
        Lists the unfinished downloads in the directories, by default in the working directory: how much of each is \
        there, with a picture of its blocks (# there, + partly, . missing), and where it comes from.
        """)
    ],
    options: OptionTable.reporting.map(\.description), operands: .directories)

  static let completing = CommandDescription(
    word: "completion", usage: ["bash|zsh|fish"], summary: "print a script that completes command lines",
    explanation: [
      .text("Prints a script with which a shell completes the command's options, their values and file names."),
      .example(["source <(sheaf completion bash)", "sheaf completion fish > ~/.config/fish/completions/sheaf.fish"]),
    ],
    options: [.help], operands: .choices(Shell.allCases.map(\.rawValue)))

  static let helping = CommandDescription(
    word: "help", usage: ["[TOPIC|COMMAND|--man]"], summary: "explain a topic or a command",
    explanation: [
      .text("Explains a topic or a command. With --man, prints the manual page (sheaf help --man | man -l -)."),
      .terms(Topic.allCases.map { Paragraph.Term($0.rawValue, $0.title) }),
    ],
    options: [
      OptionDescription(
        names: ["--man"], scope: .run, group: .report, help: "Print the manual page as roff", value: .none),
      .help,
    ], operands: .choices(Topic.allCases.map(\.rawValue) + Subcommand.allCases.map(\.rawValue)))

  /// Those that begin with a word.
  static var withWord: [CommandDescription] { Subcommand.allCases.map(\.description) }

  /// The options that fetching does not have, or explains otherwise.
  var ownOptions: [OptionDescription] {
    let shared = Self.fetching.options
    return options.filter { option in !shared.contains { $0.names == option.names && $0.help == option.help } }
  }
}

extension OptionDescription {
  fileprivate static let help = OptionDescription(
    names: ["-h", "--help"], scope: .run, group: .report, help: "Print this help", value: .none)
}
