extension Dialect {
  /// `axel -n N -o FILE -q -a`.
  static let axel = Dialect(
    program: .axel, options: axelOptions, defaults: ["--no-conf", "--force-sequential=false"],
    version: "Axel 2.17.11 (sheaf \(Version.number))",
    number: { status in status == .ok ? 0 : status == .interrupted ? 2 : 1 })

  private static let axelOptions: [ForeignOption] = [
    ForeignOption("-n", "--num-connections", means: .same("--max-connection-per-server")),
    ForeignOption("-o", "--output", means: .made { $0.hasSuffix("/") ? ["--dir=\($0)"] : ["--output=\($0)"] }),
    ForeignOption("-s", "--max-speed", means: .same("--max-overall-download-limit")),
    ForeignOption("-q", "--quiet", form: .flag, means: .arguments(["--quiet"])),
    ForeignOption("-v", "--verbose", form: .flag, means: .arguments(["--verbose"])),
    ForeignOption("-a", "--alternate", form: .flag, means: .arguments(["--progress=bar"])),
    ForeignOption("-p", "--percentage", form: .flag, means: .arguments(["--progress=plain"])),
    ForeignOption("-H", "--header", means: .same("--header")),
    ForeignOption("-U", "--user-agent", means: .same("--user-agent")),
    ForeignOption("-k", "--insecure", form: .flag, means: .same("--insecure")),
    ForeignOption("-T", "--timeout", means: .same("--timeout")),
    ForeignOption("-c", "--no-clobber", form: .flag, means: .nothing),
    // Nothing secret goes where a redirect leads, so that there is no need to keep from following it.
    ForeignOption("--max-redirect", means: .nothing),
    ForeignOption("-V", "--version", form: .flag, means: .request(.version)),
    ForeignOption("-h", "--help", form: .flag, means: .request(.help)),
  ]
}
