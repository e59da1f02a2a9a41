import Synchronization

/// Passes the news of one download on to all who want them.
final class EventHub: Sendable {
  typealias Progress = DownloadEvent.Progress

  private struct State {
    var events = Readers<DownloadEvent>()
    var progress = Readers<Progress>()
    /// What happened before the first reader came.
    var early: [DownloadEvent] = []
    var hadReader = false
    var listener: (@Sendable (DownloadEvent) -> Void)?
    var newest: Progress?
    var isFinished = false
  }

  private let state = Mutex(State())

  /// From now on `listener` gets the events too, on the sender's thread, and none are kept for readers who come later.
  func listen(_ listener: @escaping @Sendable (DownloadEvent) -> Void) {
    state.withLock { state in
      state.listener = listener
      state.hadReader = true
      state.early = []
    }
  }

  /// A new reader of events; the first one of all hears what happened before as well, if it wants to.
  func eventReader(hearsEarlier: Bool = true) -> Channel<DownloadEvent> {
    let channel = Channel<DownloadEvent> { $0.add($1) }
    state.withLock { state in
      if !state.hadReader, hearsEarlier {
        for event in state.early { channel.send(event) }
        (state.early, state.hadReader) = ([], true)
      }
      if state.isFinished { channel.finish() } else { state.events.add(channel) }
    }
    return channel
  }

  /// A new reader of progress, who hears at once how things stand.
  func progressReader() -> Channel<Progress> {
    let channel = Channel<Progress>.newest
    state.withLock { state in
      if let newest = state.newest { channel.send(newest) }
      if state.isFinished { channel.finish() } else { state.progress.add(channel) }
    }
    return channel
  }

  func send(_ event: DownloadEvent) {
    typealias Listener = @Sendable (DownloadEvent) -> Void
    let (events, progress, listener) = state.withLock {
      state -> ([Channel<DownloadEvent>], [Channel<Progress>], Listener?) in
      if !state.hadReader { state.early.add(event) }
      guard case .progress(let newest) = event else { return (state.events.present(), [], state.listener) }
      state.newest = newest
      return (state.events.present(), state.progress.present(), state.listener)
    }
    listener?(event)
    for reader in events { reader.send(event) }
    if case .progress(let newest) = event { for reader in progress { reader.send(newest) } }
  }

  /// The download is over: the sequences end.
  func finish() {
    let (events, progress) = state.withLock { state -> ([Channel<DownloadEvent>], [Channel<Progress>]) in
      state.isFinished = true
      return (state.events.removeAll(), state.progress.removeAll())
    }
    for reader in events { reader.finish() }
    for reader in progress { reader.finish() }
  }

  /// It begins again: new readers hear of it.
  func reopen() { state.withLock { $0.isFinished = false } }
}

extension [DownloadEvent] {
  /// A reader that is further behind loses the oldest.
  static var most: Int { 1000 }

  /// Adds an event to those that wait for a reader.
  mutating func add(_ event: DownloadEvent) {
    if case .progress = event, case .progress? = last { removeLast() }
    if count >= Self.most { removeFirst() }
    append(event)
  }
}
