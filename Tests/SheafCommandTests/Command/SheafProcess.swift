#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The built command, run to its end with its output captured.
struct SheafProcess {
  let status: Int32
  let output: String
  let errors: String

  /// Runs `sheaf` from the directory that the tests were built into.
  static func run(_ arguments: [String]) throws -> SheafProcess {
    let outputPipe = try Pipe()
    let errorPipe = try Pipe()
    let path = builtProducts() + "/sheaf"
    var argv: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) }
    argv.append(nil)
    defer { for argument in argv { free(argument) } }

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, outputPipe.writing, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, errorPipe.writing, STDERR_FILENO)

    var child: pid_t = 0
    let error = posix_spawn(&child, path, &actions, nil, argv, environ)
    close(outputPipe.writing)
    close(errorPipe.writing)
    guard error == 0 else { throw CannotRun(path: path, error: error) }
    // Both stay far below what a pipe holds, so one after the other is enough.
    let output = outputPipe.readAll()
    let errors = errorPipe.readAll()
    var status: Int32 = 0
    while waitpid(child, &status, 0) == -1, errno == EINTR {}
    return SheafProcess(
      status: (status & 0x7F) == 0 ? (status >> 8) & 0xFF : -(status & 0x7F), output: output, errors: errors)
  }

  struct CannotRun: Error {
    let path: String
    let error: Int32
  }

  /// The test bundle and the command are built side by side.
  private static func builtProducts() -> String {
    let executable = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
    let bundle = executable.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    return bundle.joined(separator: "/")
  }

  private struct Pipe {
    let reading: Int32
    let writing: Int32

    init() throws {
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { throw CannotRun(path: "pipe", error: errno) }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      (reading, writing) = (ends[0], ends[1])
    }

    func readAll() -> String {
      defer { close(reading) }
      var bytes: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: 4096)
      while case let count = read(reading, &chunk, chunk.count), count > 0 { bytes += chunk[..<count] }
      return String(decoding: bytes, as: UTF8.self)
    }
  }
}
