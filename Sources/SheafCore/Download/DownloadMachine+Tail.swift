/// When nothing is left to hand out: laggards share, are replaced, or race a second request.
extension DownloadMachine {
  /// What transfer `id`, for which no range is left, may do instead.
  mutating func tail(_ id: TransferID, now: Instant) -> [Action] {
    // One after the other: what a theft leaves decides about the next.
    guard shrinking.isEmpty else { return [] }
    if let theft = planner.theft(paces: paces, hedges: hedges, now: now) {
      return [shrink(theft.victim, to: theft.place)]
    }
    guard let total = knownTotal, strength == .strong, !HedgePolicy.looksSigned(location.url),
      let victim = HedgePolicy.candidate(
        among: planner.segments, hedges: hedges, total: total, paces: paces, now: now),
      let range = planner.segments[victim]?.remainder
    else { return [] }
    hedges.add(id, against: victim, for: range)
    return [
      .report(.decision("asking a second time for the last \(range.count) bytes of a slow connection")),
      ask(for: range, by: id, now: now),
    ]
  }

  /// Gives up transfers that bring nothing, or next to nothing, while their siblings work; what they leave goes to
  /// others over new connections.
  mutating func replaceStalled(now: Instant) -> [Action] {
    guard mode == .ranges, planner.segments.count > 1 else { return [] }
    var actions: [Action] = []
    for (id, segment) in planner.segments.sorted(by: { $0.key.number < $1.key.number }) {
      guard replacements.allowsOne(now: now), !segment.remainder.isEmpty, !hedges.isHedged(id), !shrinking.contains(id)
      else { continue }
      let verdict = StallPolicy.judge(
        id, left: segment.remainder.count, paces: paces, replacements: replacements.count(now: now), now: now)
      guard verdict != .fine else { continue }
      replacements.note(now: now)
      actions.append(.report(.decision("a connection is \(verdict == .silent ? "silent" : "crawling"): replacing it")))
      // Hosts that have enough of connections may also accept them and then say nothing.
      if verdict == .silent, paces[id]?.answeredAt == nil { actions.append(.strain(.broke)) }
      actions.append(shrink(id, to: segment.position))
    }
    return actions
  }

  /// Gives up the slowest transfers beyond `most`: another download of this process has none.
  mutating func giveUp(beyond most: Int, now: Instant) -> [Action] {
    guard activeTransfers > most else { return [] }
    let dropped = hedges.ids.prefix(activeTransfers - most)
    for id in dropped { _ = hedges.remove(id) }
    guard mode == .ranges else { return dropped.map { .abort($0) } }
    let open = planner.segments.filter { !$0.value.remainder.isEmpty && !shrinking.contains($0.key) }
    let slowest = open.sorted { a, b in
      let (first, second) = (paces[a.key]?.bytesPerSecond(now: now) ?? 0, paces[b.key]?.bytesPerSecond(now: now) ?? 0)
      return (first, -a.key.number) < (second, -b.key.number)
    }
    let surplus = max(0, activeTransfers - shrinking.count - most)
    return dropped.map { .abort($0) } + slowest.prefix(surplus).map { shrink($0.key, to: $0.value.position) }
  }

  // MARK: - Hedges

  /// The answer to a hedge. Nil where it says something about the file and not only about this request.
  mutating func answeredHedge(_ id: TransferID, _ verdict: Verdict, now: Instant) -> [Action]? {
    switch verdict {
    case .changed, .redirect:
      return nil
    case .range(let range, _) where range.upper >= hedges[id]?.segment.range.upper ?? .max:
      paces.answered(id, now: now)
      hedges.accept(id)
      return []
    case .refused(let status, let retryAfter):
      _ = hedges.remove(id)
      return [strain(retryAfter: retryAfter, isRateLimit: status == 429)]
    default:
      _ = hedges.remove(id)
      return [.abort(id)]
    }
  }

  /// A hedge has ended: if it brought everything, its victim is not needed any more.
  mutating func endHedge(_ id: TransferID, _ hedge: Hedges.Hedge, _ ending: TransferEnding, now: Instant) -> [Action] {
    _ = hedges.remove(id)
    guard hedge.segment.remainder.isEmpty, let victim = planner.segments[hedge.victim] else {
      if case .failed = ending { return [strain()] + fetch(now: now) }
      return fetch(now: now)
    }
    planner.advance(hedge.victim, to: victim.range.upper)
    planner.release(hedge.victim)
    asked[hedge.victim] = nil
    _ = paces.ended(hedge.victim, now: now)
    return [.abort(hedge.victim), .cover(victim.range)] + fetch(now: now)
  }

  /// The victim of a hedge has ended first. If it has not brought everything, the hedge takes its place.
  mutating func endHedged(
    _ id: TransferID, by hedgeID: TransferID, _ hedge: Hedges.Hedge, now: Instant
  ) -> [Action] {
    let segment = planner.segments[id]
    planner.release(id)
    guard let segment, !segment.remainder.isEmpty, hedge.isAccepted, hedge.segment.position >= segment.position else {
      return [.abort(hedgeID)] + fetch(now: now)
    }
    let rest = ByteRange(segment.position, hedge.segment.range.upper)
    planner.claim(rest, for: hedgeID)
    planner.advance(hedgeID, to: hedge.segment.position)
    return [.cover(ByteRange(segment.position, hedge.segment.position))] + fetch(now: now)
  }
}
