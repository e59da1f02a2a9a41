import TestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A program that downloads, and how to ask it.
struct Contender: Sendable {
  /// What it is asked for.
  struct Job: Sendable {
    let url: String
    /// The last part of the URL's path.
    let name: String
    let connections: Int
    let continues: Bool
    /// SHA-256 in hexadecimal, if the run may know it.
    let digest: String?
    let authorityFile: String?
  }

  let name: String
  let program: String
  /// How many connections it is given; nil for as many as the run says.
  var connections: Int?
  /// Ends a run as its user would; Sheaf is killed instead.
  var interrupt = SIGINT
  var canProve = false
  /// Whether it can be told whose certificates to trust.
  var canTrust = true
  /// Seconds until a run counts as hanging.
  var deadline = 12.0
  let arguments: @Sendable (Job) -> [String]

  var isSheaf: Bool { name == "sheaf" }

  /// The first line that it says of itself.
  func version() -> String {
    guard let process = try? ChildProcess(program, ["--version"]) else { return "not installed" }
    process.wait()
    let text = process.text(of: .output) + process.text(of: .errors)
    return text.split(separator: "\n").first.map { String($0.prefix(80)) } ?? "unknown"
  }

  /// The environment without what changes a tool's behaviour.
  static let environment: [String: String?] = [
    "http_proxy": nil, "https_proxy": nil, "all_proxy": nil, "no_proxy": nil, "HTTP_PROXY": nil, "HTTPS_PROXY": nil,
    "ALL_PROXY": nil, "NO_PROXY": nil, "LC_ALL": "C.UTF-8",
  ]

  static func sheaf(_ program: String) -> Contender {
    Contender(name: "sheaf", program: program, interrupt: SIGKILL, canProve: true, deadline: 30) { job in
      var arguments = [
        "-x\(job.connections)", "-k1M", "-t2", "--connect-timeout=2", "-m4", "--auto-save-interval=0.05",
      ]
      if let file = job.authorityFile { arguments.append("--ca-certificate=\(file)") }
      if let digest = job.digest { arguments.append("--checksum=sha-256=\(digest)") }
      return arguments + [job.url]
    }
  }

  /// The usual flags: several connections where it has them, some tries, short timeouts, no configuration.
  static let peers = [
    Contender(name: "curl", program: "curl", connections: 1) { job in
      ["-q", "-sS", "-fL", "--retry", "3", "--connect-timeout", "2", "-y", "2", "-Y", "1", "-o", job.name]
        + (job.continues ? ["-C", "-"] : []) + (job.authorityFile.map { ["--cacert", $0] } ?? []) + [job.url]
    },
    Contender(name: "wget", program: "wget", connections: 1) { job in
      ["--no-config", "-nv", "--no-hsts", "-t4", "-T2", "--waitretry=1"] + (job.continues ? ["-c"] : [])
        + (job.authorityFile.map { ["--ca-certificate=\($0)"] } ?? []) + [job.url]
    },
    Contender(name: "wget2", program: "wget2", connections: 4) { job in
      [
        "--no-config", "--no-hsts", "--no-hpkp", "-nv", "--chunk-size=1M", "--max-threads=4", "--tries=4", "-T2",
        "--waitretry=1",
      ]
        + (job.continues ? ["-c"] : []) + (job.authorityFile.map { ["--ca-certificate=\($0)"] } ?? []) + [job.url]
    },
    Contender(name: "aria2c", program: "aria2c", connections: 4, canProve: true) { job in
      [
        "--no-conf", "-q", "-x4", "-s4", "-k1M", "--file-allocation=none", "-m4", "-t2", "--connect-timeout=2",
        "--retry-wait=1",
      ]
        + (job.continues ? ["-c"] : []) + (job.authorityFile.map { ["--ca-certificate=\($0)"] } ?? [])
        + (job.digest.map { ["--checksum=sha-256=\($0)"] } ?? []) + [job.url]
    },
    Contender(name: "axel", program: "axel", connections: 4, canTrust: false) { job in
      ["-q", "-n4", "-T2", "--max-redirect=20", "-o", job.name, job.url]
    },
    Contender(name: "lftp", program: "lftp", connections: 4) { job in
      let trust = job.authorityFile.map { "set ssl:ca-file \($0);" } ?? ""
      return [
        "--norc", "-c",
        "set net:timeout 2; set net:max-retries 4; set net:reconnect-interval-base 1; \(trust) pget -n 4 -c '\(job.url)' -o \(job.name)",
      ]
    },
  ]
}
