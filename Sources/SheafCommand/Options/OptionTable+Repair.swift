import Sheaf

extension OptionTable {
  /// Those of a command that fetches that make no sense for a repair, or mean something else.
  private static let notForRepair: Set<String> = [
    "--input-file", "--metalink-file", "--server-stat-file", "--no-server-stat", "--output", "--dir", "--continue",
    "--no-continue", "--max-concurrent-downloads", "--parameterized-uri", "--force-sequential", "--shard", "--dry-run",
    "--save-session", "--save-session-interval", "--gid", "--on-download-start", "--on-download-complete",
    "--on-download-error", "--on-download-stop",
    "--version", "--conditional-get", "--file-allocation",
  ]

  /// Every option of `sheaf repair`.
  static let repairing: [Option<RepairOptions>] =
    [
      Option(
        "-o", "--out", "--output", group: .file, help: "Write the result to NEW and leave FILE alone",
        form: .value("NEW") { argument, options throws(UsageError) in
          options.fetch.output = try argument.path(example: "big.iso")
        }),
      Option(
        "-M", "--metalink-file", group: .proof,
        help: "Go by the digests and the size in this Metalink document",
        form: .value("DOCUMENT") { argument, options throws(UsageError) in
          options.metalinkFile = try argument.metalinkPath()
        }),
      Option(
        "--samples", group: .proof,
        help: "Without such digests, compare N blocks with the source (default 4 to 16)",
        form: .value("N") { argument, options throws(UsageError) in
          options.samples = try argument.integer(in: 1...Int.max, example: 16)
        }),
    ]
    + fetching.filter { notForRepair.isDisjoint(with: $0.names) }.map { $0.within(\.fetch) }
}
