/// Whose segment to split when a connection has run dry, and where.
///
/// The victim is the transfer that would finish last; it keeps what it can bring by the time that the thief, who needs
/// a round trip to begin, has brought the rest. So a slow one gives up nearly all, a frozen one everything.
package struct Theft: Hashable, Sendable {
  package let victim: TransferID
  /// The victim's new end.
  package let place: Int64

  package init(victim: TransferID, place: Int64) {
    self.victim = victim
    self.place = place
  }

  /// - Parameters:
  ///   - floor: neither part becomes smaller than this, unless the victim loses everything.
  ///   - blindFloor: the same while nothing is known about anybody's pace.
  package static func best(
    among segments: [TransferID: Segment], paces: Paces, floor: Int64, blindFloor: Int64, now: Instant
  ) -> Theft? {
    let table = paces.table(now: now)
    let candidates = segments.compactMap { id, segment in
      Candidate(id, segment, paces: paces, table: table, now: now)
    }
    // The lower number breaks ties, so that equal plans make equal decisions.
    guard let last = candidates.max(by: { ($0.timeLeft, $1.id.number) < ($1.timeLeft, $0.id.number) }) else {
      return nil
    }
    return last.theft(latency: paces.latency ?? 0, floor: floor, blindFloor: blindFloor)
  }

  /// One transfer as a possible victim.
  private struct Candidate {
    let id: TransferID
    let segment: Segment
    /// Its own rate; nil while it is unknown.
    let rate: Double?
    /// What the thief's is expected to be.
    let thiefRate: Double?
    /// Seconds until it is done, or just bytes while nobody's rate is known.
    let timeLeft: Double

    init?(_ id: TransferID, _ segment: Segment, paces: Paces, table: PaceTable, now: Instant) {
      guard !segment.remainder.isEmpty else { return nil }
      let left = Double(segment.remainder.count)
      self.id = id
      self.segment = segment
      thiefRate = table.expected(besides: id)
      // One that has no answer yet is thought to become as fast as the others, unless it is overdue.
      // Silence that lasts says more than what came before it. Guessing wrong costs little: the victim gives nothing up
      // before somebody else has an answer.
      let patience = paces[id]?.answeredAt == nil ? Theft.patience.answer : Theft.patience.byte
      let isOverdue = (paces[id]?.silence(now: now) ?? 0) > max(patience, 4 * (paces.latency ?? 0))
      rate = isOverdue ? 0 : paces[id]?.bytesPerSecond(now: now) ?? thiefRate
      timeLeft = if let rate { rate > 0 ? left / rate : .infinity } else { left }
    }

    func theft(latency: Double, floor: Int64, blindFloor: Int64) -> Theft? {
      let left = segment.remainder.count
      guard let rate, let thiefRate, thiefRate > 0 else {
        return left / 2 >= blindFloor ? Theft(victim: id, place: segment.position + left / 2) : nil
      }
      // keep / rate = latency + (left - keep) / thiefRate
      let keep = rate > 0 ? (latency + Double(left) / thiefRate) / (1 / rate + 1 / thiefRate) : 0
      let kept = Int64(min(keep, Double(left)))
      if kept >= floor {
        let gain = timeLeft - keep / rate
        // What the server has sent beyond the victim's new end is lost with its connection.
        let loss = Int64(min(2 * rate * latency, Double(left)))
        guard left - kept >= max(floor, loss), gain > latency / 2 else { return nil }
        return Theft(victim: id, place: segment.position + kept)
      }
      // Too little to be worth a part of its own. Somebody much faster takes over all of it.
      guard rate < thiefRate / 4, timeLeft > 2 * (latency + Double(left) / thiefRate) else { return nil }
      return Theft(victim: id, place: segment.position)
    }
  }

  /// Seconds that an answer, and the next byte, may take before its transfer counts as frozen.
  private static let patience = (answer: 2.0, byte: 0.5)
}
