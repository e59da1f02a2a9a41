import CSystem
#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import Synchronization

/// A thread of the system that is joined by whoever ends it.
final class JoinableThread: Sendable {
  let name: String
  private let handle = Mutex<Handle?>(nil)

  /// Unchecked: `pthread_t` is a name for a thread; using it from another thread is what it is for.
  private struct Handle: @unchecked Sendable {
    let thread: pthread_t
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    let name: String
    init(name: String, run: @escaping @Sendable () -> Void) {
      self.name = name
      self.run = run
    }
  }

  init(name: String) { self.name = name }

  /// Starts the thread; once.
  /// - Precondition: the system can make another thread. It cannot only when its memory or process table is full.
  func start(_ run: @escaping @Sendable () -> Void) {
    let body = Unmanaged.passRetained(Body(name: name, run: run))
    handle.withLock { handle in
      #if canImport(Glibc)
        var thread = pthread_t()
      #else
        var thread: pthread_t?
      #endif
      let status = pthread_create(
        &thread, nil,
        { context in
          #if canImport(Glibc)
            guard let context else { return nil }
          #endif
          let body = Unmanaged<Body>.fromOpaque(context).takeRetainedValue()
          CSystem_nameThread(body.name)
          JoinableThread.leaveSignalsToOthers()
          body.run()
          return nil
        }, body.toOpaque())
      precondition(status == 0, "cannot start thread \(name): error \(status)")
      #if canImport(Glibc)
        handle = Handle(thread: thread)
      #else
        handle = thread.map(Handle.init)
      #endif
    }
  }

  /// Signals are for the program's own threads. Above all, a TLS connection that the server has closed must not end the
  /// program with SIGPIPE: libcurl leaves that to its caller when it may not touch signals.
  private static func leaveSignalsToOthers() {
    var signals = sigset_t()
    sigfillset(&signals)
    // What a fault of our own raises must stay deadly.
    for fault in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT] { sigdelset(&signals, fault) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Whether the caller runs on this thread.
  var isCurrent: Bool {
    guard let handle = handle.withLock({ $0 }) else { return false }
    return pthread_equal(handle.thread, pthread_self()) != 0
  }

  /// Waits for the thread's end; once. Called on the thread itself, where nobody can wait for it any more, it lets the
  /// thread go.
  func join() {
    guard let handle = handle.withLock({ $0 }) else { return }
    if isCurrent {
      pthread_detach(handle.thread)
    } else {
      pthread_join(handle.thread, nil)
    }
  }
}
