#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import Synchronization

/// Prints what a report says, one news after the other, and keeps the progress line below all other lines.
///
/// Printing may block, so those who must not wait leave their news in a queue. What has gathered there is printed in one go:
/// waking a thread for each of many small downloads would cost more than printing.
actor Reporter {
  private struct Queue {
    var news: [(News, Int)] = []
    /// Somebody is about to look.
    var isWatched = false
  }

  private let queue = Mutex(Queue())
  private var report: any Report
  private let tellsDecisions: Bool
  private let results: any Output
  private let messages: any Output
  /// What `messages` go to, if it is a terminal.
  private let terminal: (any Screen)?
  private let log: (any Output)?
  /// Called once, when standard output can take no more.
  private let outputFailed: @Sendable () -> Void

  private var progress: ProgressLine?
  /// The error number of the first write to `results` that failed. Nothing is written there after it.
  private(set) var outputError: Int32?

  init(
    _ report: any Report, results: any Output, messages: any Output, terminal: (any Screen)?,
    log: (any Output)? = nil, outputFailed: @escaping @Sendable () -> Void
  ) {
    self.report = report
    tellsDecisions = report.tellsDecisions
    self.results = results
    self.messages = messages
    self.terminal = terminal
    self.log = log
    self.outputFailed = outputFailed
  }

  /// Has `news` printed soon: at once, or, if they can wait for the tick of progress or the end that will follow, with that.
  nonisolated func note(_ news: News, of index: Int) {
    switch news {
    case .event(.state), .event(.redirected), .event(.identityChanged), .event(.verified):
      // Other news tell people as much.
      return
    case .event(.decision) where !tellsDecisions: return
    default: break
    }
    let mustWake = queue.withLock { queue in
      queue.news.append((news, index))
      if queue.isWatched || news.canWait { return false }
      queue.isWatched = true
      return true
    }
    if mustWake { Task { await printQueue() } }
  }

  /// Prints `news`, and all before them, and waits for that.
  nonisolated func printed(_ news: News, of index: Int) async {
    queue.withLock { $0.news.append((news, index)) }
    await printQueue()
  }

  private func printQueue() {
    while true {
      let news = queue.withLock { queue in
        if queue.news.isEmpty { queue.isWatched = false }
        defer { queue.news = [] }
        return queue.news
      }
      if news.isEmpty { return }
      for (news, index) in news { tell(news, of: index) }
    }
  }

  func tell(_ news: News, of index: Int) {
    print(report.tell(news, of: index, at: .now))
  }

  private func print(_ prints: [Print]) {
    for print in prints {
      switch print {
      case .result(let line): aroundProgress { writeResult(line) }
      case .passing(let line): if results.isReady { writeResult(line) }
      case .message(let line): aroundProgress { _ = messages.write(line: line) }
      case .note(let line): if messages.isReady { aroundProgress { _ = messages.write(line: line) } }
      case .log(let line): if let log { log.write(line: "\(wallClockTime()) \(line)") }
      case .progress(let line): draw(line)
      }
    }
  }

  /// Prints what is left. Says so when standard output failed, other than by being closed; true if a result was lost that
  /// way.
  func close() -> Bool {
    printQueue()
    print(report.close(at: .now))
    guard let outputError, outputError != EPIPE else { return false }
    let reason = String(cString: strerror(outputError))
    _ = messages.write(
      line: errorLine("cannot write to standard output: \(reason)", "the files themselves are in place"))
    return true
  }

  private func writeResult(_ line: String) {
    guard outputError == nil, let error = results.write(line: line) else { return }
    outputError = error
    outputFailed()
  }

  /// Clears the progress line, lets `body` print, and draws the line again below.
  private func aroundProgress(_ body: () -> Void) {
    guard let line = progress else { return body() }
    draw(nil)
    body()
    draw(line)
  }

  private func draw(_ line: ProgressLine?) {
    guard let terminal else { return }
    if let line {
      // A stopped terminal must not hold up the downloads. The last column stays free, for some terminals wrap
      // as soon as it is filled.
      if messages.isReady { _ = messages.write(Terminal.clearLine + line.rendered(width: terminal.columns - 1)) }
    } else if progress != nil {
      _ = messages.write(Terminal.clearLine)
    }
    progress = line
  }
}
