import Synchronization

/// What waits for one reader.
final class Channel<Element: Sendable>: Sendable {
  private struct State {
    var waiting: [Element] = []
    var reader: CheckedContinuation<Element?, Never>?
    var isFinished = false
  }

  /// Adds one to those that wait.
  private let add: @Sendable (inout [Element], Element) -> Void
  private let state = Mutex(State())

  init(_ add: @escaping @Sendable (inout [Element], Element) -> Void) { self.add = add }

  /// Only the newest waits.
  static var newest: Channel { Channel { $0 = [$1] } }

  func send(_ element: Element) {
    let reader = state.withLock { state -> CheckedContinuation<Element?, Never>? in
      if let reader = state.reader {
        state.reader = nil
        return reader
      }
      add(&state.waiting, element)
      return nil
    }
    reader?.resume(returning: element)
  }

  /// Nothing more will come.
  func finish() {
    let reader = state.withLock { state in
      state.isFinished = true
      defer { state.reader = nil }
      return state.reader
    }
    reader?.resume(returning: nil)
  }

  func next() async -> Element? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (earlier, element) = state.withLock {
          state -> (CheckedContinuation<Element?, Never>?, Element??) in
          if !state.waiting.isEmpty { return (nil, state.waiting.removeFirst()) }
          if state.isFinished || Task.isCancelled { return (nil, .some(nil)) }
          // A second reader takes the place of the first.
          defer { state.reader = continuation }
          return (state.reader, nil)
        }
        earlier?.resume(returning: nil)
        if let element { continuation.resume(returning: element) }
      }
    } onCancel: {
      let reader = state.withLock { state in
        defer { state.reader = nil }
        return state.reader
      }
      reader?.resume(returning: nil)
    }
  }
}

/// The readers of one kind of news. One that nobody holds any more is forgotten.
struct Readers<Element: Sendable>: Sendable {
  private struct Reader: Sendable {
    weak var channel: Channel<Element>?
  }

  private var readers: [Reader] = []

  var isEmpty: Bool { readers.isEmpty }

  mutating func add(_ channel: Channel<Element>) { readers.append(Reader(channel: channel)) }

  /// Those that are still there; they are to be told outside the lock that guards this.
  mutating func present() -> [Channel<Element>] {
    if readers.isEmpty { return [] }
    let present = readers.compactMap(\.channel)
    if present.count < readers.count { readers.removeAll { $0.channel == nil } }
    return present
  }

  mutating func removeAll() -> [Channel<Element>] {
    defer { readers = [] }
    return readers.compactMap(\.channel)
  }
}
