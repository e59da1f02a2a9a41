import Sheaf

/// What happened to one of the downloads.
enum News: Sendable {
  case event(DownloadEvent)
  case finished(DownloadResult)
  case failed(DownloadError)
  /// The command was asked to stop before this download's turn came.
  case notStarted
}

/// Turns news into lines. A value without effects: `Reporter` prints what it returns.
protocol Report: Sendable {
  /// - Parameter index: the download's place on the command line, from 0.
  mutating func tell(_ news: News, of index: Int, at now: ContinuousClock.Instant) -> [Print]
}

/// One thing to print.
enum Print: Equatable, Sendable {
  /// A line for standard output that must not be lost.
  case result(String)
  /// A line for standard output that is skipped when the reader is behind.
  case passing(String)
  /// A line for standard error.
  case message(String)
  /// The line that is redrawn on the terminal from now on; nil removes it.
  case progress(ProgressLine?)
}

/// What continues a download that was stopped.
let howToContinue = "run the same command again to continue"
