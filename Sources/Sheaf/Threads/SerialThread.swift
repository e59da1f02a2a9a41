#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import Synchronization

/// A thread that runs actors' jobs and plain closures one after the other, so that what blocks (disks, digests) never
/// blocks the cooperative pool.
///
/// Its thread keeps it alive until `stop()`.
package final class SerialThread: SerialExecutor {
  private enum Work {
    case job(UnownedJob)
    case closure(@Sendable () -> Void)
  }

  private struct State {
    var work: [Work] = []
    var isStopping = false
  }

  private let state = Mutex(State())
  private let signal = Semaphore()
  private let thread: JoinableThread

  package init(name: String) {
    thread = JoinableThread(name: name)
    thread.start { [self] in run() }
  }

  package func enqueue(_ job: consuming ExecutorJob) { add(.job(UnownedJob(job))) }

  /// Runs `work` on the thread, after everything that was posted or enqueued before.
  func post(_ work: @escaping @Sendable () -> Void) { add(.closure(work)) }

  private func add(_ work: Work) {
    let isFirst = state.withLock { state in
      defer { state.work.append(work) }
      return state.work.isEmpty
    }
    // The thread takes all that is there at once, so it need not be told of each.
    if isFirst { signal.post() }
  }

  /// Ends the thread when the work that is waiting has been done, and joins it; on the thread itself it only arranges for
  /// that. Work added later is never done.
  package func stop() {
    state.withLock { $0.isStopping = true }
    signal.post()
    thread.join()
  }

  package func checkIsolated() {
    precondition(thread.isCurrent, "not on the thread \(thread.name)")
  }

  private func run() {
    while true {
      signal.wait()
      var (work, isStopping) = state.withLock { state in
        defer { state.work = [] }
        return (state.work, state.isStopping)
      }
      if isStopping && work.isEmpty { return }
      // One by one: what a piece of work holds on to is let go before the next one begins.
      work.reverse()
      while let one = work.popLast() {
        switch one {
        case .job(let job): job.runSynchronously(on: asUnownedSerialExecutor())
        case .closure(let closure): closure()
        }
      }
    }
  }
}
