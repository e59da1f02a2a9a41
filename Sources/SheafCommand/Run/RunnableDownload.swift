import Sheaf

/// What the command needs of a download; tests run it with downloads that follow a script.
protocol RunnableDownload: Sendable {
  var news: any AsyncSequence<DownloadEvent, Never> & Sendable { get }
  func start()
  func stop()
  var value: DownloadResult { get async throws(DownloadError) }
}

extension Download: RunnableDownload {
  var news: any AsyncSequence<DownloadEvent, Never> & Sendable { events }
}
