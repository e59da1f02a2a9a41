/// How long a server asks to be left alone (RFC 9110 §10.2.3).
package enum RetryAfter {
  /// No server may stop a download for longer than this by one answer.
  package static let longest: Int64 = 300

  /// Seconds from the answer on, 0 to 300; nil when `text` is neither a number nor a date.
  ///
  /// - Parameters:
  ///   - date: The answer's own Date field. A date is measured against it first, so that only the server's clock counts.
  ///   - now: Seconds since 1970 by our clock, for an answer without a usable Date.
  package static func seconds(parsing text: String, date: String?, now: Int64) -> Int64? {
    if !text.isEmpty, text.utf8.allSatisfy(isDigit) {
      return min(decimal(text.utf8) ?? longest, longest)
    }
    guard let instant = HTTPDate.secondsSinceEpoch(parsing: text, now: now) else { return nil }
    let origin = date.flatMap { HTTPDate.secondsSinceEpoch(parsing: $0, now: now) } ?? now
    let (wait, overflowed) = instant.subtractingReportingOverflow(origin)
    if overflowed { return origin < 0 ? longest : 0 }
    return min(max(wait, 0), longest)
  }
}
