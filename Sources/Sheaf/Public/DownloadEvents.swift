import Synchronization

/// The news of one download, in order, for one reader.
///
/// Of progress only the newest is kept, so a slow reader, or none, costs no memory; nothing else is ever lost. The
/// sequence ends when the download has ended.
public struct DownloadEvents: AsyncSequence, Sendable {
  /// What the sequence consists of.
  public typealias Element = DownloadEvent
  /// The sequence itself never fails; the download's error comes from `Download.value`.
  public typealias Failure = Never

  let channel = EventChannel()

  init() {}

  /// Makes the iterator; two at the same time would share the events between them.
  public func makeAsyncIterator() -> Iterator { Iterator(channel: channel) }

  /// Waits for one event after the other.
  public struct Iterator: AsyncIteratorProtocol {
    let channel: EventChannel

    /// The next event; nil when the download has ended or the waiting task is cancelled.
    public mutating func next() async -> DownloadEvent? { await channel.next() }
  }
}

/// The queue behind `DownloadEvents`.
final class EventChannel: Sendable {
  private struct State {
    var events: [DownloadEvent] = []
    var waiter: CheckedContinuation<DownloadEvent?, Never>?
    var isFinished = false
    var listener: (@Sendable (DownloadEvent) -> Void)?
  }

  private let state = Mutex(State())

  /// From now on `listener` gets the events instead of the sequence, on the sender's thread.
  func listen(_ listener: @escaping @Sendable (DownloadEvent) -> Void) {
    state.withLock { $0.listener = listener }
  }

  func send(_ event: DownloadEvent) {
    if let listener = state.withLock({ $0.listener }) { return listener(event) }
    let waiter = state.withLock { state -> CheckedContinuation<DownloadEvent?, Never>? in
      if let waiter = state.waiter {
        state.waiter = nil
        return waiter
      }
      if case .progress = event, case .progress? = state.events.last { state.events.removeLast() }
      state.events.append(event)
      return nil
    }
    waiter?.resume(returning: event)
  }

  func finish() {
    let waiter = state.withLock { state in
      state.isFinished = true
      defer { state.waiter = nil }
      return state.waiter
    }
    waiter?.resume(returning: nil)
  }

  func next() async -> DownloadEvent? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (earlier, event) = state.withLock {
          state -> (CheckedContinuation<DownloadEvent?, Never>?, DownloadEvent??) in
          if !state.events.isEmpty { return (nil, state.events.removeFirst()) }
          if state.isFinished || Task.isCancelled { return (nil, .some(nil)) }
          // A second reader takes the place of the first.
          defer { state.waiter = continuation }
          return (state.waiter, nil)
        }
        earlier?.resume(returning: nil)
        if let event { continuation.resume(returning: event) }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        defer { state.waiter = nil }
        return state.waiter
      }
      waiter?.resume(returning: nil)
    }
  }
}
