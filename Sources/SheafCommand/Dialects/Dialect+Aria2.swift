extension Dialect {
  /// What yt-dlp, apt-fast and scripts in common use pass, and a little more. The exit statuses are the same.
  static let aria2 = Dialect(
    program: .aria2c, options: aria2Options,
    // Several URLs are places of one file there.
    defaults: ["--no-conf", "--force-sequential=false"],
    version: "aria2 version 1.37.0 (sheaf \(Version.number))", number: { $0.rawValue })

  private static let aria2Options: [ForeignOption] = [
    aria2Own, aria2Same, aria2Toggles, aria2Settled, aria2SettledToggles, aria2Torrents, aria2TorrentToggles,
  ].flatMap { $0 }

  private static let aria2Own: [ForeignOption] =
    [
      ForeignOption("-d", "--dir", means: .same("--dir")), ForeignOption("-o", "--out", means: .same("--out")),
      ForeignOption("-s", "--split", means: .same("--split")),
      ForeignOption("-x", "--max-connection-per-server", means: .same("--max-connection-per-server")),
      ForeignOption("-k", "--min-split-size", means: .same("--min-split-size")),
      ForeignOption("-j", "--max-concurrent-downloads", means: .same("--max-concurrent-downloads")),
      ForeignOption("-i", "--input-file", means: .same("--input-file")),
      ForeignOption("-M", "--metalink-file", means: .same("--metalink-file")),
      ForeignOption("-l", "--log", means: .same("--log")),
      ForeignOption("-m", "--max-tries", means: .same("--max-tries")),
      ForeignOption("-t", "--timeout", means: .same("--timeout")),
      ForeignOption("-U", "--user-agent", means: .same("--user-agent")),
      ForeignOption("-c", "--continue", form: .toggle, means: .same("--continue")),
      ForeignOption("-Z", "--force-sequential", form: .toggle, means: .same("--force-sequential")),
      ForeignOption("-P", "--parameterized-uri", form: .toggle, means: .same("--parameterized-uri")),
      ForeignOption(
        "-R", "--remote-time", form: .toggle, means: .sameOr("--remote-time", "files get the time of their arrival")),
      ForeignOption("-q", "--quiet", form: .toggle, means: .made { $0 == "true" ? ["--quiet"] : [] }),
      // The blocks that are kept are always checked, and with a checksum a file that is there.
      ForeignOption("-V", "--check-integrity", form: .toggle, means: .nothing),
      ForeignOption("-n", "--no-netrc", form: .toggle, means: .nothing),
      ForeignOption("-v", "--version", form: .flag, means: .request(.version)),
      ForeignOption("-h", "--help", form: .toggle, means: .request(.help)),
      ForeignOption("--no-conf", form: .toggle, means: .nothing),
      ForeignOption("--show-console-readout", form: .toggle, means: .made { $0 == "true" ? [] : ["--progress=none"] }),
      ForeignOption("--summary-interval", means: .same("--summary-interval")),
      ForeignOption("--remove-control-file", form: .toggle, means: .made { $0 == "true" ? ["--no-continue"] : [] }),
      ForeignOption("--auto-file-renaming", form: .toggle, means: .made { $0 == "false" ? [] : nil }),
      ForeignOption("--always-resume", form: .toggle, means: .made { $0 == "false" ? [] : nil }),
      ForeignOption("--force-save", form: .toggle, means: .made { $0 == "false" ? [] : nil }),
      ForeignOption("--max-file-not-found", means: .made { $0 == "0" ? [] : nil }),
      ForeignOption("-u", "--max-upload-limit", means: .notice("nothing is uploaded")),
    ]

  private static let aria2Same = ForeignOption.same(
    .value, "connect-timeout", "retry-wait", "header", "referer", "checksum", "ca-certificate", "certificate",
    "private-key", "load-cookies", "save-cookies", "all-proxy", "http-proxy", "https-proxy", "ftp-proxy", "no-proxy",
    "all-proxy-user", "all-proxy-passwd", "http-user", "http-passwd", "ftp-user", "ftp-passwd", "interface",
    "max-download-limit", "max-overall-download-limit", "lowest-speed-limit", "save-session", "save-session-interval",
    "auto-save-interval", "conf-path", "gid", "on-download-start", "on-download-complete", "on-download-error",
    "on-download-stop", "netrc-path", "min-tls-version", "log-level", "stop", "stop-with-process",
    "multiple-interface",
    "follow-metalink"
  )

  private static let aria2Toggles = ForeignOption.same(
    .toggle, "allow-overwrite", "check-certificate", "dry-run", "disable-ipv6", "conditional-get",
    "content-disposition-default-utf8")

  /// Files come as they are, are made as long as they are, and mirrors are asked by what they deliver.
  private static let aria2Settled = ForeignOption.nothing(
    .value, "--file-allocation", "--console-log-level", "--download-result", "--uri-selector", "--disk-cache",
    "--no-file-allocation-limit", "--piece-length", "--stream-piece-selector", "--max-resume-failure-tries",
    "--event-poll", "--server-stat-timeout", "--dscp", "-a")

  private static let aria2SettledToggles = ForeignOption.nothing(
    .toggle, "--http-accept-gzip", "--human-readable", "--enable-color", "--truncate-console-readout", "--async-dns",
    "--enable-http-keep-alive", "--enable-http-pipelining", "--enable-mmap", "--optimize-concurrent-downloads",
    "--use-head", "--http-no-cache", "--no-want-digest-header", "--realtime-chunk-checksum", "--deferred-input",
    "--keep-unfinished-download-result")

  private static let aria2Torrents = [
    "bt-max-peers", "bt-tracker", "bt-stop-timeout", "bt-request-peer-speed-limit", "dht-listen-port", "listen-port",
    "seed-time", "seed-ratio", "follow-torrent", "peer-id-prefix", "peer-agent",
  ].map { ForeignOption("--\($0)", means: .notice("there is no BitTorrent")) }

  private static let aria2TorrentToggles = [
    "bt-save-metadata", "bt-enable-lpd", "bt-seed-unverified", "bt-require-crypto", "enable-dht", "enable-dht6",
    "enable-peer-exchange",
  ].map { ForeignOption("--\($0)", form: .toggle, means: .notice("there is no BitTorrent")) }
}
