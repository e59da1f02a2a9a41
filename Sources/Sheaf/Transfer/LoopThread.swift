import Synchronization

/// The thread of one event loop: it waits in libcurl, runs an actor's jobs, and gives the loop its turns.
///
/// Its thread keeps it alive until `stop()`.
final class LoopThread: SerialExecutor {
  private struct State {
    var jobs: [Job] = []
    var isStopping = false
    /// The thread waits in libcurl, or is about to, and must be woken.
    var isWaiting = false
  }

  private enum Job {
    case actor(UnownedJob)
    case plain(@Sendable () -> Void)
  }

  private let state = Mutex(State())
  private let multi: MultiHandle
  private let thread = JoinableThread(name: "sheaf-loop")

  init(multi: MultiHandle) { self.multi = multi }

  /// Starts the thread. After each wait it runs the waiting jobs and then `turn`, which says how many milliseconds
  /// the next wait may take.
  func start(turn: @escaping @Sendable () -> Int32) {
    thread.start { [self] in run(turn) }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    add(.actor(UnownedJob(job)))
  }

  /// Runs `work` on the thread, in order with the actor's jobs.
  func post(_ work: @escaping @Sendable () -> Void) { add(.plain(work)) }

  private func add(_ job: Job) {
    let mustWake = state.withLock { state in
      state.jobs.append(job)
      defer { state.isWaiting = false }
      return state.isWaiting
    }
    if mustWake { multi.wakeUp() }
  }

  var isCurrent: Bool { thread.isCurrent }

  func checkIsolated() {
    precondition(thread.isCurrent, "not on the loop's thread")
  }

  /// Ends the thread after the jobs that are waiting, and joins it.
  func stop() {
    state.withLock { $0.isStopping = true }
    multi.wakeUp()
    thread.join()
  }

  private func run(_ turn: @Sendable () -> Int32) {
    while true {
      let (jobs, isStopping) = state.withLock { state in
        defer { state.jobs = [] }
        return (state.jobs, state.isStopping)
      }
      for job in jobs {
        switch job {
        case .actor(let job): job.runSynchronously(on: asUnownedSerialExecutor())
        case .plain(let work): work()
        }
      }
      if isStopping && jobs.isEmpty { return }
      let timeout = turn()
      // A job that arrived meanwhile woke nobody: look before waiting.
      let hasJobs = state.withLock { state in
        state.isWaiting = state.jobs.isEmpty && !state.isStopping
        return !state.isWaiting
      }
      multi.wait(milliseconds: hasJobs ? 0 : timeout)
      state.withLock { $0.isWaiting = false }
    }
  }
}
