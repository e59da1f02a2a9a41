import Synchronization

/// Stops the downloads under way, and keeps others from beginning. May be thrown from any thread.
final class StopSwitch: Sendable {
  private struct State {
    var isThrown = false
    var running: [Int: any RunnableDownload] = [:]
    var alsoStop: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// No download begins any more.
  var isThrown: Bool { state.withLock { $0.isThrown } }

  /// Calls `action` when the switch is thrown.
  func alsoStop(_ action: @escaping @Sendable () -> Void) {
    state.withLock { $0.alsoStop = action }
  }

  /// Notes that a download begins; false if it must not.
  func enter(_ download: any RunnableDownload, _ index: Int) -> Bool {
    state.withLock { state in
      if !state.isThrown { state.running[index] = download }
      return !state.isThrown
    }
  }

  /// Notes that a download has ended.
  func leave(_ index: Int) {
    state.withLock { $0.running[index] = nil }
  }

  /// Asks every download under way to stop. They end a little later, after a last checkpoint.
  func stopAll() {
    let (running, action) = state.withLock { state in
      state.isThrown = true
      return (Array(state.running.values), state.alsoStop)
    }
    action?()
    // Outside the lock, for `stop` belongs to others and may take its own.
    for download in running { download.stop() }
  }
}
