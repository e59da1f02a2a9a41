/// What an answer's head means for the download.
extension DownloadMachine {
  /// The head of an answer has been judged. Only after `.range` or `.whole` does the transfer go on; it then
  /// reports `advanced` and in the end `ended`.
  package mutating func answered(_ id: TransferID, _ verdict: Verdict, now: Instant) -> [Action] {
    guard isKnown(id) else { return [] }
    let source = source(of: id)
    let place = asked[id]?.location ?? sources[source].location
    if verdict != .redirect { asked[id] = nil }
    if let race = races[id], let actions = answered(id, race, verdict, now: now) { return actions }
    switch verdict {
    case .range(let range, let identity):
      paces.answered(id, now: now)
      let isFirst = !hasAnswer
      hasAnswer = true
      heard(from: source, identity)
      guard id == probe else {
        let expectation = isFirst ? settleClaims(id) : []
        guard phase != .ended else { return expectation }
        return expectation + shorten(id, to: range) + (isFirst ? fetch(now: now) : [])
      }
      return adopt(id, range, identity, now: now)
    case .whole(let identity):
      hasAnswer = true
      sources[source].resolutions = 0
      sources[source].renewals = 0
      return adoptWhole(id, identity, now: now)
    case .empty(let identity):
      return adoptEmpty(identity, now: now)
    case .unchanged:
      guard let existing = existing ?? replaceable else {
        return reject(id, "304 to a question without a condition", now: now)
      }
      return conclude(existing)
    case .changed(let reason) where id == probe && hasDelivered:
      return fail(changedTooLate(reason))
    case .changed(let reason):
      if source != measure { return drop(source, "it has another version (\(reason))", now: now) }
      return restart(because: "the file changed on the server (\(reason))", isChanged: true, now: now)
    case .rangeIgnored:
      return strike(id, "the server ignores ranges", now: now)
    case .unsatisfiable(let total):
      if let total, let known = identity?.total, total != known {
        if source != measure { return drop(source, "it has \(total) bytes instead of \(known)", now: now) }
        return restart(
          because: "the file changed on the server (its length is now \(total) bytes)", isChanged: true, now: now)
      }
      return strike(id, "the server says the range is outside the file", now: now)
    case .rejected(let reason):
      return reject(id, reason, now: now)
    case .refused(let status, let retryAfter):
      return refuse(id, from: place, status: status, retryAfter: retryAfter, now: now)
    case .redirect:
      // `redirected` follows with the target, or a failure if there is none.
      return []
    }
  }

  /// Transfer `id` was sent elsewhere.
  package mutating func redirected(_ id: TransferID, to target: Location, now: Instant) -> [Action] {
    guard isKnown(id) else { return [] }
    let source = source(of: id)
    // The source's own location may have become another since this request was sent.
    let (place, hops) = asked.removeValue(forKey: id) ?? (sources[source].location, 0)
    let refusal = RedirectPolicy.refusal(
      from: place, to: target, hops: hops + 1, allowsDowngrade: settings.allowsDowngrade)
    if let refusal { return give(up: source, because: refusal, now: now) }
    sources[source].location = target
    claims.pass(id)
    let report = Action.report(.decision("redirected to \(printable(target.origin.host))"))
    let isRace = races[id] != nil
    let range = planner.segments[id]?.range
    release(id)
    if isRace { return [report] }
    guard let range else { return [report] + startProbe(hops: hops + 1, now: now) }
    let next = newID()
    planner.claim(range, for: next)
    return [report, ask(for: range, by: next, of: source, hops: hops + 1, now: now)]
  }

  /// The first answer carries a range: the plan can be made.
  private mutating func adopt(_ id: TransferID, _ range: ByteRange, _ found: Identity, now: Instant) -> [Action] {
    guard let total = found.total else { return reject(id, "it does not tell the file's length", now: now) }
    if let refusal = refusal(ofSize: total) { return fail(refusal) }
    if let failure = refusal(ofTotal: total) { return give(up: source(of: id), because: failure, now: now) }
    if let decision = compareWithExisting(id, found) ?? compareWithForsaken(id, found) { return decision }
    if strength(of: found) == .none && range.count < total {
      // Nothing could tell whether a second answer speaks of the same bytes.
      mode = .wholeOnly
      return abortAll() + [.report(.decision("nothing but a length identifies the file: one stream"))]
        + startProbe(now: now)
    }
    let expectation = settleClaims(id)
    guard phase != .ended else { return expectation }
    measure = source(of: id)
    probe = nil
    identity = found
    let map = BlockMap(total: total)
    blocks = map
    let mirrors = takeOffers(total: total)
    plan(map, present: Bitmap(count: map.count))
    phase = .fetching
    var actions = layOut(isResumable: strength == .strong && settings.window == nil) + expectation + mirrors
    // The first request asked before anybody knew how large the file is. Where its range is much more than a fair share,
    // others fetch the rest of it.
    planner.claim(range, for: id)
    let share = firstShare(of: map)
    let isTooMuch = range.count / 3 >= share
    if isTooMuch { actions.append(shrink(id, to: range.lower + share)) }
    actions.append(
      .report(
        .decision(
          "\(total) bytes in \(map.count) blocks of \(map.blockSize), identity \(strength.rawValue): "
            + "up to \(lanes) connections")))
    // A reader waits for what it gives up, so that others go there first.
    return isTooMuch && settings.window != nil ? actions : actions + fetch(now: now)
  }

