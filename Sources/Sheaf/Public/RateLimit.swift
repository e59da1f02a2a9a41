import SheafCore
import Synchronization

/// How many bytes per second may be received, by one download or by several together.
///
/// ```swift
/// let limit = RateLimit(bytesPerSecond: 2 << 20)
/// options.limits = [limit]      // for as many downloads as share it
/// limit.bytesPerSecond = nil    // at any time, also while they run
/// ```
///
/// It counts the files' bytes as they are taken from the system. In any five seconds they differ from it by a few per cent
/// at most, as long as the servers send enough. What the system itself keeps of each connection comes at the start, as fast
/// as it can. Those who share it take turns: each transfer gets as much as any other that is fast enough.
public final class RateLimit: Sendable {
  private struct State {
    var bucket: RateBucket
    var downloads = 0
  }

  private let state: Mutex<State>

  /// Makes a limit; nil is none, for the time being.
  public init(bytesPerSecond: Int64? = nil) {
    state = Mutex(State(bucket: RateBucket(bytesPerSecond: bytesPerSecond.map { max(1, $0) }, now: .now)))
  }

  /// Bytes per second; nil is no limit. Less than 1 counts as 1. A change holds for transfers under way, too, within a
  /// quarter of a second.
  public var bytesPerSecond: Int64? {
    get { state.withLock { $0.bucket.bytesPerSecond } }
    set { state.withLock { $0.bucket.change(to: newValue.map { max(1, $0) }, now: .now) } }
  }

  // MARK: - For transfers

  /// The place of a transfer that begins.
  var turn: RateBucket.Turn { state.withLock { $0.bucket.turn } }

  func take(_ bytes: Int, now: Instant) -> RateBucket.Turn { state.withLock { $0.bucket.take(bytes, now: now) } }

  /// Seconds.
  func wait(for turn: RateBucket.Turn, now: Instant) -> Double {
    state.withLock { $0.bucket.wait(for: turn, now: now) }
  }

  // MARK: - For downloads

  func join() { state.withLock { $0.downloads += 1 } }
  func leave() { state.withLock { $0.downloads -= 1 } }

  /// What it means for one of the downloads.
  func share(now: Instant) -> OwnLimit {
    state.withLock { state in
      OwnLimit(
        bytesPerSecond: state.bucket.bytesPerSecond.map { max(1, $0 / Int64(max(1, state.downloads))) },
        isTight: state.bucket.isTight(now: now))
    }
  }
}
