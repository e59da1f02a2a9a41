/// What goes wrong, and what then: fewer connections, another try, one stream, and only then the end.
extension DownloadMachine {
  /// A transfer that had been accepted has ended, or one failed before its answer came.
  package mutating func ended(_ id: TransferID, _ ending: TransferEnding, now: Instant, random: Double) -> [Action] {
    asked[id] = nil
    shrinking.remove(id)
    yielding.remove(id)
    let rate = paces.ended(id, now: now)
    if id == probe {
      probe = nil
      guard case .failed(let failure) = ending else {
        return charge(
          Failure(.badResponse, "the server closed without an answer"), source(of: id), now: now, random: random)
      }
      return failedBeforeAnswer(failure, source(of: id), now: now, random: random)
    }
    if let race = races[id] { return end(id, race, ending, now: now) }
    guard let segment = planner.segments[id] else { return [] }
    if let (rival, race) = races.remove(against: id) { return endVictim(id, of: rival, race, ending, now: now) }
    planner.release(id)
    switch ending {
    case .finished where mode == .wholeOnly:
      return endWhole(segment, now: now)
    case .finished:
      guard segment.hasProgressed || segment.remainder.isEmpty else {
        return strike(id, "the server sent no byte of the range", now: now)
      }
      sources[source(of: id)].strikes = 0
      return fetch(now: now, onConnectionWith: segment.remainder.isEmpty ? rate : nil, of: id)
    case .failed where mode == .ranges && segment.remainder.isEmpty:
      // It was made to end where it was, for others to go on.
      return fetch(now: now)
    case .failed(let failure) where failure.kind == .endUnconfirmed && settings.hasDigest:
      // The digest will tell.
      return endWhole(segment, now: now)
    case .failed(let failure):
      let reason = failure.message
      if mode == .wholeOnly {
        planner = Planner.idle
        return chargeWhole(reason, kind: Failure(failure).kind, now: now, random: random)
      }
      let brought = segment.position - segment.range.lower
      if brought >= Self.leastProgress {
        let strain: [Action] = brought < Self.fairShare ? [.strain(.broke, host(of: id))] : []
        return strain + [.report(.decision("\(reason) at byte \(segment.position); going on from there"))]
          + fetch(now: now)
      }
      return failedBeforeAnswer(failure, source(of: id), now: now, random: random)
    }
  }

  private mutating func endWhole(_ segment: Segment, now: Instant) -> [Action] {
    planner = Planner.idle
    if identity?.total == nil {
      // Only now is the length known (RFC 9112 section 6.3).
      identity?.total = segment.position
      if let failure = refusal(ofTotal: segment.position) { return fail(failure) }
    } else if !segment.remainder.isEmpty {
      return chargeWhole("the answer ended early", kind: .badResponse, now: now, random: 1)
    }
    return fetch(now: now)
  }

  /// Before the first answer of all, what a second try cannot mend ends the download at once.
  private mutating func failedBeforeAnswer(
    _ failure: TransferFailure, _ source: Int, now: Instant, random: Double
  ) -> [Action] {
    let problem = Failure(failure)
    let isFinal = [.connectionRefused, .nameResolution, .tls, .malformed, .proxyLogin].contains(failure.kind)
    if failure.kind == .notAllowed || isFinal && !hasAnswer { return give(up: source, because: problem, now: now) }
    return charge(problem, source, now: now, random: random)
  }

  /// A request came to nothing. While other transfers of its source work, the host is thought to bear fewer; without any,
  /// the source is given up if there is another one. The last one waits and tries again, until the tries are used up.
  mutating func charge(
    _ failure: Failure, _ source: Int, retryAfter: Int64? = nil, isRateLimit: Bool = false, now: Instant, random: Double
  ) -> [Action] {
    let strain = strain(source, retryAfter: retryAfter, isRateLimit: isRateLimit)
    if activeTransfers(of: source) == 0, hasAlternative(to: source) {
      return [strain] + give(up: source, because: failure, now: now)
    }
    if activeTransfers > 0 { return [.report(.decision(failure.message)), strain] + fetch(now: now) }
    failures += 1
    guard settings.retry.allowsTry(after: failures) else { return fail(failure) }
    let wait =
      retryAfter.map { max(Double($0), settings.retry.leastWait) }
      ?? settings.retry.wait(afterFailures: failures, random: random)
    holdUntil = now.advanced(bySeconds: wait)
    return [.report(.retrying(failure.message)), strain] + fetch(now: now)
  }

