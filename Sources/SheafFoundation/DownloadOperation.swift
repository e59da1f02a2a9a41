public import Foundation
public import Sheaf
import Synchronization

/// A download as an operation, for code that is built on `OperationQueue`.
///
/// ```swift
/// let operation = DownloadOperation(try Download(url, to: .directory("downloads")))
/// operation.onProgress { progress in bar.doubleValue = progress.fraction ?? 0 }
/// operation.onCompletion { result in … }
/// queue.addOperation(operation)
/// ```
///
/// The operation is executing from its start until its download has finished, failed or been cancelled; then it has
/// finished, whatever came of it, and leaves its queue. A paused one is still executing and keeps its place: an
/// operation cannot give it back, and to those that depend on it it must not seem done. Where a paused download should make
/// room for others, use `DownloadQueue`. As any operation, it runs once; `Download.retry()` and a new operation start its
/// download again.
public final class DownloadOperation: Operation, @unchecked Sendable {
  // Unchecked because `Operation` is a class that others subclass; all that is added here is in `state`.

  /// What is carried out.
  public let download: Download

  private struct State {
    var phase = Phase.ready
    var keepsPartial = false
  }

  private enum Phase {
    case ready, executing, finished
  }

  private let state = Mutex(State())

  /// Prepares an operation for a download that has not been started, or was paused.
  public init(_ download: Download) {
    self.download = download
    super.init()
  }

  /// Prepares an operation for a file to be fetched.
  /// - Throws: `DownloadError` with code `usage` if the URL or an option makes no sense.
  public convenience init(_ url: URL, to destination: Destination, options: DownloadOptions = DownloadOptions())
    throws(DownloadError)
  {
    self.init(try Download(url, to: destination, options: options))
  }

  /// Whether cancelling leaves what there is for a later download to continue with; false removes it.
  public var keepsPartial: Bool {
    get { state.withLock { $0.keepsPartial } }
    set { state.withLock { $0.keepsPartial = newValue } }
  }

  /// What came of the download; nil until the operation has finished.
  public var result: Result<DownloadResult, DownloadError>? { isFinished ? download.result : nil }

  /// Has `handler` called with the newest progress, until the end.
  public func onProgress(
    on delivery: Delivery = .main, _ handler: @escaping @Sendable (DownloadEvent.Progress) -> Void
  ) {
    download.observeProgress(on: delivery, handler)
  }

  /// Has `handler` called once, when the download has finished, failed or been cancelled.
  public func onCompletion(
    on delivery: Delivery = .main, _ handler: @escaping @Sendable (Result<DownloadResult, DownloadError>) -> Void
  ) {
    download.whenEnded(on: delivery, handler)
  }

  // MARK: - Pausing

  /// The download is paused, or about to be. The operation is executing all the same, or not started yet.
  public var isPaused: Bool { [.pausing, .paused].contains(download.state) }

  /// Pauses the download. Before its start nothing happens: what waits in a queue costs nothing.
  public func pause() { if isExecuting { download.pause() } }

  /// Goes on with the download.
  public func resume() { if isExecuting { download.resume() } }

  // MARK: - An operation's own

  /// It does not keep a thread of its queue's busy.
  public override var isAsynchronous: Bool { true }

  /// It has been started and its download has not ended.
  public override var isExecuting: Bool { state.withLock { $0.phase == .executing } }

  /// Its download has ended, or it was cancelled before its start.
  public override var isFinished: Bool { state.withLock { $0.phase == .finished } }

  /// Starts the download; the operation's queue calls it.
  public override func start() {
    guard !isCancelled else {
      download.cancel(keepingPartial: keepsPartial)
      return end()
    }
    let isFirst = change(\.isExecuting) { phase in
      guard phase == .ready else { return false }
      phase = .executing
      return true
    }
    guard isFirst else { return }
    download.whenEnded(on: Delivery { $0() }) { [self] _ in end() }
    // It may have ended or been paused before it got here.
    switch download.state {
    case .failed, .cancelled: download.retry()
    default: download.resume()
    }
  }

  /// Cancels the download, in whatever state it is: see `keepsPartial`.
  public override func cancel() {
    super.cancel()
    guard isExecuting else { return }
    download.cancel(keepingPartial: keepsPartial)
  }

  private func end() {
    willChangeValue(for: \.isFinished)
    change(\.isExecuting) { phase in
      phase = .finished
      return true
    }
    didChangeValue(for: \.isFinished)
  }

  @discardableResult
  private func change(_ key: KeyPath<Operation, Bool>, _ body: (inout Phase) -> Bool) -> Bool {
    willChangeValue(for: key)
    defer { didChangeValue(for: key) }
    return state.withLock { body(&$0.phase) }
  }
}
