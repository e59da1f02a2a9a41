/// A report that also tells everything to the log, decisions and retries included, whatever it prints.
struct LoggedReport: Report {
  private var printed: any Report
  private var logged: TextReport

  init(_ report: any Report, count: Int?) {
    printed = report
    logged = TextReport(count: count, verbosity: .verbose, explains: true, showsProgress: false)
  }

  var tellsDecisions: Bool { true }

  mutating func tell(_ news: News, of index: Int, at now: ContinuousClock.Instant) -> [Print] {
    Self.lines(logged.tell(news, of: index, at: now)) + printed.tell(news, of: index, at: now)
  }

  mutating func close(at now: ContinuousClock.Instant) -> [Print] {
    Self.lines(logged.close(at: now)) + printed.close(at: now)
  }

  private static func lines(_ prints: [Print]) -> [Print] {
    prints.compactMap { print in
      switch print {
      case .message(let line): .log(line)
      case .result(let line): .log("sheaf: complete: \(line)")
      case .passing, .note, .log, .progress: nil
      }
    }
  }
}

/// A report for people with JSON objects of progress beside it, on standard error.
struct ReportWithObjects: Report {
  private var report: any Report
  private let interval: Duration
  /// Of the downloads under way.
  private var throttles: [Int: Throttle] = [:]

  init(_ report: any Report, every interval: Duration) {
    self.report = report
    self.interval = interval
  }

  var tellsDecisions: Bool { report.tellsDecisions }

  mutating func tell(_ news: News, of index: Int, at now: ContinuousClock.Instant) -> [Print] {
    var prints = report.tell(news, of: index, at: now)
    let interval = interval
    switch news {
    case .event(.progress(let progress)):
      if throttles[index, default: Throttle(every: interval)].admits(at: now) {
        prints.append(.note(JSONReport.progress(progress, of: index)))
      }
    case .finished, .failed, .notStarted: throttles[index] = nil
    default: break
    }
    return prints
  }

  mutating func close(at now: ContinuousClock.Instant) -> [Print] { report.close(at: now) }
}
