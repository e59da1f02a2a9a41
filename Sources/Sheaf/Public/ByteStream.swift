import SheafCore
import Synchronization

/// The bytes of one file in order, as they come, while many connections fetch those ahead; nothing goes to a disk.
///
/// ```swift
/// let stream = try ByteStream("https://example.org/big.tar")
/// for try await chunk in stream { try handle.write(contentsOf: chunk) }
/// ```
///
/// No more than `window` bytes are fetched ahead of the reader, and that is the memory it takes. A reader who is slower than
/// the network slows it down.
///
/// The bytes are always those of one version of the file: when it changes on the server after the first of them have been
/// handed out, the stream ends with `badResponse`; before that it begins anew. A digest, whether the caller's
/// (`DownloadOptions.checksum`) or the server's, can only be compared when the last byte has been handed out: the stream
/// then ends with `checksum` instead of nil, and what was made of the bytes must be thrown away. Until the iterator has
/// returned nil, nothing is proven.
///
/// It can be read once. Cancelling the task that reads, or letting go of the iterator, stops all transfers.
public final class ByteStream: AsyncSequence, Sendable {
  /// Up to 1 MiB of the file, at least one byte.
  public typealias Element = [UInt8]
  /// How the stream failed.
  public typealias Failure = DownloadError

  /// Bytes that are fetched ahead of the reader unless the caller says otherwise: 64 MiB.
  public static let defaultWindow: Int64 = 64 << 20
  private static let largestChunk = 1 << 20

  private let hub = EventHub()
  private let run: DownloadRun
  private let state: Mutex<State>

  private struct State {
    /// Where the next chunk begins.
    var position: Int64
    var generation: Int?
    var isStarted = false
    var isAtEnd = false
    var result: Result<DownloadResult, DownloadError>?
    /// They wait for the result after the last byte.
    var waiters: [CheckedContinuation<Result<DownloadResult, DownloadError>, Never>] = []
  }

  /// Prepares a stream; nothing happens before the first chunk is asked for.
  ///
  /// - Parameters:
  ///   - url: an http or https URL.
  ///   - start: the offset of the first byte that is wanted. Where it is not 0, nothing is compared with digests, which are
  ///     those of whole files; a file with fewer bytes ends the stream with `badResponse`.
  ///   - window: the number of bytes that are fetched ahead of the reader, at least 1. Below a few MiB, few connections find
  ///     something to do.
  ///   - options: of these, what is about files and checkpoints means nothing here.
  /// - Throws: `DownloadError` with code `usage` if the URL, a number or an option makes no sense.
  public convenience init(
    _ url: String, from start: Int64 = 0, window: Int64 = ByteStream.defaultWindow,
    options: DownloadOptions = DownloadOptions()
  ) throws(DownloadError) {
    try self.init(url, from: start, window: window, options: options, engine: nil)
  }

  init(_ url: String, from start: Int64, window: Int64, options: DownloadOptions, engine: Engine?)
    throws(DownloadError)
  {
    do throws(SheafCore.Failure) {
      try options.check()
      let location = try Location(ofDownload: url)
      guard start == 0 || options.verification != .require else {
        throw SheafCore.Failure(
          .usage, "a stream that begins within the file cannot be compared with anything",
          suggestion: "begin at 0, or do not require it")
      }
      let target = try Target(.directory("."), urlPath: location.path)
      let order = try StreamOrder(start: start, window: window, name: target.name)
      run = try DownloadRun(
        location, target: target, options: options, channel: hub, streaming: order,
        limits: [RateLimit(bytesPerSecond: options.bytesPerSecond)], engine: engine)
    } catch {
      throw DownloadError(error)
    }
    state = Mutex(State(position: start))
  }

  /// Makes the iterator. A second one would go on where the first one is, and end with it.
  public func makeAsyncIterator() -> Iterator { Iterator(lease: Lease(self)) }

  /// News of the stream from now on; for the first reader of all, from its beginning.
  public var events: Updates<DownloadEvent> { Updates(channel: hub.eventReader()) }

  /// News go to `listener`, on whatever thread they happen, instead of to `events`; it must not block.
  package func listen(_ listener: @escaping @Sendable (DownloadEvent) -> Void) { hub.listen(listener) }

  /// What the stream was, once it has ended well; nil before. Its `bytes` are those that were handed out, and its `path` is
  /// only the file's name.
  public var result: DownloadResult? { state.withLock { try? $0.result?.get() } }

  /// Stops all transfers. Chunks that are there already can still be read; then the iterator throws `interrupted`.
  public func stop() {
    let isRunning = state.withLock { $0.isStarted && $0.result == nil }
    if isRunning { Task { [run] in await run.stop() } }
  }

  /// Waits for one chunk after the other.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let lease: Lease

    /// The next chunk; nil when all bytes have been handed out and are what they should be.
    /// - Throws: how the stream failed; `interrupted` if the task was cancelled.
    public mutating func next() async throws(DownloadError) -> [UInt8]? { try await lease.stream.next() }

    /// The same; the isolation makes no difference.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(DownloadError) -> [UInt8]? {
      try await lease.stream.next()
    }
  }

  /// Stops the stream when the last copy of its iterator goes.
  fileprivate final class Lease: Sendable {
    let stream: ByteStream
    init(_ stream: ByteStream) { self.stream = stream }
    deinit { stream.stop() }
  }

  private func next() async throws(DownloadError) -> [UInt8]? {
    start()
    let (position, generation, isAtEnd) = state.withLock { ($0.position, $0.generation, $0.isAtEnd) }
    if isAtEnd { return nil }
    do throws(SheafCore.Failure) {
      if let next = try await run.bytes(from: position, atMost: Self.largestChunk, generation: generation) {
        state.withLock { state in
          state.position += Int64(next.bytes.count)
          state.generation = next.generation
        }
        return next.bytes
      }
    } catch {
      // A reader who goes leaves nobody who could use the rest.
      if Task.isCancelled { stop() }
      throw DownloadError(error)
    }
    _ = try await end().get()
    state.withLock { $0.isAtEnd = true }
    return nil
  }

  private func start() {
    let isFirst = state.withLock { state in
      defer { state.isStarted = true }
      return !state.isStarted
    }
    if isFirst { run.start { [self] in finish($0.mapError { DownloadError($0) }) } }
  }

  /// The run is over: a moment after the last byte.
  private func end() async -> Result<DownloadResult, DownloadError> {
    await withCheckedContinuation { continuation in
      let result = state.withLock { state in
        if state.result == nil { state.waiters.append(continuation) }
        return state.result
      }
      if let result { continuation.resume(returning: result) }
    }
  }

  private func finish(_ result: Result<DownloadResult, DownloadError>) {
    hub.finish()
    let waiters = state.withLock { state in
      state.result = result
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume(returning: result) }
  }
}
