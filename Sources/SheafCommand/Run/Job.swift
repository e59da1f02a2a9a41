import Sheaf

/// One download to be carried out; made only when its turn comes.
struct Job: Sendable {
  /// Its place in the run, from 0.
  let index: Int
  /// As it was given, secrets included.
  let url: String
  /// Makes the download.
  let make: @Sendable () throws(DownloadError) -> any RunnableDownload
}

/// Hands out the jobs of a run in order. Several may ask at once.
protocol JobSource: Sendable {
  /// The next job; nil when there are no more.
  func next() async -> Job?

  /// The run ends early: hands out what is at hand already, but reads on no more, not even in a `next` under way.
  func close()

  /// What was not handed out because of `close`, for a message; nil if nothing.
  var leftOver: String? { get }
}