  /// The answer carries the whole file from its first byte.
  private mutating func adoptWhole(_ id: TransferID, _ found: Identity, now: Instant) -> [Action] {
    guard id == probe else {
      if source(of: id) != measure { return drop(source(of: id), "it does not answer ranges", now: now) }
      return restart(because: "the server sends the whole file instead of a range", now: now)
    }
    if let refusal = found.total.flatMap(refusal(ofSize:)) { return fail(refusal) }
    if let failure = found.total.flatMap(refusal(ofTotal:)) {
      return give(up: source(of: id), because: failure, now: now)
    }
    if let decision = compareWithExisting(id, found) ?? compareWithForsaken(id, found) { return decision }
    let expectation = settleClaims(id)
    guard phase != .ended else { return expectation }
    measure = source(of: id)
    probe = nil
    identity = found
    blocks = found.total.map { BlockMap(total: $0) }
    let asked = mode == .ranges
    mode = .wholeOnly
    planner = Planner.idle
    phase = .fetching
    if settings.start > 0, found.total == settings.start {
      return [abort(id)] + layOut(isResumable: false) + expectation + fetch(now: now)
    }
    planner.assign(ByteRange(0, found.total ?? .max), to: id)
    // The reader may have come further since it was asked for.
    let extent: [Action] = settings.window == nil ? [] : [.extend(id, to: reach)]
    return layOut(isResumable: false) + extent + expectation
      + (asked ? [.report(.decision("the server does not answer ranges: one stream"))] : [])
  }

  private mutating func adoptEmpty(_ found: Identity, now: Instant) -> [Action] {
    var expectation: [Action] = []
    if let failure = refusal(ofTotal: 0) { return fail(failure) }
    if let probe {
      if let decision = compareWithExisting(probe, found) ?? compareWithForsaken(probe, found) { return decision }
      expectation = settleClaims(probe)
      guard phase != .ended else { return expectation }
    }
    probe = nil
    identity = Identity(total: 0, validator: found.validator)
    blocks = BlockMap(total: 0)
    phase = .fetching
    return layOut(isResumable: false) + expectation + fetch(now: now)
  }

  /// A range was answered with less than was asked for: legal (RFC 9110 section 15.3.7); the rest goes back.
  private mutating func shorten(_ id: TransferID, to range: ByteRange) -> [Action] {
    // The answer covers what was asked, of which others may have taken over a part in the meantime.
    guard let segment = planner.segments[id] else { return [] }
    planner.shrink(id, to: min(range.upper, segment.range.upper))
    return []
  }

  /// With a file under the target's name the answer only tells whether it is still the server's.
  private mutating func compareWithExisting(_ id: TransferID, _ found: Identity) -> [Action]? {
    guard let existing else { return nil }
    guard found.validator.strength == .strong, existing.difference(from: found) == nil else {
      return fail(
        Failure(
          .exists, "the target exists and the server has another file",
          suggestion: "remove it, choose another name with -o, or use --allow-overwrite"))
    }
    return [abort(id)] + conclude(existing)
  }

  /// After a fresh start the file is the one from before, or a new version that proves itself as well as that one did. A
  /// login page or an error page with status 200 is neither.
  private mutating func compareWithForsaken(_ id: TransferID, _ found: Identity) -> [Action]? {
    if hasDelivered, found.validator.strength != .strong {
      return fail(changedTooLate("nothing identifies it any more"))
    }
    guard let forsaken, !settings.hasDigest, let difference = found.difference(from: forsaken) else { return nil }
    guard found.validator.strength != .strong || found.validator == forsaken.validator else { return nil }
    return fail(
      Failure(
        .badResponse, "the server sends something else than the file it began with (\(difference))",
        suggestion: "look at what the URL shows in a browser; a login or an expired link may be the reason"))
  }

  private mutating func conclude(_ existing: Identity) -> [Action] {
    if refusalOfUnverified != nil {
      return fail(
        Failure(
          .exists, "the target exists, and nothing says which digest it must have",
          suggestion: "give --checksum or --checksum-file, or do without --verify=require"))
    }
    probe = nil
    phase = .ended
    return [.concludeAlreadyComplete(existing)]
  }

  /// Why a file that is said to have so many bytes is not the one that is wanted.
  func refusal(ofTotal bytes: Int64) -> Failure? {
    if bytes < settings.start {
      return Failure(.badResponse, "it has only \(bytes) bytes, all before the first one wanted")
    }
    guard let expected = settings.expectedTotal, bytes != expected else { return nil }
    return Failure(
      .badResponse, "it has \(bytes) bytes instead of \(expected)",
      suggestion: "check whether the Metalink document is of this version")
  }

  /// Why a file of so many bytes is not fetched.
  func refusal(ofSize bytes: Int64) -> Failure? {
    guard let most = settings.mostBytes, bytes > most else { return nil }
    return Failure(.badResponse, "it has more than the \(most) bytes that it may have")
  }

  /// Takes transfer `id` off all books; true if it was the first one.
  @discardableResult
  mutating func release(_ id: TransferID) -> Bool {
    asked[id] = nil
    shrinking.remove(id)
    yielding.remove(id)
    paces.forget(id)
    claims.forget(id)
    _ = races.remove(id)
    planner.release(id)
    guard id == probe else { return false }
    probe = nil
    return true
  }

  /// Ends transfer `id` without hearing of it again.
  mutating func abort(_ id: TransferID) -> Action {
    release(id)
    return .abort(id)
  }
}
