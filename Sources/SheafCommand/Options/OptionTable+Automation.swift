import Sheaf

extension OptionTable {
  /// The options by which other programs take part, and runs go on with what earlier ones left.
  static let automation: [Option<CommandOptions>] =
    [
      Option(
        "--save-session", scope: .run, group: .automation,
        help: "Write what is not finished as a list, for -i the next time",
        form: .value("FILE") { argument, options throws(UsageError) in
          options.sessionFile = try argument.path(example: "session.txt")
        }),
      Option(
        "--save-session-interval", scope: .run, group: .automation,
        help: "Write it this often, not only in the end (default 0: only then)",
        form: .value("SECONDS") { argument, options throws(UsageError) in
          options.sessionInterval = try argument.seconds(atLeast: .zero, example: "60")
        }),
      Option(
        "--gid", group: .automation, help: "What hooks and the session call the download, 16 hexadecimal digits",
        form: .value("GID") { argument, options throws(UsageError) in
          guard let gid = GID(argument.text) else {
            throw argument.unlike("16 hexadecimal digits, not all zero", example: "2089b05ecca3d829")
          }
          options.gid = gid
        }),
    ]
    + HookCall.Occasion.allCases.map { occasion in
      Option(
        "--on-download-\(occasion.rawValue)", scope: .run, group: .automation, help: help(for: occasion),
        form: .value("COMMAND") { argument, options throws(UsageError) in
          options.hooks[occasion] = try argument.path(example: "./notify")
        })
    }

  private static func help(for occasion: HookCall.Occasion) -> String {
    switch occasion {
    case .start: "Run COMMAND GID 1 PATH when a download begins; no shell, and nobody waits"
    case .complete: "Run it when a download is complete; the facts are in SHEAF_... variables"
    case .error: "Run it when a download has failed or was interrupted"
    case .stop: "Run it when a download has ended and there is no other hook for how"
    }
  }
}
