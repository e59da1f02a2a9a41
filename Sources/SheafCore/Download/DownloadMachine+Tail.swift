/// When nothing is left to hand out: laggards share, are replaced, or race a second request.
extension DownloadMachine {
  /// What transfer `id`, for which no range is left, may do instead.
  mutating func tail(_ id: TransferID, of source: Int, now: Instant) -> [Action] {
    // The limit is used up: another connection would only take from the others.
    guard !limit.isTight else { return [] }
    var spared = races.victims.union(shrinking)
    if !planner.unassigned.isEmpty {
      // The window ends here, not the file: there is nothing to do but to help the one that everybody waits for.
      guard let laggard = laggardAtFrontier(now: now) else { return [] }
      spared.formUnion(planner.segments.keys.filter { $0 != laggard })
    }
    if let theft = planner.theft(paces: paces, sparing: spared, now: now), let victim = planner.segments[theft.victim] {
      // Where two answers may differ, no byte may have two writers: nobody could say whose it is in the end. Then the
      // victim gives its part up first, at the price of a round trip.
      guard strength == .strong, self.source(of: theft.victim) == source else {
        yielding.insert(theft.victim)
        return [shrink(theft.victim, to: theft.place)]
      }
      let range = ByteRange(theft.place, victim.range.upper)
      races.add(id, .theft, against: theft.victim, for: range)
      return [ask(for: range, by: id, of: source, now: now)]
    }
    guard let total = knownTotal, strength == .strong, !HedgePolicy.looksSigned(sources[source].location.url),
      let victim = HedgePolicy.candidate(
        among: planner.segments.filter { !spared.contains($0.key) }, races: races, total: total, paces: paces, now: now),
      self.source(of: victim) == source, let range = planner.segments[victim]?.remainder
    else { return [] }
    races.add(id, .hedge, against: victim, for: range)
    return [
      .report(.decision("asking a second time for the last \(range.count) bytes of a slow connection")),
      ask(for: range, by: id, of: source, now: now),
    ]
  }

  /// Gives up transfers that bring nothing, or next to nothing, while their siblings work; what they leave goes to
  /// others over new connections.
  mutating func replaceStalled(now: Instant) -> [Action] {
    guard mode == .ranges, planner.segments.count > 1, !limit.isTight else { return [] }
    var actions: [Action] = []
    let table = paces.table(now: now)
    for (id, segment) in planner.segments.sorted(by: { $0.key.number < $1.key.number }) {
      guard replacements.allowsOne(now: now), !segment.remainder.isEmpty, !races.includes(victim: id),
        !shrinking.contains(id)
      else { continue }
      let verdict = StallPolicy.judge(
        id, left: segment.remainder.count, paces: paces, table: table, replacements: replacements.count(now: now),
        now: now)
      guard verdict != .fine else { continue }
      replacements.note(now: now)
      actions.append(.report(.decision("a connection is \(verdict == .silent ? "silent" : "crawling"): replacing it")))
      // Hosts that have enough of connections may also accept them and then say nothing.
      if verdict == .silent, paces[id]?.answeredAt == nil {
        actions.append(.strain(.broke, host(of: id)))
        sources[source(of: id)].silences += 1
      }
      actions.append(shrink(id, to: segment.position))
    }
    return actions + dropSilent(now: now)
  }

  /// Gives up the slowest transfers beyond `most`: another download of this process has none.
  mutating func giveUp(beyond most: Int, at host: Location.Origin, now: Instant) -> [Action] {
    guard most < .max, activeTransfers(at: host) > most else { return [] }
    let racing = races.ids.filter { self.host(of: $0) == host }
    let dropped = racing.prefix(activeTransfers(at: host) - most).map { abort($0) }
    guard mode == .ranges else { return dropped }
    let open = planner.segments.filter {
      !$0.value.remainder.isEmpty && !shrinking.contains($0.key) && self.host(of: $0.key) == host
    }
    let slowest = open.sorted { a, b in
      let (first, second) = (paces[a.key]?.bytesPerSecond(now: now) ?? 0, paces[b.key]?.bytesPerSecond(now: now) ?? 0)
      return (first, -a.key.number) < (second, -b.key.number)
    }
    let giving = shrinking.count { self.host(of: $0) == host }
    let surplus = max(0, activeTransfers(at: host) - giving - most)
    return dropped + slowest.prefix(surplus).map { shrink($0.key, to: $0.value.position) }
  }

