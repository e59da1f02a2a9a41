import SheafCore

/// Publishes files whose names and bytes must be on the disk before success is reported, as many together as are waiting.
///
/// It lives on a thread of its own, so that neither opening nor checkpoints of other downloads wait for its syncs. No
/// timer holds anything back: the first file is published at once, and those that are complete meanwhile are the next group.
actor Publisher {
  nonisolated private let thread: SerialThread
  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  private var waiting: [Entry] = []
  private var isScheduled = false

  private struct Entry {
    let file: any Publication
    let continuation: CheckedContinuation<Result<Void, Failure>, Never>
  }

  /// The first of a group learns of its success with the last, so groups stay small enough for that not to matter.
  private static let largestGroup = 64

  init(thread: SerialThread) { self.thread = thread }

  /// Returns when the file has its name and both are on the disk.
  func publish(_ file: any Publication) async -> Result<Void, Failure> {
    await withCheckedContinuation { continuation in
      waiting.append(Entry(file: file, continuation: continuation))
      schedule()
    }
  }

  private func schedule() {
    guard !isScheduled, !waiting.isEmpty else { return }
    isScheduled = true
    // Behind the orders that are in the thread's queue already: they belong to this group.
    Task { publishWaiting() }
  }

  private func publishWaiting() {
    let group = waiting.prefix(Self.largestGroup)
    waiting.removeFirst(group.count)
    let results = Sheaf.publish(group.map(\.file), isDurable: true)
    for (entry, result) in zip(group, results) { entry.continuation.resume(returning: result) }
    isScheduled = false
    schedule()
  }
}
