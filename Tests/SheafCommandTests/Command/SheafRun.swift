import TestSupport

/// The built command with its arguments; the environment's proxies and config do not reach it, and it remembers nothing.
func startSheaf(
  _ arguments: [String], in directory: TemporaryDirectory? = nil, environment: [String: String?] = [:]
) throws -> ChildProcess {
  let neutral: [String: String?] = [
    "http_proxy": nil, "https_proxy": nil, "all_proxy": nil, "HTTPS_PROXY": nil, "ALL_PROXY": nil,
    "XDG_STATE_HOME": "/dev/null",
  ]
  return try ChildProcess(
    try builtProduct("sheaf"), arguments, environment: neutral.merging(environment) { $1 },
    directory: directory?.path)
}

/// Runs the built command to its end.
func runSheaf(
  _ arguments: [String], in directory: TemporaryDirectory? = nil, environment: [String: String?] = [:]
) async throws -> ChildProcess.Result {
  try await startSheaf(arguments, in: directory, environment: environment).result()
}

extension ExitStatus {
  /// The number of an ordinary exit; nil after a signal.
  var number: Int32? {
    if case .exited(let number) = self { number } else { nil }
  }
}
