/// When a transfer is given up for another one, judged by its siblings and not only by an absolute timeout.
package enum StallPolicy {
  private static let shortestSilence = 1.0
  /// An answer may take longer than the next byte: it needs a connection first.
  private static let shortestWait = 3.0
  private static let shortestExperience = 2.0
  /// Slower than this share of what is usual is crawling.
  private static let crawl = 0.1

  package enum Verdict: Hashable, Sendable {
    case fine
    /// No byte came for much longer than a round trip.
    case silent
    /// Bytes come, but a new connection would be faster by far.
    case crawling
  }

  /// Slower than this share of what is usual is late, where a reader waits for nobody else.
  private static let late = 0.5
  private static let lateSilence = (answer: 2.0, byte: 0.5)

  /// Whether a reader who waits for transfer `id` alone would be better off with another one's help. A transfer that is as
  /// fast as the others is left in peace, however many of them have nothing to do.
  package static func holdsUp(_ id: TransferID, paces: Paces, now: Instant) -> Bool {
    guard let pace = paces[id] else { return false }
    let silence = pace.answeredAt == nil ? lateSilence.answer : lateSilence.byte
    if pace.silence(now: now) > max(silence, 4 * (paces.latency ?? 0)) { return true }
    guard let rate = pace.bytesPerSecond(now: now), let usual = paces.table(now: now).expected(besides: id) else {
      return false
    }
    return rate < usual * late
  }

  /// - Parameters:
  ///   - left: bytes that the transfer has still to bring.
  ///   - table: everybody's rates now.
  ///   - replacements: how many have been given up already; the more, the more patience with the others.
  package static func judge(
    _ id: TransferID, left: Int64, paces: Paces, table: PaceTable, replacements: Int, now: Instant
  ) -> Verdict {
    // Without others that work now, the line and not the connection may be at fault.
    guard let pace = paces[id], let fastest = table.fastest(besides: id), fastest > 0,
      let expected = table.expected(besides: id), expected > 0
    else { return .fine }
    let latency = paces.latency ?? 0
    let patience = max(pace.answeredAt == nil ? shortestWait : shortestSilence, 10 * latency)
    if pace.silence(now: now) > patience * Double(1 + replacements / 4), fastest > expected / 4 { return .silent }
    guard let rate = pace.bytesPerSecond(now: now), pace.experience > shortestExperience, rate < expected * crawl else {
      return .fine
    }
    // A new connection costs about four round trips.
    return Double(left) / max(rate, 1) > 2 * (Double(left) / expected + 4 * latency) ? .crawling : .fine
  }
}
