import TestSupport

/// The built command with its arguments; the environment's proxies and config do not reach it.
func startSheaf(_ arguments: [String], in directory: TemporaryDirectory? = nil) throws -> ChildProcess {
  try ChildProcess(
    try builtProduct("sheaf"), arguments,
    environment: ["http_proxy": nil, "https_proxy": nil, "all_proxy": nil, "HTTPS_PROXY": nil, "ALL_PROXY": nil],
    directory: directory?.path)
}

/// Runs the built command to its end.
func runSheaf(_ arguments: [String], in directory: TemporaryDirectory? = nil) async throws -> ChildProcess.Result {
  try await startSheaf(arguments, in: directory).result()
}

extension ExitStatus {
  /// The number of an ordinary exit; nil after a signal.
  var number: Int32? {
    if case .exited(let number) = self { number } else { nil }
  }
}
