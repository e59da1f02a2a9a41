import SheafCore
import Synchronization

/// Publishes files whose names and bytes must be on the disk before success is reported, as many together as are waiting.
///
/// It works on a thread of its own, so that neither opening nor checkpoints of other downloads wait for its syncs. No
/// timer holds anything back: the first file is published at once, and those that are complete meanwhile are the next group.
final class Publisher: Sendable {
  private struct Entry {
    let file: any Publication
    let done: @Sendable (Result<Void, Failure>) -> Void
  }

  private struct State {
    var waiting: [Entry] = []
    /// The thread will come to those that are waiting.
    var isScheduled = false
  }

  private let thread: SerialThread
  private let state = Mutex(State())

  /// The first of a group learns of its success with the last, so groups stay small enough for that not to matter.
  private static let largestGroup = 64

  init(thread: SerialThread) { self.thread = thread }

  /// Publishes the file soon; `done` is called on the publisher's thread when it has its name and both are on the disk, or
  /// with the reason why not.
  func publish(_ file: any Publication, done: @escaping @Sendable (Result<Void, Failure>) -> Void) {
    let mustSchedule = state.withLock { state in
      state.waiting.append(Entry(file: file, done: done))
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if mustSchedule { schedule() }
  }

  /// Returns when the file has its name and both are on the disk.
  func publish(_ file: any Publication, isolation: isolated (any Actor)? = #isolation) async -> Result<Void, Failure> {
    await withCheckedContinuation { continuation in
      publish(file) { continuation.resume(returning: $0) }
    }
  }

  private func schedule() {
    thread.post { [self] in publishWaiting() }
  }

  private func publishWaiting() {
    var group = state.withLock { state in
      let group = Array(state.waiting.prefix(Self.largestGroup))
      state.waiting.removeFirst(group.count)
      return group
    }
    let results = Sheaf.publish(group.map(\.file), isDurable: true)
    let listeners = group.map(\.done)
    // The files are let go before anybody hears of it: they are locked while they are open.
    group = []
    for (done, result) in zip(listeners, results) { done(result) }
    let isMore = state.withLock { state in
      state.isScheduled = !state.waiting.isEmpty
      return state.isScheduled
    }
    if isMore { schedule() }
  }
}
