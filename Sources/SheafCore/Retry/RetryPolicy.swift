/// How long to wait between tries, and how many to make: exponential backoff with full jitter.
package struct RetryPolicy: Sendable {
  /// Tries in a row without a byte of progress; 0 means without limit.
  package var maximumTries: Int
  /// The least wait before another try, in seconds.
  package var leastWait: Double

  private static let firstWait = 0.5
  private static let longestWait = 30.0

  package init(maximumTries: Int = 5, leastWait: Double = 0) {
    self.maximumTries = maximumTries
    self.leastWait = leastWait
  }

  package func allowsTry(after failures: Int) -> Bool {
    maximumTries == 0 || failures < maximumTries
  }

  /// Seconds to wait after the `failures`-th failure in a row.
  /// - Parameter random: a number in 0..<1; equal clients must not come back at the same moment.
  package func wait(afterFailures failures: Int, random: Double) -> Double {
    // Sixteen doublings are far beyond the longest wait.
    let longest = Self.firstWait * Double(1 << min(max(failures - 1, 0), 16))
    return max(leastWait, min(longest, Self.longestWait) * random)
  }
}
