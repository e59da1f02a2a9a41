#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import Sheaf

/// Every option of a command line that fetches. Parsing and help follow this table and nothing else.
enum OptionTable {
  static let fetching: [Option<CommandOptions>] =
    [
      Option(
        "-i", "--input-file", scope: .run, group: .list,
        help: "Fetch each URL of the list FILE too; - is standard input",
        form: .value("FILE") { argument, options throws(UsageError) in
          options.list = try argument.path(example: "urls.txt")
        }),

      Option(
        "-M", "--metalink-file", scope: .run, group: .list,
        help: "Fetch each file that the Metalink document FILE describes; may be repeated",
        form: .value("FILE") { argument, options throws(UsageError) in
          options.metalinkFiles.append(try argument.metalinkPath())
        }),

      Option(
        "-P", "--parameterized-uri", "--glob", scope: .run, group: .list,
        help: "URLs are patterns: {a,b} and [01-10:2]; #1 in -o is the first part's value",
        form: .toggle { value, options in options.usesPatterns = value }),

      Option(
        "-Z", "--force-sequential", scope: .run, group: .list,
        help: "Each URL is a file of its own, the default; false: they are one file",
        form: .toggle { value, options in options.keepsURLsApart = value }),

      Option(
        "--shard", scope: .run, group: .list,
        help: "Fetch every Nth download only, from the Kth on; auto: as the job array says",
        form: .value("K/N|auto|auto/N") { argument, options throws(UsageError) in
          options.shard = try Shard(argument, environment: { getenv($0).map { String(cString: $0) } })
        }),

      Option(
        "--mirror", group: .list, help: "The same file is there too; may be repeated (one file only)",
        form: .value("URL") { argument, options throws(UsageError) in
          try checkURL(argument.text)
          options.download.mirrors.append(argument.text)
        }),

      Option(
        "--max-sources", group: .list,
        help: "Ask at most N places for one file, mirrors its server names included (16)",
        form: .value("N") { argument, options throws(UsageError) in
          options.download.maximumSources = try argument.integer(in: 1...16, example: 4)
        }),

      Option(
        "-o", "--out", "--output", group: .file,
        help: "Write to FILE, below the directory of -d; - is standard output; one URL only",
        form: .value("FILE") { argument, options throws(UsageError) in
          options.output = try argument.path(example: "big.iso")
        }),
      Option(
        "--window", scope: .run, group: .file, help: "With -o -: fetch at most SIZE ahead of the reader (default 64M)",
        form: .value("SIZE") { argument, options throws(UsageError) in
          options.window = try argument.size(example: "64M")
        }),
      Option(
        "--decompress", scope: .run, group: .file, help: "With -o -: the file is gzip; write what is in it",
        form: .flag { $0.decompresses = true }),
      Option(
        "-d", "--dir", group: .file, help: "Put files into DIR instead of the working directory",
        form: .value("DIR") { argument, options throws(UsageError) in
          options.directory = try argument.path(example: "downloads")
        }),
      Option(
        "-c", "--continue", group: .file, help: "Continue what an earlier run left; the default",
        form: .toggle { value, options in options.download.continues = value }),
      Option(
        "--no-continue", group: .file, help: "Start over, whatever an earlier run left",
        form: .flag { $0.download.continues = false }),
      Option(
        "--allow-overwrite", group: .file, help: "Replace an existing file once the new one is complete",
        form: .toggle { value, options in options.download.overwrites = value }),
      Option(
        "--auto-save-interval", group: .file, help: "Take a checkpoint at least this often (default 1)",
        form: .value("SECONDS") { argument, options throws(UsageError) in
          options.download.checkpointInterval = try argument.seconds(atLeast: .milliseconds(1), example: "1")
        }),
      Option(
        "--fsync-policy", group: .file, help: "What is synced to the disk: full (default), checkpoint or off",
        form: .choice(Durability.self) { $1.download.durability = $0 }),

      Option(
        "-x", "--max-connection-per-server", group: .connections,
        help: "At most N connections to a server (default 16, up to 256)",
        form: .value("N") { argument, options throws(UsageError) in
          options.download.connections = try argument.integer(in: 1...256, example: 16)
        }),
      Option(
        "-s", "--split", group: .connections,
        help: "At most N parts of a file at once (default as -x; equal to -x: no trials)",
        form: .value("N") { argument, options throws(UsageError) in
          options.download.split = try argument.integer(in: 1...Int.max, example: 16)
        }),
      Option(
        "-k", "--min-split-size", group: .connections,
        help: "Never split into parts smaller than SIZE (default: as pays)",
        form: .value("SIZE") { argument, options throws(UsageError) in
          options.download.minimumSplitSize = try argument.size(example: "1M")
        }),
      Option(
        "-j", "--max-concurrent-downloads", scope: .run, group: .connections,
        help: "At most N downloads at once (default 16)",
        form: .value("N") { argument, options throws(UsageError) in
          options.concurrentDownloads = try argument.integer(in: 1...Int.max, example: 16)
        }),

      Option(
        "--server-stat-file", scope: .run, group: .connections,
        help: "Remember in FILE, for the next time, which mirrors did well",
        form: .value("FILE") { argument, options throws(UsageError) in
          options.servers = .file(try argument.path(example: "servers"))
        }),
      Option(
        "--no-server-stat", scope: .run, group: .connections, help: "Neither remember that nor go by it",
        form: .flag { $0.servers = .nowhere }),

      Option(
        "--checksum", group: .proof,
        help: "The digest the file must have: sha-256, sha-512, sha-1, md5, crc32 or crc32c",
        form: .value("TYPE=HEX") { argument, options throws(UsageError) in
          options.download.checksum = try argument.checksum()
        }),
      Option(
        "--checksum-file", group: .proof, help: "Take the digest from this file or URL, such as SHA256SUMS",
        form: .value("FILE|URL") { argument, options throws(UsageError) in
          options.download.checksumFile = try argument.path(example: "SHA256SUMS")
        }),
      Option(
        "--verify", group: .proof, help: "What to do with digests that servers offer: auto (default), require or off",
        form: .choice(Verification.self) { $1.download.verification = $0 }),

      Option(
        "-H", "--header", group: .request, help: "Send these header fields to the URL's own server; may be repeated",
        form: .value("'NAME: VALUE'|@FILE") { argument, options throws(UsageError) in
          options.download.headers += try argument.headerFields()
        }),
      Option(
        "--netrc", scope: .run, group: .request, help: "Use the names and passwords of ~/.netrc",
        form: .flag { $0.netrc = .home }),
      Option(
        "--netrc-path", "--netrc-file", scope: .run, group: .request, help: "Use the names and passwords of FILE",
        form: .value("FILE") { argument, options throws(UsageError) in
          options.netrc = .file(try argument.path(example: "my.netrc"))
        }),
      Option(
        "-U", "--user-agent", group: .request, help: "Send TEXT as User-Agent",
        form: .value("TEXT") { argument, options throws(UsageError) in
          options.download.userAgent = try argument.fieldValue(example: "'Mozilla/5.0'")
        }),
      Option(
        "--resolve", group: .network, help: "Connect to these addresses for this host and port; may be repeated",
        form: .value("HOST:PORT:ADDRESS,...") { argument, options in
          options.download.resolve.append(argument.text)
        }),
      Option(
        "--allow-downgrade", group: .request, help: "Follow redirects from https to http too",
        form: .toggle { value, options in options.download.allowsDowngrade = value }),
      Option(
        "--ca-certificate", "--cacert", group: .request,
        help: "Trust the authorities in this PEM file instead of the system's",
        form: .value("FILE") { argument, options throws(UsageError) in
          options.download.certificateAuthorityFile = try argument.path(example: "ca.pem")
        }),
      Option(
        "--check-certificate", group: .request, help: "Require a valid certificate; the default",
        form: .toggle { value, options in options.download.checksCertificate = value }),
      Option(
        "--insecure", group: .request, help: "Accept any certificate, this time",
        form: .flag { $0.download.checksCertificate = false }),

      Option(
        "-t", "--timeout", group: .failures, help: "Give up a connection silent for this long (default 60)",
        form: .value("SECONDS") { argument, options throws(UsageError) in
          options.download.timeout = try argument.seconds(atLeast: .milliseconds(1), example: "60")
        }),
      Option(
        "--connect-timeout", group: .failures, help: "Give up connecting after this long (default 30)",
        form: .value("SECONDS") { argument, options throws(UsageError) in
          options.download.connectTimeout = try argument.seconds(atLeast: .milliseconds(1), example: "30")
        }),
      Option(
        "-m", "--max-tries", "--tries", "--retry", group: .failures,
        help: "Fail after N tries without progress (default 5, 0 for no limit)",
        form: .value("N") { argument, options throws(UsageError) in
          options.download.maximumTries = try argument.integer(in: 0...Int.max, example: 5)
        }),
      Option(
        "--retry-wait", group: .failures, help: "Wait at least this long between tries (default 0)",
        form: .value("SECONDS") { argument, options throws(UsageError) in
          options.download.retryWait = try argument.seconds(atLeast: .zero, example: "2")
        }),

      Option(
        "-q", "--quiet", scope: .run, group: .report, help: "Print errors only", form: .flag { $0.verbosity = .quiet }),
      Option(
        "-v", "--verbose", scope: .run, group: .report, help: "Print what is decided, and why",
        form: .flag { $0.verbosity = .verbose }
      ),
      Option(
        "--progress", scope: .run, group: .report,
        help: "Show where downloads stand; without it a bar, on a terminal only",
        form: .choice(CommandOptions.ProgressStyle.self) { $1.progress = $0 }),
      Option(
        "--summary-interval", scope: .run, group: .report,
        help: "Say this often where everything stands (default 0: never; plain: 10)",
        form: .value("SECONDS") { argument, options throws(UsageError) in
          options.summaryInterval = try argument.seconds(atLeast: .zero, example: "60")
        }),
      Option(
        "-l", "--log", scope: .run, group: .report, help: "Add all that happens to FILE, with the time",
        form: .value("FILE") { argument, options throws(UsageError) in
          options.log = try argument.path(example: "sheaf.log")
        }),
      Option(
        "--dry-run", scope: .run, group: .report, help: "Ask about each file and fetch none, as sheaf probe does",
        form: .toggle { value, options in options.isDryRun = value }),
      Option(
        "--explain", scope: .run, group: .report, help: "Say in the end what kept it from being faster",
        form: .flag { $0.explains = true }),
      Option(
        "--json", scope: .run, group: .report, help: "Print one JSON object a line on standard output",
        form: .flag { $0.json = true }),
      Option(
        "--conf-path", scope: .run, group: .report, help: "Read the configuration FILE instead of the usual one",
        form: .value("FILE") { argument, options throws(UsageError) in
          options.configuration = .file(try argument.path(example: "sheaf.conf"))
        }),
      Option(
        "--no-conf", scope: .run, group: .report, help: "Read no configuration",
        form: .flag { $0.configuration = .nowhere }
      ),
      Option("--version", scope: .run, group: .report, help: "Print the version", form: .request(.version)),
      Option("-h", "--help", scope: .run, group: .report, help: "Print this help", form: .request(.help)),
    ] + limiting + connecting + finishing + automation

