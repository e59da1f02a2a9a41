import Sheaf

/// What all downloads of a run came to, for one line at its end.
struct Totals: Sendable {
  private var files = 0
  private var failures = 0
  private var fetchedBytes: Int64 = 0
  private var start: ContinuousClock.Instant?

  mutating func note(_ news: News, at now: ContinuousClock.Instant) {
    start = start ?? now
    switch news {
    case .finished(let result):
      files += 1
      let (sum, overflow) = fetchedBytes.addingReportingOverflow(max(0, result.fetchedBytes))
      fetchedBytes = overflow ? .max : sum
    case .failed, .notStarted: failures += 1
    case .began, .event, .restNotStarted: break
    }
  }

  /// `1998 files complete, 19.5 MiB fetched in 0.7 s (27.9 MiB/s), 2 failed`; nil if there was nothing.
  func summary(at now: ContinuousClock.Instant) -> String? {
    guard let start, files + failures > 0 else { return nil }
    let duration = start.duration(to: now)
    let time = seconds(duration)
    let rate = time > 0 ? " (\(humanRate(Double(fetchedBytes) / time)))" : ""
    let complete = "\(files) file\(files == 1 ? "" : "s") complete"
    let failed = failures > 0 ? ", \(failures) failed" : ""
    return "\(complete), \(humanSize(fetchedBytes)) fetched in \(humanDuration(duration))\(rate)\(failed)"
  }
}