  // MARK: - Races

  /// The answer to a second request. Nil where it says something about the file and not only about this request.
  mutating func answered(_ id: TransferID, _ race: Races.Race, _ verdict: Verdict, now: Instant) -> [Action]? {
    switch verdict {
    case .changed, .redirect:
      return nil
    case .range(let range, let identity) where range.upper >= race.segment.range.upper && isWorking(race.victim):
      paces.answered(id, now: now)
      heard(from: source(of: id), identity)
      races.accept(id)
      return race.kind == .theft ? [shrink(race.victim, to: race.segment.range.lower)] : []
    case .refused(let status, let retryAfter):
      let source = source(of: id)
      release(id)
      return [strain(source, retryAfter: retryAfter, isRateLimit: status == 429)]
    default:
      let host = host(of: id)
      let end = abort(id)
      allowances[host] = min(allowance(of: host), max(1, activeTransfers(at: host)))
      return [end]
    }
  }

  /// The victim of a theft ends at `end` and leaves the rest to the thief.
  mutating func hand(
    over victim: TransferID, from end: Int64, to thief: TransferID, _ race: Races.Race, now: Instant
  ) -> [Action] {
    let upper = race.segment.range.upper
    guard let released = planner.shrink(victim, to: end), released.upper == upper else {
      return [abort(thief)] + fetch(now: now)
    }
    take(released, for: thief, race)
    return fetch(now: now)
  }

  /// A rival's range becomes its segment. The victim may have come further than it was meant to; what both have
  /// brought is the victim's.
  private mutating func take(_ range: ByteRange, for rival: TransferID, _ race: Races.Race) {
    planner.claim(range, for: rival)
    planner.advance(rival, to: max(range.lower, race.segment.position))
    credit(rival, ByteRange(race.segment.range.lower, race.segment.position))
    if race.isOver { planner.release(rival) }
  }

  /// A second request has ended. A hedge that brought everything makes its victim needless.
  mutating func end(_ id: TransferID, _ race: Races.Race, _ ending: TransferEnding, now: Instant) -> [Action] {
    if race.kind == .theft, race.isAccepted, race.segment.hasProgressed, shrinking.contains(race.victim) {
      // The thief was quicker than the order to its victim.
      races.finish(id)
      return []
    }
    _ = races.remove(id)
    guard race.segment.remainder.isEmpty, let victim = planner.segments[race.victim],
      race.segment.range.lower <= victim.position
    else {
      if case .failed(let failure) = ending {
        return [.report(.decision(failure.message)), strain(source(of: id))] + fetch(now: now)
      }
      return fetch(now: now)
    }
    planner.advance(race.victim, to: victim.range.upper)
    credit(id, race.segment.range)
    return [abort(race.victim), .cover(victim.range)] + fetch(now: now)
  }

  /// The victim of a race has ended first. If it has not brought everything, its rival takes its place, or goes on with
  /// the part that it asked for.
  mutating func endVictim(
    _ id: TransferID, of rival: TransferID, _ race: Races.Race, _ ending: TransferEnding, now: Instant
  ) -> [Action] {
    guard let segment = planner.segments[id] else { return [] }
    planner.release(id)
    let strain: [Action] = if case .failed = ending, !segment.hasProgressed { [strain(source(of: id))] } else { [] }
    let rest = ByteRange(max(segment.position, race.segment.range.lower), race.segment.range.upper)
    guard rest.upper == segment.range.upper, !rest.isEmpty, race.isAccepted, race.segment.position >= rest.lower else {
      return [abort(rival)] + strain + fetch(now: now)
    }
    take(rest, for: rival, race)
    return strain + fetch(now: now)
  }
}
