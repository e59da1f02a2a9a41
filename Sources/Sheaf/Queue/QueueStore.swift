import SheafCore
import Synchronization

/// Keeps a queue's content in a file: the newest, as soon as the disk gets round to it.
final class QueueStore: Sendable {
  private struct State {
    /// Makes what is to be written.
    var newest: (@Sendable () -> [QueueRecord])?
    var isWriting = false
    var waiters: [CheckedContinuation<Failure?, Never>] = []
  }

  private let file: StateFile
  private let disk: SerialThread
  private let state = Mutex(State())

  init(_ file: StateFile, disk: SerialThread) {
    self.file = file
    self.disk = disk
  }

  /// Has what `records` makes written, in place of what was to be written before. Of many changes in quick succession only
  /// the last one's records are made.
  func save(_ records: @escaping @Sendable () -> [QueueRecord]) {
    let isFirst = state.withLock { state in
      state.newest = records
      defer { state.isWriting = true }
      return !state.isWriting
    }
    if isFirst { disk.post { [self] in write() } }
  }

  /// Waits until what was to be saved is; returns why that was not possible, if so.
  func saved() async -> Failure? {
    await withCheckedContinuation { continuation in
      let isIdle = state.withLock { state in
        if state.isWriting { state.waiters.append(continuation) }
        return !state.isWriting
      }
      if isIdle { continuation.resume(returning: nil) }
    }
  }

  private func write() {
    var failure: Failure?
    while true {
      let (records, waiters) = state.withLock { state in
        let newest = state.newest
        state.newest = nil
        guard newest == nil else { return (newest, [CheckedContinuation<Failure?, Never>]()) }
        state.isWriting = false
        defer { state.waiters = [] }
        return (newest, state.waiters)
      }
      guard let records else {
        for waiter in waiters { waiter.resume(returning: failure) }
        return
      }
      failure = nil
      do throws(Failure) {
        try file.replace(with: records().flatMap { Array($0.line.utf8) + [UInt8(ascii: "\n")] }, isDurable: true)
      } catch {
        failure = error
      }
    }
  }
}
