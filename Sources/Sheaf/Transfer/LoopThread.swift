import Synchronization

/// The thread of one event loop: it waits in libcurl, runs an actor's jobs, and gives the loop its turns.
///
/// Its thread keeps it alive until `stop()`.
final class LoopThread: SerialExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    var isStopping = false
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
    let job = UnownedJob(job)
    let isFirst = state.withLock { state in
      state.jobs.append(job)
      return state.jobs.count == 1
    }
    if isFirst && !thread.isCurrent { multi.wakeUp() }
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
      for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
      if isStopping && jobs.isEmpty { return }
      let timeout = turn()
      // A job that arrived meanwhile from this thread woke nobody: look before waiting.
      let hasJobs = state.withLock { !$0.jobs.isEmpty || $0.isStopping }
      multi.wait(milliseconds: hasJobs ? 0 : timeout)
    }
  }
}
