public import Dispatch

/// Where a closure runs that is told of a download.
public struct Delivery: Sendable {
  let run: @Sendable (@escaping @Sendable () -> Void) -> Void

  /// Lets `run` decide: it must call what it is given, once and at some time, and may do so anywhere.
  public init(_ run: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) { self.run = run }

  /// On the main thread, by its dispatch queue, which is the main actor's as well. The main thread must serve it: in a
  /// command without a run loop, by `dispatchMain()` or by waiting in async code.
  public static let main = queue(.main)

  /// On a dispatch queue.
  public static func queue(_ queue: DispatchQueue) -> Delivery { Delivery { queue.async(execute: $0) } }
}

/// Ends what it stands for when asked to. Letting go of it ends nothing.
public struct Observation: Sendable {
  let task: Task<Void, Never>

  /// Nothing more is told, except what is on its way already.
  public func cancel() { task.cancel() }
}

extension Download {
  /// News of the download from now on; for the first reader of all, from its beginning.
  /// Of progress a slow reader finds only the newest. The sequence ends when the download has finished, failed or been
  /// cancelled; the download's error comes from `value`.
  public var events: Updates<DownloadEvent> { Updates(channel: hub.eventReader()) }

  /// How far the download has come, from now on: always the newest. The sequence ends as `events` does.
  public var progress: Updates<DownloadEvent.Progress> { Updates(channel: hub.progressReader()) }

  /// Calls `handler` with each event, one after the other, until the download has ended.
  ///
  /// Of progress that comes faster than `handler` takes it, only the newest is told.
  @discardableResult
  public func observe(
    on delivery: Delivery = .main, _ handler: @escaping @Sendable (DownloadEvent) -> Void
  ) -> Observation {
    Self.observe(events, on: delivery, handler)
  }

  /// Calls `handler` with the newest progress, one after the other, until the download has ended.
  @discardableResult
  public func observeProgress(
    on delivery: Delivery = .main, _ handler: @escaping @Sendable (DownloadEvent.Progress) -> Void
  ) -> Observation {
    Self.observe(progress, on: delivery, handler)
  }

  /// Calls `handler` once, when the download has finished, failed or been cancelled; at once if it has already.
  @discardableResult
  public func whenEnded(
    on delivery: Delivery = .main, _ handler: @escaping @Sendable (Result<DownloadResult, DownloadError>) -> Void
  ) -> Observation {
    let progress = hub.progressReader()
    return Observation(
      task: Task { [self] in
        while await progress.next() != nil {}
        guard !Task.isCancelled, let result else { return }
        delivery.run { handler(result) }
      })
  }

  private static func observe<Element>(
    _ news: Updates<Element>, on delivery: Delivery, _ handler: @escaping @Sendable (Element) -> Void
  ) -> Observation {
    Observation(
      task: Task {
        for await one in news {
          // One at a time: what comes meanwhile is where the newest progress takes the place of older.
          await withCheckedContinuation { done in
            delivery.run {
              handler(one)
              done.resume()
            }
          }
        }
      })
  }

  /// Starts the download as `start()` does. Its news go to `listener` too, on whatever thread they happen; it must not
  /// block.
  package func start(telling listener: @escaping @Sendable (DownloadEvent) -> Void) {
    hub.listen(listener)
    start()
  }
}