  /// What tells the host's budget of a request that was turned away. Until it answers, nothing takes that one's place.
  mutating func strain(_ source: Int, retryAfter: Int64? = nil, isRateLimit: Bool = false) -> Action {
    let host = sources[source].location.origin
    allowances[host] =
      isRateLimit && retryAfter != nil ? 0 : min(allowance(of: host), max(1, activeTransfers(at: host)))
    return .strain(.refused(retryAfter: retryAfter, isRateLimit: isRateLimit), host)
  }

  /// One stream without ranges can only start over; progress does not save tries.
  private mutating func chargeWhole(_ reason: String, kind: Failure.Kind, now: Instant, random: Double) -> [Action] {
    wholeFailures += 1
    let failure = Failure(
      kind, "\(reason), and the server cannot continue a broken download",
      suggestion: "try again, or use a mirror that supports ranges")
    if hasAlternative(to: measure) {
      mode = .ranges
      return retire(measure, because: reason) + restart(because: "another source begins anew", now: now)
    }
    guard settings.retry.allowsTry(after: wholeFailures) else { return fail(failure) }
    if let refusal = refusalToStartOver(because: reason) { return fail(refusal) }
    if hasDelivered { forsaken = identity }
    identity = nil
    sources[measure].identity = nil
    blocks = nil
    claims = ClaimBook()
    phase = .probing
    holdUntil = now.advanced(bySeconds: settings.retry.wait(afterFailures: wholeFailures, random: random))
    return (hasDelivered ? [] : [.discard]) + [.report(.retrying(reason))] + fetch(now: now)
  }

  /// An answer that cannot be used.
  mutating func reject(_ id: TransferID, _ reason: String, now: Instant) -> [Action] {
    guard mode == .ranges else {
      let failure = Failure(.badResponse, "the server's answer cannot be used: \(reason)")
      return give(up: source(of: id), because: failure, now: now)
    }
    return strike(id, reason, now: now)
  }

  /// A range was answered wrongly. Twice in a row is enough: then one stream without ranges.
  mutating func strike(_ id: TransferID, _ reason: String, now: Instant) -> [Action] {
    let source = source(of: id)
    let wasProbe = release(id)
    if id.number > sources[source].struckID {
      sources[source].strikes += 1
      sources[source].struckID = nextID
    }
    // With another source there is no need to try once more what never worked.
    let isNeedless = hasAlternative(to: source) && !sources[source].hasAnswered
    guard !wasProbe, !isNeedless, sources[source].strikes < Self.mostStrikes else {
      if hasAlternative(to: source) { return drop(source, "its answers cannot be used (\(reason))", now: now) }
      mode = .wholeOnly
      return restart(because: "range requests do not work here (\(reason))", now: now)
    }
    return [.report(.decision(reason)), strain(source)] + fetch(now: now)
  }

  /// A status that carries no bytes of the file. Before the first answer most of them are the end. Later they may be one
  /// node's opinion, or its way to say "too many": the range is asked for again, by fewer connections, and only when no
  /// transfer brings anything any more they count.
  mutating func refuse(
    _ id: TransferID, from place: Location, status: Int, retryAfter: Int64?, now: Instant
  ) -> [Action] {
    let failure = Failure(refusing: status)
    let source = source(of: id)
    release(id)
    if place != sources[source].original, [400, 401, 403, 404, 410].contains(status) {
      // Links that a server hands out by redirect expire; the original may give a new one. Several requests may hear of
      // it, of which the first has sent the download back.
      if place != sources[source].location { return fetch(now: now) }
      if sources[source].resolutions < Self.mostResolutions {
        sources[source].resolutions += 1
        sources[source].location = sources[source].original
        return [.report(.decision("status \(status) from the redirected URL: resolving the original again"))]
          + fetch(now: now)
      }
    }
    if let actions = renew(source, becauseOf: id, status: status, now: now) { return actions }
    let mayPass = [408, 425, 429, 500, 502, 503, 504].contains(status)
    let hasServed = hasAnswer && (sources[source].hasAnswered || !hasAlternative(to: source))
    guard mayPass || hasServed else { return give(up: source, because: failure, now: now) }
    return charge(failure, source, retryAfter: retryAfter, isRateLimit: status == 429, now: now, random: 1)
  }
}

extension Failure {
  /// What a status that is not a success means.
  package init(refusing status: Int) {
    switch status {
    case 404, 410: self.init(.notFound, "the server has no such file (status \(status))", suggestion: "check the URL")
    case 401, 403, 407:
      self.init(
        .authorization, "the server refuses (status \(status))", suggestion: "check the credentials or the link")
    case 429, 503: self.init(.overloaded, "the server is overloaded (status \(status))", suggestion: "try again later")
    default: self.init(.badResponse, "the server answered with status \(status)")
    }
  }
}
