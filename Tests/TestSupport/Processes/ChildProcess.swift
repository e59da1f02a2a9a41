import CSpawn

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A running program, all of whose output is kept.
///
/// May be used from any thread. The process is killed when the last reference goes.
package final class ChildProcess: Sendable {
  package enum Stream: Sendable {
    case output
    case errors
  }

  package struct Result: Sendable {
    package let status: ExitStatus
    package let output: String
    package let errors: String
    /// The largest resident size, in bytes.
    package let peakMemory: Int64
    /// User and system time, in seconds.
    package let processorTime: Double
  }

  private struct Captured: Sendable {
    var bytes: [UInt8] = []
    var hasEnded = false

    var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  private struct State: Sendable {
    var output = Captured()
    var errors = Captured()
    var isReaped = false
    var status: ExitStatus?
    var peakMemory: Int64 = 0
    var processorTime = 0.0
    var waiting: [CheckedContinuation<Result, Never>] = []

    subscript(stream: Stream) -> Captured {
      get { stream == .output ? output : errors }
      _modify {
        switch stream {
        case .output: yield &output
        case .errors: yield &errors
        }
      }
    }
  }

  package let pid: Int32
  private let state = Monitor(State())

  /// Starts a program; a name without a slash is looked for in PATH.
  ///
  /// It gets no input, no other open descriptor, default signal actions, and this process's environment changed as
  /// said: nil removes a variable.
  package init(
    _ program: String, _ arguments: [String] = [], environment: [String: String?] = [:], directory: String? = nil
  ) throws(SystemCallFailure) {
    let output = try makePipe()
    let errors = try makePipe()
    defer {
      close(output.write)
      close(errors.write)
    }
    do {
      pid = try Self.spawn(
        program, arguments, Self.environment(changed: environment), directory, output.write, errors.write)
    } catch {
      close(output.read)
      close(errors.read)
      throw error
    }
    // The threads hold the state, not the child, so that the child can be let go while they run.
    let (pid, state) = (pid, state)
    try Self.start { Self.drain(output.read, into: state, .output) }
    try Self.start { Self.drain(errors.read, into: state, .errors) }
    try Self.start { Self.reap(pid, state) }
  }

  deinit {
    kill(SIGKILL)
  }

  /// Runs a program to its end.
  package static func run(
    _ program: String, _ arguments: [String] = [], environment: [String: String?] = [:], directory: String? = nil
  ) async throws -> Result {
    try await ChildProcess(program, arguments, environment: environment, directory: directory).result()
  }

  /// Sends a signal, unless the process is known to have ended.
  package func kill(_ signal: CInt) {
    // Under the lock: once reaped, the number may be another process's.
    state.withLock { state in
      #if canImport(Glibc)
        if !state.isReaped { _ = Glibc.kill(pid, signal) }
      #else
        if !state.isReaped { _ = Darwin.kill(pid, signal) }
      #endif
    }
  }

  /// Blocks the thread until the process and its output have ended.
  @discardableResult
  package func wait() -> ExitStatus {
    state.wait { Self.result($0)?.status } ?? .exited(-1)
  }

  /// Blocks until the process has ended or `seconds` have passed; whether it has ended.
  package func hasEnded(within seconds: Double) -> Bool {
    state.wait(seconds: seconds) { $0.status != nil ? true : nil } ?? false
  }

  /// Waits, without blocking a thread, until the process and its output have ended.
  package func result() async -> Result {
    await withCheckedContinuation { continuation in
      let known = state.withLock { state in
        let known = Self.result(state)
        if known == nil { state.waiting.append(continuation) }
        return known
      }
      if let known { continuation.resume(returning: known) }
    }
  }

  /// What the process has written so far.
  package func text(of stream: Stream) -> String {
    state.read { $0[stream].text }
  }

  /// Blocks until a whole line that contains `text` has been written, and returns it. Nil when the stream ends, or
  /// `seconds` pass, without one.
  package func line(containing text: String, in stream: Stream = .output, seconds: Double = 30) -> String? {
    let found: String?? = state.wait(seconds: seconds) { state in
      let lines = state[stream].text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      if let line = lines.first(where: { $0.contains(text) }) { return .some(String(line)) }
      return state[stream].hasEnded ? .some(nil) : nil
    }
    return found ?? nil
  }

  private static func result(_ state: State) -> Result? {
    guard let status = state.status, state.output.hasEnded, state.errors.hasEnded else { return nil }
    return Result(
      status: status, output: state.output.text, errors: state.errors.text, peakMemory: state.peakMemory,
      processorTime: state.processorTime)
  }

  /// Changes the state and tells those who wait for the end, if this was it.
  private static func change(_ state: Monitor<State>, _ body: (inout State) -> Void) {
    let (waiting, result) = state.withLock { state in
      body(&state)
      guard let result = Self.result(state) else { return ([CheckedContinuation<Result, Never>](), Result?.none) }
      defer { state.waiting = [] }
      return (state.waiting, result)
    }
    guard let result else { return }
    for continuation in waiting { continuation.resume(returning: result) }
  }

  private static func drain(_ descriptor: CInt, into state: Monitor<State>, _ stream: Stream) {
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = read(descriptor, &piece, piece.count)
      if count > 0 {
        state.withLock { $0[stream].bytes += piece[..<count] }
      } else if count == 0 || errno != EINTR {
        break
      }
    }
    close(descriptor)
    change(state) { $0[stream].hasEnded = true }
  }

  private static func reap(_ pid: pid_t, _ state: Monitor<State>) {
    var information = siginfo_t()
    while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    change(state) { state in
      var status: CInt = 0
      var usage = rusage()
      wait4(pid, &status, 0, &usage)
      state.isReaped = true
      state.status = ExitStatus(waitStatus: status)
      #if os(Linux)
        state.peakMemory = Int64(usage.ru_maxrss) * 1024
      #else
        state.peakMemory = Int64(usage.ru_maxrss)
      #endif
      state.processorTime =
        Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
        + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
    }
  }

  /// A thread that ends with the process; nobody needs to join it.
  private static func start(_ body: @escaping @Sendable () -> Void) throws(SystemCallFailure) {
    try JoinableThread(body).detach()
  }

  private static func environment(changed changes: [String: String?]) -> [String] {
    var variables: [String] = []
    var next = environ
    while let variable = next.pointee {
      let text = String(cString: variable)
      if !changes.keys.contains(String(text.prefix { $0 != "=" })) { variables.append(text) }
      next += 1
    }
    return variables + changes.compactMap { name, value in value.map { "\(name)=\($0)" } }
  }

  private static func spawn(
    _ program: String, _ arguments: [String], _ environment: [String], _ directory: String?, _ output: CInt,
    _ errors: CInt
  ) throws(SystemCallFailure) -> pid_t {
    #if os(Linux)
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #else
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_adddup2(&actions, errors, 2)
    if let directory { posix_spawn_file_actions_addchdir_np(&actions, directory) }
    var flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
    #if os(Linux)
      // Not even what another thread has opened this moment and not yet marked close-on-exec.
      posix_spawn_file_actions_addclosefrom_np(&actions, 3)
    #else
      flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
    #endif
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGINT, SIGTERM, SIGPIPE, SIGHUP, SIGQUIT] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(flags))

    var argumentPointers = ([program] + arguments).map { strdup($0) } + [nil]
    var environmentPointers = environment.map { strdup($0) } + [nil]
    defer { for pointer in argumentPointers + environmentPointers { free(pointer) } }
    var pid = pid_t()
    let code = posix_spawnp(&pid, program, &actions, &attributes, &argumentPointers, &environmentPointers)
    guard code == 0 else { throw SystemCallFailure("start \(program)", code: code) }
    return pid
  }
}
