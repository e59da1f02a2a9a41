import Sheaf
import SheafCore

/// News for people: paths on standard output, all else on standard error.
struct TextReport: Report {
  /// What a download is called until its path is known, redacted.
  private let urls: [String]
  private let verbosity: CommandOptions.Verbosity
  /// Nil without a terminal.
  private var progress: TotalProgress?
  private var paths: [String?]

  init(urls: [String], verbosity: CommandOptions.Verbosity, showsProgress: Bool) {
    self.urls = urls
    self.verbosity = verbosity
    progress = showsProgress && verbosity != .quiet ? TotalProgress(count: urls.count) : nil
    paths = Array(repeating: nil, count: urls.count)
  }

  mutating func tell(_ news: News, of index: Int, at now: ContinuousClock.Instant) -> [Print] {
    if case .event(.started(let start)) = news { paths[index] = start.path }
    var prints = lines(for: news, of: index)
    let name = name(index)
    if progress?.note(news, of: index, name: name) == true, let line = progress?.line(at: now) {
      prints.append(.progress(line))
    } else if progress?.isOver == true {
      prints.insert(.progress(nil), at: 0)
    }
    return prints
  }

  private func lines(for news: News, of index: Int) -> [Print] {
    switch news {
    case .finished(let result):
      verbosity == .quiet
        ? [] : [.message("sheaf: \(summary(of: result))"), .result(printable(result.path))]
    case .failed(let error):
      [.message(errorLine(about(index) + error.message, error.suggestion))]
    case .notStarted: [.message(errorLine(name(index) + ": stopped before it began", howToContinue))]
    case .event(.warning(let message)) where verbosity != .quiet:
      [.message("sheaf: warning: \(about(index))\(message)")]
    case .event(.retrying(let reason)) where verbosity == .verbose:
      [.message("sheaf: \(about(index))trying again: \(reason)")]
    case .event(.decision(let message)) where verbosity == .verbose: [.message("sheaf: \(about(index))\(message)")]
    case .event: []
    }
  }

  /// The name and a colon, where there is more than one download to tell apart.
  private func about(_ index: Int) -> String { urls.count > 1 ? "\(name(index)): " : "" }

  private func name(_ index: Int) -> String { paths[index].map(lastComponent) ?? urls[index] }
}

/// What failed, then what to try, on one line.
func errorLine(_ message: String, _ suggestion: String?) -> String {
  "sheaf: error: \(message)\(suggestion.map { "; \($0)" } ?? "")"
}

/// The last part of a path, safe to print.
func lastComponent(_ path: String) -> String {
  printable(path.split(separator: "/").last ?? path[...])
}
