#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import Synchronization

/// A thread that runs an actor's jobs one after the other, so that what blocks (disks, digests) never blocks the
/// cooperative pool.
///
/// Its thread keeps it alive until `stop()`.
final class SerialThread: SerialExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    var isStopping = false
  }

  private let state = Mutex(State())
  private let signal = Semaphore()
  private let thread: JoinableThread

  init(name: String) {
    thread = JoinableThread(name: name)
    thread.start { [self] in run() }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.jobs.append(job) }
    signal.post()
  }

  /// Ends the thread when the jobs that are waiting have run, and joins it; on the thread itself it only arranges for that.
  /// Jobs enqueued later never run.
  func stop() {
    state.withLock { $0.isStopping = true }
    signal.post()
    thread.join()
  }

  func checkIsolated() {
    precondition(thread.isCurrent, "not on the thread \(thread.name)")
  }

  private func run() {
    while true {
      signal.wait()
      let (jobs, isStopping) = state.withLock { state in
        defer { state.jobs = [] }
        return (state.jobs, state.isStopping)
      }
      for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
      if isStopping && jobs.isEmpty { return }
    }
  }
}
