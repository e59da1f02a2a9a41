#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import Dispatch
import SheafCore
import Synchronization

/// Runs hooks beside the downloads, in the order in which they were called and a limited number at once.
final class HookRunner: Sendable {
  private struct State {
    var waiting: ArraySlice<(call: HookCall, index: Int)> = []
    var running = 0
    var drained: [CheckedContinuation<Void, Never>] = []
  }

  let hooks: Hooks
  /// Told of programs that cannot be run.
  private let warn: @Sendable (String, Int) -> Void
  private let state = Mutex(State())
  /// Each of its threads waits for one program.
  private let queue = DispatchQueue(label: "sheaf-hooks", attributes: .concurrent)

  private static let most = 16

  /// - Parameter warn: told what cannot be run, and for which download.
  init(_ hooks: Hooks, warn: @escaping @Sendable (String, Int) -> Void) {
    self.hooks = hooks
    self.warn = warn
  }

  /// Runs `call` when its turn comes; returns at once.
  /// - Parameter index: the download's place in the run.
  func run(_ call: HookCall?, of index: Int) {
    guard let call else { return }
    state.withLock { $0.waiting.append((call, index)) }
    startNext()
  }

  /// Returns when every call has been started. Those still running are left to themselves.
  func drain() async {
    await withCheckedContinuation { continuation in
      let isDrained = state.withLock { state in
        if !state.waiting.isEmpty { state.drained.append(continuation) }
        return state.waiting.isEmpty
      }
      if isDrained { continuation.resume() }
    }
  }

  private func startNext() {
    while true {
      let next = state.withLock { state -> (call: HookCall, index: Int)? in
        guard state.running < Self.most, let next = state.waiting.popFirst() else { return nil }
        state.running += 1
        return next
      }
      guard let (call, index) = next else { return }
      // At once, so that the end of the run need not wait for a thread.
      let child = spawn(call)
      if child == nil {
        warn("the hook \(printable(call.command)) cannot be run: \(String(cString: strerror(errno)))", index)
      }
      queue.async { [self] in
        if let child { Self.reap(child) }
        state.withLock { $0.running -= 1 }
        startNext()
      }
      let drained = state.withLock { state in
        guard state.waiting.isEmpty else { return [CheckedContinuation<Void, Never>]() }
        defer { state.drained = [] }
        return state.drained
      }
      for waiter in drained { waiter.resume() }
    }
  }

  private static func reap(_ child: pid_t) {
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 && errno == EINTR {}
  }

  /// Without a shell, with no input, and with its output on standard error, for standard output is for results.
  private func spawn(_ call: HookCall) -> pid_t? {
    var actions = SpawnActions()
    defer { actions.destroy() }
    var environment: [String] = []
    let added = Set(call.environment.map(\.name))
    var place = environ
    while let entry = place.pointee {
      let text = String(cString: entry)
      if !added.contains(String(text.prefix { $0 != "=" })) { environment.append(text) }
      place += 1
    }
    // A NUL cannot be passed on.
    environment += call.environment.map { "\($0.name)=\($0.value.prefix { $0 != "\0" })" }
    return actions.spawn(call.command, [call.command] + call.arguments, environment)
  }
}

/// What `posix_spawnp` is told of a hook's streams and signals.
private struct SpawnActions {
  private var files = posix_spawn_file_actions_t()
  private var attributes = posix_spawnattr_t()

  init() {
    posix_spawn_file_actions_init(&files)
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO)
    posix_spawnattr_init(&attributes)
    // This process blocks the signals that end it, and ignores SIGPIPE; a program expects neither.
    var none = sigset_t()
    var pipe = sigset_t()
    sigemptyset(&none)
    sigemptyset(&pipe)
    sigaddset(&pipe, SIGPIPE)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &pipe)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
  }

  mutating func destroy() {
    posix_spawn_file_actions_destroy(&files)
    posix_spawnattr_destroy(&attributes)
  }

  /// The process; nil with `errno` if there is none.
  mutating func spawn(_ program: String, _ arguments: [String], _ environment: [String]) -> pid_t? {
    let arguments = arguments.map { strdup($0) }
    let environment = environment.map { strdup($0) }
    defer { for text in arguments + environment { free(text) } }
    var child: pid_t = 0
    let error = posix_spawnp(&child, program, &files, &attributes, arguments + [nil], environment + [nil])
    guard error == 0 else {
      errno = error
      return nil
    }
    return child
  }
}
