#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The signals that ask the command to end, received by waiting for them instead of by handlers, so that the
/// answer may do whatever ordinary code may do.
struct TerminationSignals {
  private var set = sigset_t()

  /// Blocks SIGINT, SIGTERM and SIGHUP in this thread and all that it starts from now on; call it before any
  /// other thread exists. A signal that the parent set to be ignored (`nohup`, `&` in a script) stays so.
  ///
  /// SIGPIPE is ignored: a reader that went away must not kill the process before its last checkpoint.
  static func block() -> TerminationSignals {
    var signals = TerminationSignals()
    sigemptyset(&signals.set)
    for signal in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(signal) {
      sigaddset(&signals.set, signal)
    }
    pthread_sigmask(SIG_BLOCK, &signals.set, nil)
    signal(SIGPIPE, SIG_IGN)
    return signals
  }

  /// Blocks the thread until one of the signals has come.
  mutating func wait() {
    var received: Int32 = 0
    while sigwait(&set, &received) != 0 {}
  }

  private static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(signal, nil, &action) == 0 else { return false }
    #if canImport(Glibc)
      let handler = action.__sigaction_handler.sa_handler
    #else
      let handler = action.__sigaction_u.__sa_handler
    #endif
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
