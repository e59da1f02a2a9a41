import Synchronization

/// The thread of one event loop: it waits in its multi handle, does what it is told by others, and gives the loop its
/// turns.
///
/// What it is told, an actor's jobs and plain closures alike, waits in one queue and is done in order of arrival: two
/// words of one sender never change places. Its thread keeps it alive until `stop()`.
final class LoopThread: SerialExecutor {
  private enum Work {
    case job(UnownedJob)
    case closure(@Sendable () -> Void)
  }

  private struct State {
    var work: [Work] = []
    var isStopping = false
    /// The thread is about to wait, or does.
    var isWaiting = false
    var isOver = false
  }

  private let state = Mutex(State())
  private let multi: MultiHandle
  private let thread = JoinableThread(name: "sheaf-loop")

  init(multi: MultiHandle) { self.multi = multi }

  /// Starts the thread. Each time around it does what waits in the queue and then `turn`, which says how many
  /// milliseconds the wait after it may take.
  func start(turn: @escaping @Sendable () -> Int32) {
    thread.start { [self] in run(turn) }
  }

  func enqueue(_ job: consuming ExecutorJob) { add(.job(UnownedJob(job))) }

  /// Runs `work` on the thread, after everything that was posted or enqueued before.
  func post(_ work: @escaping @Sendable () -> Void) { add(.closure(work)) }

  var isCurrent: Bool { thread.isCurrent }

  func checkIsolated() {
    precondition(thread.isCurrent, "not on the loop's thread")
  }

  /// Ends the thread once its queue is empty, and joins it; on the thread itself it only arranges for the end. What the
  /// last work adds to the queue is still done; nobody may add anything later.
  func stop() {
    let isWaiting = state.withLock { state in
      state.isStopping = true
      return state.isWaiting
    }
    if isWaiting { multi.wakeUp() }
    thread.join()
  }

  private func add(_ work: Work) {
    let isWaiting = state.withLock { state in
      precondition(!state.isOver, "work for a loop that has ended")
      state.work.append(work)
      // The first to come wakes the thread; for the next ones it is awake already.
      defer { state.isWaiting = false }
      return state.isWaiting
    }
    if isWaiting { multi.wakeUp() }
  }

  private func run(_ turn: @Sendable () -> Int32) {
    while true {
      var (work, isOver) = state.withLock { state in
        defer { state.work = [] }
        state.isWaiting = false
        state.isOver = state.isStopping && state.work.isEmpty
        return (state.work, state.isOver)
      }
      if isOver { return }
      // One by one: what a piece of work holds on to, such as a locked file, is let go before the next one speaks.
      work.reverse()
      while let one = work.popLast() {
        switch one {
        case .job(let job): job.runSynchronously(on: asUnownedSerialExecutor())
        case .closure(let closure): closure()
        }
      }
      let timeout = turn()
      // From here on whoever adds work must wake the thread; what came before is looked after without a wait.
      let mayWait = state.withLock { state in
        state.isWaiting = state.work.isEmpty && !state.isStopping
        return state.isWaiting
      }
      multi.wait(milliseconds: mayWait ? timeout : 0)
    }
  }
}
