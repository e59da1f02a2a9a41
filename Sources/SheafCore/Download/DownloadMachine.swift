/// The life of one download, from the first request to the published file, as a value.
///
/// Each event is a mutating method that returns what to do next. The bytes never come here: transfers write
/// them where `TransferRequest.question` says and only report how far they are.
///
/// ```
///            begin                accepted                 all bytes there            digest right
///   idle ───────────▶ probing ───────────────▶ fetching ─────────────────▶ sealing ─────────────────▶ publishing
///                        ▲    changed, ranges useless   │                                                  │
///                        └───────── restart ────────────┘                          published              ▼
///   any state: fail, stop ──▶ ended                                                                       ended
/// ```
package struct DownloadMachine: Sendable {
  enum Phase: Hashable, Sendable {
    case idle, probing, fetching, sealing, publishing, ended
  }

  /// How much of HTTP's ranges this server can be trusted with.
  enum Mode: Hashable, Sendable {
    case ranges
    /// One stream from the first byte, without a `Range` field.
    case wholeOnly
  }

  /// Bytes asked for before anything is known. A smaller file comes in one request, which also serves links
  /// that work only once.
  package static let probeLength: Int64 = 8 << 20
  static let mostRestarts = 3
  static let mostStrikes = 2
  /// A transfer that brought less before it broke made no progress worth an immediate next one.
  static let leastProgress: Int64 = 64 << 10
  /// A transfer that brought less before it broke may have been cut off by a host that has enough of connections.
  static let fairShare: Int64 = 1 << 20
  static let mostResolutions = 5
  /// Ended transfers are forgotten from here on; no more than half as many run at once.
  static let mostAsking = 1024
  /// A body that takes longer than this many seconds, and four round trips, may be helped with.
  static let slow = 0.25
  /// Round trips from this many seconds on are worth saving at the price of connections that may turn out to be of no use.
  static let longRoundTrip = 0.02
  /// Known paces make it worth to take over this little, unless the user set a size.
  static let smallestTheft: Int64 = 64 << 10
  /// A segment handed out is worth the round trip it costs.
  static let smallestSegment: Int64 = 1 << 20
  /// Bytes in which two answers overlap where the identity is weak.
  package static let seamLength: Int64 = 4 << 10
  /// Where a digest reads the bytes, segments stay this small so that the contiguous frontier keeps moving, unless a
  /// connection would wait for answers too often.
  static let largestOrderedSegment: Int64 = 4 << 20

  package let settings: Settings
  /// A finished file under the target's name and what was noted about it.
  let existing: Identity?
  /// What is known of a file under the target's name that is only to be replaced if the server has a newer one.
  package var replaceable: Identity?

  var phase = Phase.idle
  var mode = Mode.ranges
  /// The user's own URL first.
  package internal(set) var sources: [Source]
  /// Who was asked by which transfer; those that have ended may still be in it.
  var asking: [TransferID: Int] = [:]
  /// The source that the identity came from. What others send must fit to what this one sends.
  var measure = 0
  var identity: Identity?
  var blocks: BlockMap?
  /// The identity before the last fresh start: only a strong one may take its place.
  var forsaken: Identity?
  var resumed: Resumed?
  var planner = Planner.idle
  var evenness = Evenness()
  /// How many transfers the hosts' budgets allow this download; `connections` where they have not said yet.
  var allowances: [Location.Origin: Int] = [:]
  var paces = Paces()
  /// The user's own limits, as they were last heard of.
  package internal(set) var limit = OwnLimit()
  var replacements = Replacements()
  /// Transfers that have been asked to shrink and have not said yet where they will end.
  var shrinking: Set<TransferID> = []
  /// Those of them that give up a part which another transfer will fetch.
  var yielding: Set<TransferID> = []
  /// Second requests for what other transfers are working on.
  var races = Races()
  /// A file that fits the first request takes long enough for others to help.
  var isSlow = false
  var checkpoints: CheckpointPolicy?
  var speedWatch: SpeedWatch?
  var beganAt: Instant?

  var nextID = 0
  var probe: TransferID?
  /// Failures in a row without a byte of progress while nothing else was under way.
  var failures = 0
  /// No new request before this time.
  var holdUntil: Instant?
  /// Failures of one stream without ranges, which can only start over.
  var wholeFailures = 0
  var restarts = 0
  /// The requests that have no answer yet: where they went, and how many redirects led there.
  var asked: [TransferID: (location: Location, hops: Int)] = [:]
  var hasAnswer = false
  /// How often a piece did not have the digest that it must have, by its first byte.
  var wrongPieces: [Int64: Int] = [:]
  /// What servers say of the file's digest.
  var claims = ClaimBook()
  /// Other places for the file that the server names, until the first answer is accepted.
  var offers: [Location] = []
  /// Somebody takes the bytes as they come.
  var isFollowed = false
  /// What readers wait for, the most urgent first.
  var awaitedRanges: [ByteRange] = []
  /// The bytes that an earlier run left are still being checked.
  var isAuditing = false
  var received: Int64 = 0
  /// The reader has everything before this offset.
  package internal(set) var delivered: Int64
  /// Nobody needs anything before this offset any more.
  var released: Int64

  /// - Parameters:
  ///   - existing: the identity noted about a finished file under the target's name, if that may not be replaced.
  ///   - mirrors: other places that have the file too, the best first.
  package init(
    _ original: Location, mirrors: [Location] = [], settings: Settings, resumed: Resumed?, existing: Identity?
  ) {
    var all = [original]
    for mirror in mirrors where all.count < settings.mostSources && !all.contains(mirror) { all.append(mirror) }
    sources = all.map { Source($0) }
    self.settings = settings
    speedWatch = settings.leastSpeed.map { SpeedWatch(least: $0, period: settings.speedPeriod) }
    delivered = settings.start
    released = settings.start
    self.resumed = resumed
    self.existing = existing
  }

  // MARK: - What is under way

  /// Transfers that have been started and have not ended.
  package var activeTransfers: Int { planner.segments.count + races.count + (probe == nil ? 0 : 1) }

  /// Transfers that the download could use now.
  package var wantedTransfers: Int {
    switch phase {
    case .idle, .probing: 1
    // At the end one after the other is taken in, as laggards are found: what it cannot use others may have.
    case .fetching:
      // The reader of a stream makes room at any moment.
      settings.window == nil && planner.unassigned.isEmpty || holdUntil != nil ? min(worth, activeTransfers + 1) : worth
    case .sealing, .publishing, .ended: 0
    }
  }

  package var identityInForce: Identity? { identity }

  /// Whether what transfer `id` writes belongs to the file.
  package func counts(_ id: TransferID) -> Bool { isWorking(id) || races[id]?.isAccepted == true }

  /// Whether transfer `id` has a segment.
  package func isWorking(_ id: TransferID) -> Bool { planner.segments[id] != nil }

  /// Whether transfer `id` fetches what another one is fetching too.
  package func isRacing(_ id: TransferID) -> Bool { races[id] != nil }

  /// Whether it does so to the end, and not only until the other one gives its part up.
  package func isHedge(_ id: TransferID) -> Bool { races[id]?.kind == .hedge }

  /// Whether transfer `id` is one of this download's.
  package func isKnown(_ id: TransferID) -> Bool { id == probe || isWorking(id) || races[id] != nil }

  /// The file's length, once known.
  package var knownTotal: Int64? { identity?.total }

  /// Bytes written in this run, those that were later discarded included.
  package var receivedBytes: Int64 { received }

  /// Bytes of the file that are in the part file; nil while the length is unknown.
  package var presentBytes: Int64? { knownTotal.map { $0 - planner.missingBytes } }

  package var isFetching: Bool { phase == .fetching }

  /// What proves the parts to belong together: a digest proves more than any validator.
  package var strength: Validator.Strength { strength(of: identity) }

  func strength(of identity: Identity?) -> Validator.Strength {
    // What only the end of a stream proves comes too late for what its reader has had by then.
    settings.hasDigest && settings.window == nil ? .strong : identity?.validator.strength ?? .none
  }

  // MARK: - Events

  /// The target is open: go.
  package mutating func begin(now: Instant) -> [Action] {
    precondition(phase == .idle, "began in \(phase)")
    beganAt = now
    checkpoints = CheckpointPolicy(interval: settings.checkpointInterval, startedAt: now)
    guard let resumed else { return startProbe(now: now) }
    // Samples and seams say as much of a weak identity as they do within one run.
    let isEnough = resumed.samples != nil && resumed.identity.validator.strength == .weak
    guard settings.hasDigest || resumed.identity.validator.strength == .strong || isEnough else {
      self.resumed = nil
      return [.discard, .report(.warning("nothing proves that the server still has the same file; starting over"))]
        + startProbe(now: now)
    }
    identity = resumed.identity
    sources[measure].identity = resumed.identity
    blocks = resumed.blocks
    var present = resumed.complete
    var actions: [Action] = []
    if resumed.samples != nil || (resumed.isFromElsewhere && !settings.hasDigest), !resumed.proofs.isEmpty {
      for index in resumed.proofs { present[index] = false }
      let reason = resumed.samples == nil ? "another URL than before" : "not fetched by Sheaf"
      actions = [.prove(resumed.proofs), .report(.decision("\(reason): comparing \(resumed.proofs.count) blocks"))]
    }
    isAuditing = present.setCount > 0
    plan(resumed.blocks, present: present)
    return actions + layOut(isResumable: true, isResumed: true) + fetch(now: now)
  }

  /// A block that was fetched for proof is not what an earlier run had there.
  package mutating func disproved(now: Instant) -> [Action] {
    guard phase == .fetching || phase == .sealing else { return [] }
    return restart(because: "the URL leads to another file than the earlier run's", isChanged: true, now: now)
  }

  /// Whether all bytes of `range` are in the part file.
  package func isPresent(_ range: ByteRange) -> Bool {
    planner.unassigned.intersection(in: range).isEmpty
      && planner.segments.values.allSatisfy { $0.remainder.intersection(range) == nil }
  }

  /// A transfer has written all bytes of its segment before `offset`.
  package mutating func advanced(_ id: TransferID, to offset: Int64, now: Instant) -> [Action] {
    if let before = races.advance(id, to: offset) {
      received += offset - before
      sources[source(of: id)].received += offset - before
      paces.received(offset - before, by: id, now: now)
      return []
    }
    guard let segment = planner.segments[id], offset > segment.position else { return [] }
    if let refusal = refusal(ofSize: offset) { return fail(refusal) }
    received += offset - segment.position
    sources[source(of: id)].received += offset - segment.position
    paces.received(offset - segment.position, by: id, now: now)
    // It may not have heard yet that it is to end earlier.
    let reached = min(offset, segment.range.upper)
    planner.advance(id, to: reached)
    credit(id, ByteRange(segment.position, max(segment.position, reached)))
    failures = 0
    return checkpointIfDue(now: now)
  }

  /// A transfer asked to shrink will end at `end`.
  package mutating func shrunk(_ id: TransferID, to end: Int64, now: Instant) -> [Action] {
    shrinking.remove(id)
    yielding.remove(id)
    // A thief may be behind what its victim has brought of its part.
    let end = max(end, planner.segments[id]?.position ?? end)
    if let (thief, race) = races.removeTheft(against: id) {
      return hand(over: id, from: end, to: thief, race, now: now)
    }
    planner.shrink(id, to: end)
    return fetch(now: now)
  }

  /// Blocks from an earlier run do not have the bytes that were noted.
  package mutating func refuted(_ indices: [Int], now: Instant) -> [Action] {
    guard let blocks, phase == .fetching || phase == .sealing, !indices.isEmpty else { return [] }
    phase = .fetching
    for index in indices { lose(blocks.range(of: index)) }
    return [.report(.warning("\(indices.count) damaged blocks found; fetching them again"))] + fetch(now: now)
  }

  /// All blocks from an earlier run have been checked.
  package mutating func audited(now: Instant) -> [Action] {
    isAuditing = false
    return phase == .fetching ? fetch(now: now) : []
  }

  /// The budget of `host` has been asked.
  package mutating func allowed(_ allowance: HostBudget.Allowance, at host: Location.Origin, now: Instant) -> [Action] {
    allowances[host] = allowance.most
    guard phase == .fetching || phase == .probing else { return [] }
    return giveUp(beyond: allowance.keeping, at: host, now: now) + fetch(now: now)
  }

  package mutating func checkpointed(now: Instant) -> [Action] {
    checkpoints?.finished()
    return phase == .fetching ? checkpointIfDue(now: now) : []
  }

  /// How the user's own limits stand; to be told at the start and several times a second, before `woke`.
  package mutating func limited(_ standing: OwnLimit, now: Instant) {
    if limit.isTight || standing.isTight { paces.excuse(now: now) }
    limit = standing
  }

  /// The time asked for by `wake` has come, or some other moment to look around.
  package mutating func woke(now: Instant) -> [Action] {
    guard phase == .fetching || phase == .probing else { return [] }
    if let failure = outOfPatience(now: now) { return fail(failure) }
    if !limit.isTight, let first = paces.oldest, now.seconds(since: first) > max(Self.slow, 4 * (paces.latency ?? 0)) {
      isSlow = true
    }
    evenness.sample(paces.evenness(now: now))
    measureSources(now: now)
    return checkpointIfDue(now: now) + replaceStalled(now: now) + fetch(now: now)
  }

  /// The digest has been compared, or none was asked for.
  package mutating func sealed() -> [Action] {
    guard phase == .sealing else { return [] }
    guard settings.window == nil else {
      // There is no file to be named.
      phase = .ended
      return [.finish]
    }
    phase = .publishing
    return [.publish]
  }

  package mutating func published() -> [Action] {
    guard phase == .publishing else { return [] }
    phase = .ended
    return [.finish]
  }

  /// The user wants it to stop, the disk failed, or the file could not be sealed or published.
  package mutating func interrupted(by failure: Failure) -> [Action] {
    guard phase != .ended else { return [] }
    // Publishing is a matter of moments and cannot be half undone.
    if phase == .publishing && failure.kind == .interrupted { return [] }
    return fail(failure)
  }

  // MARK: - Common moves

  mutating func newID() -> TransferID {
    nextID += 1
    return TransferID(nextID)
  }

  mutating func startProbe(hops: Int = 0, now: Instant) -> [Action] {
    phase = .probing
    // `allowed` comes back to it.
    guard let source = firstUsable, room(at: source) > 0 else { return [] }
    let id = newID()
    probe = id
    paces.started(id, now: now)
    let first = mode == .ranges ? released : 0
    let question = RangeQuestion(
      range: ByteRange(first, first + min(Self.probeLength, settings.window ?? .max)), isOpen: true,
      // Before a byte is written: its place may be one that a reader is looking at.
      pinned: hasDelivered ? forsaken : nil, asksRange: mode == .ranges)
    return [.request(request(id, question, to: source, unlessStill: existing ?? replaceable, hops: hops))]
  }

  mutating func request(
    _ id: TransferID, _ question: RangeQuestion, to source: Int, unlessStill: Identity? = nil, hops: Int = 0
  ) -> TransferRequest {
    let location = sources[source].location
    asked[id] = (location, hops)
    if asking.count >= Self.mostAsking { asking = asking.filter { isKnown($0.key) } }
    asking[id] = source
    return TransferRequest(
      id: id, location: location, question: question, blocks: blocks, unlessStill: unlessStill,
      carriesPrivateFields: location.origin == sources[0].original.origin, reach: reach)
  }

  /// The request for a segment.
  mutating func ask(for range: ByteRange, by id: TransferID, of source: Int, hops: Int = 0, now: Instant) -> Action {
    paces.started(id, now: now)
    // What one source sends must be what the others would have sent: only the bytes themselves can tell.
    let seam = strength == .weak || sources.count > 1 ? min(Self.seamLength, range.lower) : 0
    let pinned = sources[source].identity
    let question = RangeQuestion(
      range: range, seam: seam, pinned: pinned, total: pinned == nil ? identity?.total : nil)
    return .request(request(id, question, to: source, hops: hops))
  }

  mutating func plan(_ blocks: BlockMap, present: Bitmap) {
    var missing = RangeSet()
    for run in present.ranges(where: false) { missing.insert(blocks.range(of: run)) }
    missing.remove(ByteRange(0, released))
    let largest = isOrdered ? Self.largestOrderedSegment : .max
    let smallest = settings.minimumSplitSize ?? Self.smallestSegment
    let smallestTheft = settings.minimumSplitSize ?? Self.smallestTheft
    planner = Planner(
      missing: missing, policy: .init(smallest: smallest, smallestTheft: smallestTheft, largest: largest),
      alignment: blocks.blockSize, window: settings.window.map { Window(length: $0, consumed: released) })
    planner.urgent = awaitedRanges
  }

  /// Whether bytes should come nearly in order.
  var isOrdered: Bool {
    if isFollowed || settings.window != nil { return true }
    return settings.hasDigest ? settings.digestIsRead : claims.settled.contains { $0.digest.algorithm != .crc32 }
  }

  func layOut(isResumable: Bool, isResumed: Bool = false) -> [Action] {
    guard let identity else { return [] }
    return [
      .layOut(Layout(identity: identity, blocks: blocks, isResumable: isResumable, isResumed: isResumed))
    ]
  }

  /// How many transfers may run now.
  var lanes: Int { min(allowance, worth) }

  /// How many transfers all hosts together allow.
  private var allowance: Int {
    // Asked for every small file, many times.
    sources.count == 1 ? allowance(of: sources[0].location.origin) : hosts.reduce(0) { $0 + allowance(of: $1) }
  }

  /// How many transfers the file is worth: without any identity it is one, and so with a server without ranges. A file that
  /// fits the first request has all it needs, unless it is slow. Before the first answer one is enough to find out where redirects lead.
  private var worth: Int {
    guard hasAnswer, mode == .ranges, strength != .none, let blocks, blocks.total > Self.probeLength || isSlow else {
      return 1
    }
    let lanes = mostLanes(for: blocks)
    guard let window = planner.window else { return lanes }
    return window.lanes(of: lanes, smallest: settings.minimumSplitSize ?? Self.smallestSegment)
  }

  private func mostLanes(for blocks: BlockMap) -> Int {
    let parts = max(0, blocks.total - 1) / BlockMap.smallestBlock + 1
    return Int(min(parts, Int64(mostTransfers(hosts: sources.count == 1 ? 1 : hosts.count))))
  }

  /// Under a low limit, many connections would only wait for each other; who asks for a number gets it.
  private func mostTransfers(hosts: Int) -> Int {
    let most = settings.mostTransfers(hosts: hosts)
    return settings.isPinned ? most : min(most, limit.mostTransfers)
  }

  /// Bytes of the first range that the first transfer keeps: a fair share, in whole blocks.
  func firstShare(of blocks: BlockMap) -> Int64 {
    guard strength == .strong, blocks.total > Self.probeLength else { return .max }
    let lanes = max(1, min(mostLanes(for: blocks), ConnectionController.firstWave))
    let share = (blocks.total / Int64(lanes) / blocks.blockSize + 1) * blocks.blockSize
    guard let window = planner.window else { return share }
    return min(share, window.least(lanes: lanes, smallest: Self.smallestSegment))
  }

  /// How many connections to open while the very first answer is on its way, when the request for it goes out over a
  /// connection that took `roundTrip` seconds: on a far line this saves a round trip of the ramp. Those for which the
  /// answer shows no use are closed.
  /// - Parameter share: the connections that the host's budget has for this download.
  package func worthOpening(roundTrip: Double, share: Int) -> Int {
    guard !hasAnswer, activeTransfers == 1, mode == .ranges, existing == nil, replaceable == nil,
      roundTrip >= Self.longRoundTrip
    else {
      return 0
    }
    let lanes = blocks.map { mostLanes(for: $0) } ?? mostTransfers(hosts: 1)
    return max(0, min(lanes, share, ConnectionController.firstWave) - 1)
  }

  /// The transfers that will soon share the work, though the first answer must come before they start.
  private var expectedLanes: Int {
    guard !hasAnswer, strength == .strong, let blocks else { return 1 }
    return min(mostLanes(for: blocks), ConnectionController.firstWave)
  }

  /// How many transfers the work is divided among. How much of a window each one gets must not depend on how many have found
  /// room in it so far.
  private var sharing: Int { planner.window == nil ? max(lanes, expectedLanes) : worth }

  /// Starts what may be started now, or moves on when nothing is missing.
  /// - Parameters:
  ///   - rate: bytes per second of the transfer that has just ended, whose connection the next one gets.
  ///   - freed: that transfer.
  mutating func fetch(now: Instant, onConnectionWith rate: Double? = nil, of freed: TransferID? = nil) -> [Action] {
    phase = phase == .idle ? .fetching : phase
    guard phase == .fetching || (phase == .probing && probe == nil) else { return [] }
    if let holdUntil {
      guard now >= holdUntil else { return [.wake(at: holdUntil)] }
      self.holdUntil = nil
    }
    if phase == .probing { return startProbe(now: now) }
    if planner.isDone {
      guard !isAuditing else { return [] }
      if let refusal = refusalOfUnverified { return fail(refusal) }
      phase = .sealing
      // The victim of one may have been refused, and others brought what it had.
      return races.ids.map { abort($0) } + [.seal]
    }
    guard mode == .ranges else { return [] }
    var actions: [Action] = []
    var (rate, freed) = (rate, freed)
    while activeTransfers + yielding.count < lanes, let source = nextSource(after: freed) {
      let id = newID()
      let usual = rate ?? (sources.count > 1 ? sources[source].rate : nil)
      if let range = planner.take(for: id, lanes: sharing, rate: usual, paces: paces, now: now) {
        actions.append(ask(for: range, by: id, of: source, now: now))
      } else {
        let more = tail(id, of: source, now: now)
        guard !more.isEmpty else { break }
        actions += more
      }
      (rate, freed) = (nil, nil)
    }
    return actions
  }

  mutating func shrink(_ id: TransferID, to end: Int64) -> Action {
    shrinking.insert(id)
    return .shrink(id, to: end)
  }

  mutating func checkpointIfDue(now: Instant) -> [Action] {
    guard phase == .fetching, checkpoints?.isDue(received: received, now: now) == true else { return [] }
    return [.checkpoint]
  }

  mutating func abortAll() -> [Action] {
    let all = (planner.segments.keys + races.ids + (probe.map { [$0] } ?? [])).sorted { $0.number < $1.number }
    return all.map { abort($0) }
  }

  mutating func fail(_ failure: Failure) -> [Action] {
    let aborts = abortAll()
    phase = .ended
    return aborts + [.fail(failure)]
  }

  /// Starts over under a new identity or in another mode.
  /// - Parameter isChanged: it is another file than before.
  mutating func restart(because reason: String, isChanged: Bool = false, now: Instant) -> [Action] {
    let aborts = abortAll()
    restarts += 1
    if let refusal = refusalToStartOver(because: reason) { return aborts + fail(refusal) }
    guard restarts <= Self.mostRestarts else {
      phase = .ended
      return aborts + [
        .fail(
          Failure(
            .badResponse, "\(reason), and \(Self.mostRestarts) fresh starts did not help",
            suggestion: "try again when the server has settled"))
      ]
    }
    if strength == .strong, let identity { forsaken = identity }
    identity = nil
    blocks = nil
    claims = ClaimBook()
    resumed = nil
    isAuditing = false
    planner = Planner.idle
    for index in sources.indices { sources[index].startOver() }
    holdUntil = nil
    let change: [Action] = isChanged ? [.report(.changed(reason))] : []
    if hasDelivered {
      return aborts + change + [.report(.warning("\(reason); asking anew from byte \(released)"))]
        + startProbe(now: now)
    }
    return aborts + change + [.discard, .report(.warning("\(reason); starting over"))] + startProbe(now: now)
  }
}
