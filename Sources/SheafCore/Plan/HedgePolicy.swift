/// When the last bytes of a laggard are asked for a second time.
package enum HedgePolicy {
  /// The share of the file that may be asked for twice.
  private static let share = 0.02

  /// The transfer to hedge, or nil: the one that is expected to end last, if somebody else would be done well before it.
  /// - Parameter total: the file's length in bytes.
  package static func candidate(
    among segments: [TransferID: Segment], races: Races, total: Int64, paces: Paces, now: Instant
  ) -> TransferID? {
    let budget = Int64(share * Double(total)) - races.hedgedBytes
    let latency = paces.latency ?? 0
    let table = paces.table(now: now)
    var worst: (id: TransferID, gain: Double)?
    for (id, segment) in segments {
      let left = segment.remainder.count
      guard left > 0, left <= budget, !races.includes(victim: id), let pace = paces[id],
        let fresh = table.expected(besides: id), fresh > 0
      else { continue }
      // A silence that has lasted for a while is expected to last as long again.
      let silence = pace.silence(now: now)
      let flow = pace.bytesPerSecond(now: now).map { Double(left) / max($0, 1) } ?? 0
      let expected = max(flow, silence > 2 * latency ? silence : 0)
      let gain = expected - (2 * latency + Double(left) / fresh)
      // The lower number breaks ties, so that equal plans make equal decisions.
      if gain > max(latency, 0.01), (gain, -id.number) > (worst?.gain ?? 0, -(worst?.id.number ?? 0)) {
        worst = (id, gain)
      }
    }
    return worst?.id
  }

  /// Query parameters that sign a link or let it expire; such a link may work only a number of times, so nothing
  /// is asked of it that is not needed.
  private static let marks: Set<Substring> = [
    "signature", "sig", "expires", "expiry", "token", "policy", "key-pair-id", "hdnts", "hdnea", "x-amz-signature",
    "x-goog-signature", "x-oss-signature", "awsaccesskeyid", "st", "e", "hmac", "md5", "auth", "verify", "ticket",
  ]

  /// Whether the URL looks as if it had been signed or made for one use.
  package static func looksSigned(_ url: String) -> Bool {
    guard let mark = url.firstIndex(of: "?") else { return false }
    let query = url[url.index(after: mark)...].prefix { $0 != "#" }.lowercased()
    return query.split(separator: "&").contains { marks.contains($0.prefix { $0 != "=" }) }
  }
}
