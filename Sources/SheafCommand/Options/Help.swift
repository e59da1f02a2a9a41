/// The help texts, made from the tables.
enum Help {
  static let fetching = """
    sheaf \(Version.number): fetch large files over many connections, whole and verified or not at all.

    Usage: sheaf [options] URL...
           sheaf [options] -i LIST
           sheaf [options] FILE.meta4
           sheaf inspect FILE.sheaf [--json]
           sheaf verify FILE...
           sheaf repair FILE URL...

    The same command again continues what was interrupted.

    \(describe(OptionTable.fetching))\
    A list has one URL a line. Lines below it that begin with a blank are options of that download alone, by
    their long names: ' out=NAME', ' checksum=sha-256=HEX'. Lines that begin with # mean nothing.

    Sizes take K, M, G and T, each 1024 times the one before. The exit status is 0 when every file is complete,
    otherwise that of the last error, with aria2's numbers: 3 not found, 6 network, 7 interrupted, 9 disk full,
    28 usage, 32 checksum.

    """

  static let inspecting = """
    Usage: sheaf inspect FILE.sheaf [--json]

    Shows what the manifest of an unfinished download says.

    \(describe(OptionTable.inspecting))
    """

  static let verifying = """
    Usage: sheaf verify [options] FILE...

    Compares files with their digests. Without an option the digest is looked for beside the file: in
    FILE.sha256 and the like, then in SHA256SUMS and the like. The exit status is 32 if a file has another one.

    \(describe(OptionTable.verifying))
    """

  static let repairing = """
    Usage: sheaf repair [options] FILE URL...

    Keeps what is good in FILE, whatever has fetched it, and fetches the rest. FILE stays as it is until the whole
    takes its place. What is good is known by the digests of its pieces (--metalink-file), or by what Sheaf noted;
    else the control file of aria2, axel or lftp beside it, or FILE itself, is taken for a hint, and some blocks
    are compared with the source: then the others are taken on trust, and the result says how many. Nothing is
    changed if FILE is right already, or if nothing in it is what the source has. Further URLs are mirrors of the
    first.

    \(describe(OptionTable.repairing))
    """

  /// One paragraph for each group that has options.
  static func describe<Options>(_ table: [Option<Options>]) -> String {
    var text = ""
    for group in OptionGroup.allCases {
      let members = table.filter { $0.group == group }
      guard !members.isEmpty else { continue }
      text += "\(group.rawValue):\n"
      for option in members {
        text += line(for: option)
      }
      text += "\n"
    }
    return text
  }

  /// The names and, from a fixed column on, the help; on a line of its own when the names are long.
  private static func line<Options>(for option: Option<Options>) -> String {
    let column = 34
    var names = option.names.joined(separator: ", ")
    if !names.hasPrefix("--"), option.names.count > 1 { names = "  " + names } else { names = "      " + names }
    switch option.form {
    case .value(let placeholder, _): names += " \(placeholder)"
    case .toggle: names += "[=true|false]"
    case .flag, .request: break
    }
    let gap =
      names.count + 2 <= column
      ? String(repeating: " ", count: column - names.count) : "\n" + String(repeating: " ", count: column)
    return "\(names)\(gap)\(option.help)\n"
  }
}
