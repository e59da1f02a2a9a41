import Sheaf

/// What happened to one of the downloads.
enum News: Sendable {
  /// Its turn has come. The URL is as it was given, secrets included.
  case began(url: String)
  case event(DownloadEvent)
  case finished(DownloadResult)
  case failed(DownloadError, url: String)
  /// The command was asked to stop before this download's turn came.
  case notStarted(url: String)
  /// It was asked to stop before these downloads were even read of; what they are, for a message.
  case restNotStarted(String)
}

extension News {
  /// Of no use to anybody before the next ones.
  var canWait: Bool {
    switch self {
    case .began, .event(.started): true
    default: false
    }
  }
}

/// Turns news into lines. A value without effects: `Reporter` prints what it returns.
protocol Report: Sendable {
  /// Whether decisions are told. There are some for each download, and where they are not, nobody is woken for them.
  var tellsDecisions: Bool { get }

  /// - Parameter index: the download's place in the run, from 0.
  mutating func tell(_ news: News, of index: Int, at now: ContinuousClock.Instant) -> [Print]

  /// What is to be said when the last download has ended.
  mutating func close(at now: ContinuousClock.Instant) -> [Print]
}

/// One thing to print.
enum Print: Equatable, Sendable {
  /// A line for standard output that must not be lost.
  case result(String)
  /// A line for standard output that is skipped when the reader is behind.
  case passing(String)
  /// A line for standard error.
  case message(String)
  /// A line for standard error that is skipped when the reader is behind.
  case note(String)
  /// A line for the log.
  case log(String)
  /// The line that is redrawn on the terminal from now on; nil removes it.
  case progress(ProgressLine?)
}

/// What continues a download that was stopped.
let howToContinue = "run the same command again to continue"
