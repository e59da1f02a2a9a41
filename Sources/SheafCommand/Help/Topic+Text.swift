extension Topic {
  static let aboutLists: [Paragraph] = [
    .text(
      """
      With -i a list is fetched: a URL a line, further URLs of the same file after TABs. Lines below it that begin with \
      a blank are options of that download alone, by their long names:
      """),
    .example([
      "https://example.org/a.iso", "https://example.org/b.iso<TAB>https://mirror.example.net/b.iso",
      "  out=second.iso", "  dir=isos", "  checksum=sha-256=9f86d081884c7d65...",
      "# Such lines and empty ones mean nothing.",
    ]),
    .text(
      """
      What the command line says holds for all; what stands in the list comes after it. These options may stand in a \
      list: \(OptionTable.fetching.filter { $0.scope == .download }.compactMap { $0.names.first { $0.hasPrefix("--") } }
        .map { String($0.dropFirst(2)) }.joined(separator: ", ")).
      """),
    .text(
      """
      A file is looked through before anything is started: a line that makes no sense ends the run with status 28 and \
      nothing done. From a pipe (-i -) each download begins when its lines have come.
      """),
  ]

  static let aboutPatterns: [Paragraph] = [
    .text("With -P each URL, also one in a list, may stand for many:"),
    .example([
      "sheaf -P 'https://example.org/{a,b}/part-[001-100:5].bin'",
      "sheaf -P -o '#1-#2.bin' 'https://{a,b}.example.org/[x-z]'",
    ]),
    .terms([
      Paragraph.Term("{one,two}", "each of the words; one may be empty"),
      Paragraph.Term("[1-10], [01-10]", "the numbers, with leading zeros as the first has them"),
      Paragraph.Term("[0-100:25]", "every 25th of them"), Paragraph.Term("[a-z], [A-Z:2]", "letters"),
      Paragraph.Term("#1, #2 in -o, out=", "what the first, second part stands for"),
      Paragraph.Term("\\{", "a brace, bracket or comma that means nothing"),
    ]),
    .text(
      """
      The last part changes fastest. A pattern stands for at most a million URLs, and none is made before its turn. \
      Brackets around an IPv6 address are no range.
      """),
  ]

  static let aboutFleet: [Paragraph] = [
    .text(
      """
      --shard K/N fetches every Nth download, from the Kth on: N runs with K from 1 to N fetch all, each once. They may \
      be called again at any time; what is complete is known again. With --shard auto K and N come from the job array: \
      SLURM_ARRAY_TASK_ID, _MIN, _COUNT and _STEP of Slurm, or AWS_BATCH_JOB_ARRAY_INDEX and _SIZE of AWS Batch. A \
      Kubernetes Job has JOB_COMPLETION_INDEX, and N must be given: --shard auto/N. Without --shard these variables \
      change nothing, and --shard auto without them is an error.
      """)
  ]

  static let aboutConfig: [Paragraph] = [
    .text(
      """
      Options may stand in ~/.config/sheaf/sheaf.conf ($XDG_CONFIG_HOME/sheaf/sheaf.conf), by their long names, name=value \
      or name alone, one a line. A section [host NAME] or [host *.DOMAIN] has those of downloads from there.
      """),
    .example([
      "max-tries=10", "dir=downloads", "[host *.example.org]", "max-connection-per-server=4", "header=X-Token: TEXT",
    ]),
    .text(
      """
      More counts what comes later in: defaults, configuration, section, SHEAF_OPTIONS in the environment (words with \
      blanks between), command line, lines of a list. The host is that of the download's URL. A file that others may \
      change is refused, and so is one that others may read if it has passwords, proxies or header fields. --conf-path \
      reads another file, --no-conf none.
      """),
  ]

  static let aboutSessions: [Paragraph] = [
    .text(
      """
      --save-session FILE writes, in the end and every --save-session-interval seconds, what is not finished as a list for \
      -i: downloads that failed, were interrupted or had not begun, each with its mirrors, gid, place and checksum, and \
      the options of its list. Header fields and passwords are never written; a URL is, with all that is in it, so the \
      file is readable by its owner only. What a pipe (-i -) has not said yet cannot be saved.
      """),
    .example(["sheaf -i urls.txt --save-session rest.txt", "sheaf -i rest.txt --save-session rest.txt"]),
  ]

  static let aboutHooks: [Paragraph] = [
    .text(
      """
      --on-download-start, -complete, -error and -stop run a program as aria2 does: COMMAND GID 1 PATH, without a shell. \
      That of stop runs where there is none for how a download ended. Nobody waits for it; at most 16 run at once, and \
      the others follow. Its output goes to standard error. It finds in its environment:
      """),
    .terms([
      Paragraph.Term("SHEAF_EVENT", "start, complete or error"), Paragraph.Term("SHEAF_GID", "as the first argument"),
      Paragraph.Term("SHEAF_URL", "the URL without user information and query"),
      Paragraph.Term("SHEAF_PATH", "as the third argument"),
      Paragraph.Term(
        "SHEAF_STATUS", "the exit status of this download, and SHEAF_STATUS_NAME its name; not at the start"),
      Paragraph.Term("SHEAF_BYTES", "the file's length, when it is complete"),
      Paragraph.Term("SHEAF_MESSAGE", "what failed, after an error"),
    ]),
  ]

  static let aboutDialects: [Paragraph] = [
    .text(
      """
      Called as aria2c, curl, wget or axel, by a link of that name or one that ends in a dash and it (sheaf-aria2c), the \
      command takes that program's options in common use, and ends with its exit statuses. What it does not support is \
      an error that names the option. The configuration file is not read.
      """),
    .example(["ln -s $(command -v sheaf) ~/bin/sheaf-aria2c", "yt-dlp --downloader ~/bin/sheaf-aria2c URL"]),
    .terms(
      Dialect.Program.allCases.map { program in
        Paragraph.Term(program.rawValue, Dialect.of(program).options.compactMap(\.names.first).joined(separator: " "))
      }),
    .text(
      """
      Whatever the program, redirects are followed, errors of the server fail, and no file has its name before it is \
      complete. A part of a file that another program left is not continued; sheaf repair does that.
      """),
  ]

  static let aboutResume: [Paragraph] = [
    .text(
      """
      While a download runs, NAME.part holds the bytes, each in its place, and NAME.sheaf says which of them are there \
      and what file they belong to. Ctrl-C, SIGTERM and SIGHUP take a last checkpoint and end with status 7; the same \
      command continues, also after kill -9, a crash or a power cut, and also with another URL of the same file.
      """),
    .text(
      """
      What is kept is checked against its CRC-32 first. A file that has changed on the server is fetched anew and never \
      mixed with the old one. Files of up to 8 MiB, and files whose server offers nothing to identify them by, have no \
      NAME.sheaf and start over. --no-continue starts over in any case.
      """),
    .text(
      """
      A file that has the target's name already stays as it is: the download ends with status 0 if that file can be \
      told to be complete, else with 13; --allow-overwrite replaces it once the new one is complete.
      """),
  ]

  static let aboutVerification: [Paragraph] = [
    .text(
      """
      --checksum gives the digest that the file must have, --checksum-file a list such as SHA256SUMS, a Metalink document \
      those of its pieces as well. Without these, digests that the server offers are compared; --verify=require fails \
      where there is none, --verify=off looks at none. A file with another digest does not get its name, and the status \
      is 32.
      """),
    .text("sheaf verify compares files that are there; sheaf repair fetches what is bad in one."),
  ]

  static let aboutExitStatuses: [Paragraph] = [
    .terms(ExitStatus.allCases.map { Paragraph.Term("\($0.rawValue)", "\($0.meaning) (\($0.name))") }),
    .text("With several downloads it is that of the last error in time. The numbers are aria2's."),
  ]

  static let aboutEnvironment: [Paragraph] = [
    .terms([
      Paragraph.Term(
        "http_proxy, HTTPS_PROXY, ALL_PROXY, NO_PROXY", "libcurl's: which proxy is used, and for which hosts none"),
      Paragraph.Term("HOME", "where .netrc is, if --netrc asks for it, and what stands in for the next variable"),
      Paragraph.Term("SHEAF_OPTIONS", "options that come before those of the command line, with blanks between"),
      Paragraph.Term("XDG_CONFIG_HOME", "below it, in sheaf/sheaf.conf, is the configuration"),
      Paragraph.Term("XDG_STATE_HOME", "below it, in sheaf/servers, is remembered how mirrors did"),
      Paragraph.Term("TMPDIR", "where a checksum file from a server is kept for a moment"),
      Paragraph.Term("TERM", "progress is shown on terminals other than dumb ones"),
    ])
  ]

  static let aboutFiles: [Paragraph] = [
    .terms([
      Paragraph.Term("NAME.part", "the bytes of an unfinished download"),
      Paragraph.Term("NAME.sheaf", "its manifest; sheaf inspect shows it"),
      Paragraph.Term("~/.config/sheaf/sheaf.conf", "the configuration; --no-conf does without"),
      Paragraph.Term("~/.netrc", "names and passwords; read with --netrc only, and only if nobody else can read it"),
      Paragraph.Term("~/.local/state/sheaf/servers", "how mirrors did; --no-server-stat does without"),
    ])
  ]
}
