import Sheaf

/// What the command needs of a download; tests run it with downloads that follow a script.
protocol RunnableDownload: Sendable {
  /// Starts it. `listener` is told the news, in order and until the download has ended, and must not block.
  func start(telling listener: @escaping @Sendable (DownloadEvent) -> Void)
  func stop()
  var value: DownloadResult { get async throws(DownloadError) }
}

extension Download: RunnableDownload {
  func stop() { cancel(keepingPartial: true) }
}
