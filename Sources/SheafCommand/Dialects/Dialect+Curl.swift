extension Dialect {
  /// `curl -O|-o FILE -L -C - -f -s -S` and what yt-dlp adds. Redirects are always followed and errors always fail.
  static let curl = Dialect(
    program: .curl, options: curlOptions, defaults: ["--no-conf", "--allow-overwrite"],
    version: "curl 7.88.1 (sheaf \(Version.number))\nProtocols: http https", number: curlNumber)

  private static let curlOptions: [ForeignOption] =
    [
      ForeignOption("-o", "--output", means: .same("--output")), ForeignOption("--output-dir", means: .same("--dir")),
      ForeignOption(
        "-C", "--continue-at", means: .made { $0 == "-" ? ["--continue"] : $0 == "0" ? ["--no-continue"] : nil }),
      ForeignOption("-s", "--silent", form: .flag, means: .arguments(["--quiet"])),
      ForeignOption("-v", "--verbose", form: .flag, means: .arguments(["--verbose"])),
      ForeignOption("-H", "--header", means: .same("--header")),
      ForeignOption("-A", "--user-agent", means: .same("--user-agent")),
      ForeignOption("-e", "--referer", means: .same("--referer")),
      ForeignOption("-b", "--cookie", means: .made { cookies($0) }),
      ForeignOption("-u", "--user", means: .same("--user")),
      ForeignOption("-x", "--proxy", means: .same("--all-proxy")),
      ForeignOption("--noproxy", means: .same("--no-proxy")), ForeignOption("--interface", means: .same("--interface")),
      ForeignOption("--limit-rate", means: .same("--max-overall-download-limit")),
      ForeignOption("--retry", means: .made { retries($0) }),
      ForeignOption("--retry-delay", means: .same("--retry-wait")),
      ForeignOption("--connect-timeout", means: .same("--connect-timeout")),
      ForeignOption("--cacert", means: .same("--ca-certificate")),
      ForeignOption("--resolve", means: .same("--resolve")),
      ForeignOption("-k", "--insecure", form: .flag, means: .same("--insecure")),
      ForeignOption("-n", "--netrc", form: .flag, means: .same("--netrc")),
      ForeignOption("--netrc-file", means: .same("--netrc-file")),
      ForeignOption(
        "-R", "--remote-time", form: .flag, means: .sameOr("--remote-time", "files get the time of their arrival")),
      ForeignOption(
        "-J", "--remote-header-name", form: .flag, means: .sameOr("--content-disposition", "names come from URLs")),
      ForeignOption("-g", "--globoff", form: .flag, means: .arguments(["--parameterized-uri=false"])),
      ForeignOption("--parallel-max", means: .same("--max-concurrent-downloads")),
      ForeignOption("--no-clobber", form: .flag, means: .arguments(["--allow-overwrite=false"])),
      ForeignOption("--max-filesize", means: .same("--max-filesize")),
      ForeignOption("-V", "--version", form: .flag, means: .request(.version)),
      ForeignOption("-h", "--help", form: .flag, means: .request(.help)),
    ]
    + ForeignOption.nothing(
      .flag, "-O", "--remote-name", "--remote-name-all", "-L", "--location", "-f", "--fail", "-S", "--show-error",
      "--create-dirs", "--compressed", "-Z", "--parallel", "-#", "--progress-bar", "--no-progress-meter", "-q",
      "--disable",
      "--parallel-immediate", "--tcp-nodelay", "-N", "--no-buffer")

  /// What has an equals sign is a field's value; else it is a file in Netscape's format, `-` for standard input.
  private static func cookies(_ value: String) -> [String]? {
    if value.contains("=") { return ["--header=Cookie: \(value)"] }
    guard known.contains("--load-cookies") else { return nil }
    return ["--load-cookies=\(value == "-" ? "/dev/stdin" : value)"]
  }

  /// curl counts the tries after the first.
  private static func retries(_ value: String) -> [String]? {
    guard let count = Int(value), count >= 0, count < .max else { return nil }
    return ["--max-tries=\(count + 1)"]
  }

  private static let curlNumber: @Sendable (ExitStatus) -> Int32 = { status in
    switch status {
    case .ok: 0
    case .unknown, .metalink: 1
    case .usage: 2
    case .nameResolution: 6
    case .network: 7
    case .notFound, .authorization, .badResponse, .overloaded: 22
    case .diskFull, .inUse, .exists, .renameFailed, .openFailed, .createFailed, .fileIO, .directoryFailed: 23
    case .timedOut, .tooSlow: 28
    case .cannotResume: 33
    case .interrupted: 42
    case .redirects: 47
    // curl compares nothing; a file with other bytes is one that did not come as a whole.
    case .checksum: 18
    }
  }
}
