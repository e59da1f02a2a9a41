/// A link that has expired, or that wants credentials, is renewed by whoever can.
extension DownloadMachine {
  /// How often in a row a source may be renewed without an answer that can be used.
  static let mostRenewals = 3

  /// Asks for another URL or for credentials, if the status may be mended by that; nil if not.
  mutating func renew(_ source: Int, becauseOf id: TransferID, status: Int, now: Instant) -> [Action]? {
    guard settings.renewable.contains(status), sources[source].isUsable else { return nil }
    // Several requests may hear of it, and some only when it has been done.
    if sources[source].isRenewing || id.number <= sources[source].renewedID { return fetch(now: now) }
    guard sources[source].renewals < Self.mostRenewals else { return nil }
    sources[source].isRenewing = true
    sources[source].renewals += 1
    return [.renew(source: source, status: status), .report(.decision("status \(status): asking for another link"))]
      + fetch(now: now)
  }

  /// What came of `renew`.
  /// - Parameters:
  ///   - source: which one was to be renewed.
  ///   - location: where it is from now on; nil if nobody knows, which is its end.
  package mutating func renewed(_ source: Int, status: Int, to location: Location?, now: Instant) -> [Action] {
    guard sources.indices.contains(source), sources[source].isRenewing else { return [] }
    sources[source].isRenewing = false
    guard phase == .fetching || phase == .probing else { return [] }
    guard let location else { return give(up: source, because: Failure(refusing: status), now: now) }
    sources[source].renewedID = nextID
    sources[source].resolutions = 0
    sources[source].original = location
    sources[source].location = location
    return fetch(now: now)
  }
}
