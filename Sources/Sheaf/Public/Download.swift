import SheafCore
import Synchronization

/// One file being fetched, from one source or several.
///
/// ```swift
/// let download = try Download("https://example.org/big.iso", to: .directory("."))
/// download.start()
/// for await event in download.events { print(event) }
/// let file = try await download.value
/// ```
///
/// Letting go of a download does not stop it; `stop()` does.
public final class Download: Sendable {
  /// News of the download, for one reader.
  public let events = DownloadEvents()

  private let run: DownloadRun
  private let state = Mutex(State.ready)

  private enum State {
    case ready
    case executing(waiters: [CheckedContinuation<Result<DownloadResult, DownloadError>, Never>])
    case finished(Result<DownloadResult, DownloadError>)
  }

  /// Prepares a download; nothing happens before `start()` or `value`.
  /// - Throws: `DownloadError` with code `usage` if the URL or an option makes no sense.
  public init(_ url: String, to destination: Destination, options: DownloadOptions = DownloadOptions())
    throws(DownloadError)
  {
    do throws(Failure) {
      let (location, target) = try Self.checked(url, to: destination, options: options)
      run = try DownloadRun(location, target: target, options: options, channel: events.channel)
    } catch {
      throw DownloadError(error)
    }
  }

  /// Prepares a repair.
  init(_ location: Location, target: Target, options: DownloadOptions, repairing order: RepairOrder) throws(Failure) {
    run = try DownloadRun(location, target: target, options: options, channel: events.channel, repairing: order)
  }

  /// The path that a download with these arguments would give its file, without making one.
  /// - Throws: what making it would throw.
  package static func target(
    of url: String, to destination: Destination, options: DownloadOptions
  ) throws(DownloadError) -> String {
    do throws(Failure) {
      return try checked(url, to: destination, options: options).1.path
    } catch {
      throw DownloadError(error)
    }
  }

  private static func checked(
    _ url: String, to destination: Destination, options: DownloadOptions
  ) throws(Failure) -> (Location, Target) {
    try options.check()
    let location = try Location(ofDownload: url)
    return (location, try Target(destination, urlPath: location.path))
  }

  /// Starts the download, once; further calls change nothing.
  public func start() {
    let isFirst = state.withLock { state in
      guard case .ready = state else { return false }
      state = .executing(waiters: [])
      return true
    }
    if isFirst { run.start { [self] in finish($0.mapError { DownloadError($0) }) } }
  }

  /// Starts the download as `start()` does. Its news go to `listener`, on whatever thread they happen, instead of to
  /// `events`; it must not block.
  package func start(telling listener: @escaping @Sendable (DownloadEvent) -> Void) {
    events.channel.listen(listener)
    start()
  }

  /// Stops the download after a last checkpoint. `value` then throws `interrupted`, and the part file and
  /// manifest stay, so that the same download can continue later, in this or another process. Before `start()` and
  /// after the end it changes nothing.
  public func stop() {
    let isExecuting = state.withLock { if case .executing = $0 { true } else { false } }
    if isExecuting { Task { [run] in await run.stop() } }
  }

  /// The result, when there is one; starts the download if that has not happened.
  ///
  /// Cancelling the waiting task stops the download as `stop()` does.
  /// - Throws: `DownloadError`.
  public var value: DownloadResult {
    get async throws(DownloadError) {
      start()
      let result = await withTaskCancellationHandler {
        await withCheckedContinuation { wait($0) }
      } onCancel: {
        stop()
      }
      return try result.get()
    }
  }

  private func wait(_ waiter: CheckedContinuation<Result<DownloadResult, DownloadError>, Never>) {
    let finished = state.withLock { state -> Result<DownloadResult, DownloadError>? in
      if case .finished(let result) = state { return result }
      if case .executing(let waiters) = state { state = .executing(waiters: waiters + [waiter]) }
      return nil
    }
    if let finished { waiter.resume(returning: finished) }
  }

  private func finish(_ result: Result<DownloadResult, DownloadError>) {
    events.channel.finish()
    let old = state.withLock { state in
      defer { state = .finished(result) }
      return state
    }
    guard case .executing(let waiters) = old else { return }
    for waiter in waiters { waiter.resume(returning: result) }
  }
}

extension DownloadOptions {
  /// - Throws: a usage failure for values that cannot be obeyed.
  func check() throws(Failure) {
    guard (1...256).contains(connections) else { throw Failure(.usage, "connections must be 1 to 256") }
    if let split, split < 1 { throw Failure(.usage, "split must be at least 1") }
    guard minimumSplitSize ?? 1 >= 1 else { throw Failure(.usage, "the minimum split size must be at least 1 byte") }
    guard maximumTries >= 0 else { throw Failure(.usage, "the number of tries must not be negative") }
    guard timeout > .zero, connectTimeout > .zero, retryWait >= .zero, checkpointInterval > .zero else {
      throw Failure(.usage, "timeouts and intervals must be positive and waits not negative")
    }
    guard (1...16).contains(maximumSources) else { throw Failure(.usage, "sources must be 1 to 16") }
    for mirror in mirrors { _ = try Location(ofDownload: mirror) }
    for field in headers {
      let isToken =
        !field.name.isEmpty && field.name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }
      let isClean = !field.value.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
      guard isToken && isClean else { throw Failure(.usage, "'\(printable(field.name))' is not a header field") }
    }
    for entry in resolve where ResolveEntry(entry) == nil {
      throw Failure(
        .usage, "'\(printable(entry))' names no addresses for a host", suggestion: "give one such as host:443:192.0.2.1"
      )
    }
    if let userAgent, userAgent.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
      throw Failure(.usage, "the user agent must not contain control characters")
    }
  }
}
