import TestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The built command, as it is run in a directory.
struct Client: Sendable {
  let arguments: [String]
  let directory: String
  /// A program that runs the command, with its arguments.
  var wrapper: [String] = []

  private static let environment: [String: String?] = [
    "http_proxy": nil, "https_proxy": nil, "all_proxy": nil, "HTTPS_PROXY": nil, "ALL_PROXY": nil,
  ]

  func start() throws -> ChildProcess {
    let command = wrapper + [try builtProduct("sheaf")] + arguments
    return try ChildProcess(
      command[0], Array(command.dropFirst()), environment: Self.environment, directory: directory)
  }

  /// Runs it to its end, or kills it when it takes too long. `others` are files that are not its own.
  func run(within seconds: Double = 60, besides others: [String] = []) throws -> Ending {
    Ending(of: try start(), in: directory, within: seconds, besides: others)
  }
}

/// Where disks are nobody's excuse.
func makeDirectory() throws -> TemporaryDirectory {
  try TemporaryDirectory(in: access("/dev/shm", W_OK) == 0 ? "/dev/shm" : nil)
}
