import SheafCore
import Synchronization

/// How busy one loop is and how many transfers it has, for others to see.
final class LoopMeter: Sendable {
  private struct State {
    var transfers = 0
    var busy = 0.0
    var sampledAt = Instant.now
    /// Seconds of processor time that the thread had used by then.
    var used = 0.0
  }

  private let state = Mutex(State())

  /// Seconds between samples.
  static let interval = 0.25

  func transferBegan() { state.withLock { $0.transfers += 1 } }

  func transferEnded() { state.withLock { $0.transfers -= 1 } }

  /// Notes the share of the time since the last sample; on the loop's thread.
  func sample(_ now: Instant) {
    let used = processorSecondsOfThisThread()
    state.withLock { state in
      let passed = now.seconds(since: state.sampledAt)
      if passed > 0 { state.busy = (used - state.used) / passed }
      state.sampledAt = now
      state.used = used
    }
  }

  /// How much processor time the thread had used at some moment, in seconds.
  struct Reading: Sendable {
    var at = Instant.now
    var used = 0.0
  }

  /// The latest sample.
  var reading: Reading { state.withLock { Reading(at: $0.sampledAt, used: $0.used) } }

  /// The share of the time since `earlier` in which the thread used a core.
  func average(since earlier: Reading) -> Double {
    let last = reading
    let passed = last.at.seconds(since: earlier.at)
    return passed > 0 ? (last.used - earlier.used) / passed : 0
  }

  func load(_ now: Instant) -> LoopSpread.Load {
    state.withLock { state in
      // A thread that waits takes no samples: an old one means silence.
      let isOld = now.seconds(since: state.sampledAt) > 2 * Self.interval
      return LoopSpread.Load(busy: isOld ? 0 : state.busy, transfers: state.transfers)
    }
  }
}