  /// Every option of `sheaf verify`.
  static let verifying: [Option<VerifyOptions>] = [
    Option(
      "--checksum", group: .proof, help: "The digest the file must have; for one file only",
      form: .value("TYPE=HEX") { argument, options throws(UsageError) in options.checksum = try argument.checksum() }),
    Option(
      "--checksum-file", group: .proof, help: "Take the digests from this file, such as SHA256SUMS",
      form: .value("FILE") { argument, options throws(UsageError) in
        options.checksumFile = try argument.path(example: "SHA256SUMS")
      }),
    Option("-q", "--quiet", group: .report, help: "Print errors only", form: .flag { $0.isQuiet = true }),
    Option(
      "--json", group: .report, help: "Print one JSON object a line on standard output", form: .flag { $0.json = true }),
    Option("-h", "--help", group: .report, help: "Print this help", form: .request(.help)),
  ]

  /// Every option of `sheaf status`.
  static let reporting: [Option<StatusOptions>] = [
    Option("--json", group: .report, help: "Print one JSON object a line", form: .flag { $0.json = true }),
    Option("-h", "--help", group: .report, help: "Print this help", form: .request(.help)),
  ]

  /// Every option of `sheaf inspect`.
  static let inspecting: [Option<InspectOptions>] = [
    Option("--json", group: .report, help: "Print one JSON object", form: .flag { $0.json = true }),
    Option("-h", "--help", group: .report, help: "Print this help", form: .request(.help)),
  ]
}
