extension Dialect {
  /// `wget -c -O FILE -i LIST -P DIR -q` and what yt-dlp adds.
  static let wget = Dialect(
    program: .wget, options: wgetOptions, defaults: ["--no-conf"],
    version: "GNU Wget 1.21.3 (sheaf \(Version.number))", number: wgetNumber)

  private static let wgetOptions: [ForeignOption] =
    [
      ForeignOption("-O", "--output-document", means: .made { ["--output=\($0)", "--allow-overwrite"] }),
      ForeignOption("-P", "--directory-prefix", means: .same("--dir")),
      ForeignOption("-i", "--input-file", means: .same("--input-file")),
      ForeignOption("-c", "--continue", form: .flag, means: .arguments(["--continue"])),
      ForeignOption("-q", "--quiet", form: .flag, means: .arguments(["--quiet"])),
      ForeignOption("-nv", "--no-verbose", form: .flag, means: .arguments(["--progress=none"])),
      ForeignOption("-v", "--verbose", form: .flag, means: .nothing),
      ForeignOption("-nc", "--no-clobber", form: .flag, means: .nothing),
      ForeignOption("-nd", "--no-directories", form: .flag, means: .nothing),
      ForeignOption("-nH", "--no-host-directories", form: .flag, means: .nothing),
      ForeignOption("--header", means: .same("--header")),
      ForeignOption("-U", "--user-agent", means: .same("--user-agent")),
      ForeignOption("--referer", means: .same("--referer")), ForeignOption("-t", "--tries", means: .made { tries($0) }),
      ForeignOption("-T", "--timeout", means: .same("--timeout")),
      ForeignOption("--connect-timeout", means: .same("--connect-timeout")),
      ForeignOption("--read-timeout", means: .same("--timeout")),
      ForeignOption("--waitretry", means: .same("--retry-wait")),
      ForeignOption("--limit-rate", means: .same("--max-overall-download-limit")),
      ForeignOption("--load-cookies", means: .same("--load-cookies")),
      ForeignOption("--save-cookies", means: .same("--save-cookies")),
      ForeignOption("--bind-address", means: .same("--interface")),
      ForeignOption("--ca-certificate", means: .same("--ca-certificate")),
      ForeignOption("--no-check-certificate", form: .flag, means: .arguments(["--check-certificate=false"])),
      ForeignOption("--user", means: .same("--http-user")), ForeignOption("--password", means: .same("--http-passwd")),
      ForeignOption("-e", "--execute", means: .made { command($0) }),
      ForeignOption("--no-proxy", form: .flag, means: .same("--no-proxy")),
      ForeignOption("-a", "--append-output", means: .same("--log")),
      ForeignOption("--compression", means: .made { ["auto", "none", "gzip"].contains($0) ? [] : nil }),
      ForeignOption(
        "--content-disposition", form: .flag, means: .sameOr("--content-disposition", "names come from URLs")),
      ForeignOption("--spider", form: .flag, means: .arguments(["--dry-run"])),
      ForeignOption("--progress", means: .nothing),
      ForeignOption("--show-progress", form: .flag, means: .arguments(["--progress=bar"])),
      ForeignOption("-V", "--version", form: .flag, means: .request(.version)),
      ForeignOption("-h", "--help", form: .flag, means: .request(.help)),
    ] + ForeignOption.nothing(.flag, "--no-config", "--no-cache", "--no-hsts", "--no-use-server-timestamps")

  /// 0 and `inf` are for ever in both.
  private static func tries(_ value: String) -> [String]? {
    value == "inf" ? ["--max-tries=0"] : Int(value).map { ["--max-tries=\($0)"] }
  }

  /// A line of wgetrc: proxies.
  private static func command(_ value: String) -> [String]? {
    let parts = value.split(separator: "=", maxSplits: 1).map(String.init)
    let names = ["http_proxy": "--http-proxy", "https_proxy": "--https-proxy"]
    guard parts.count == 2, let name = names[parts[0]], known.contains(name) else { return nil }
    return ["\(name)=\(parts[1])"]
  }

  private static let wgetNumber: @Sendable (ExitStatus) -> Int32 = { status in
    switch status {
    case .ok: 0
    case .unknown, .interrupted, .metalink, .checksum: 1
    case .usage: 2
    case .diskFull, .inUse, .exists, .renameFailed, .openFailed, .createFailed, .fileIO, .directoryFailed: 3
    case .network, .timedOut, .tooSlow, .nameResolution: 4
    case .authorization: 6
    case .redirects: 7
    case .notFound, .badResponse, .overloaded, .cannotResume: 8
    }
  }
}
