import SheafCore

/// What happens to the transfers, and time passing, told to the machine.
extension DownloadRun {
  /// Hands an event over from whatever loop it happened on: at once if that is the home loop, else in the order in
  /// which that loop hands them over.
  nonisolated func deliver(_ event: @escaping @Sendable (isolated DownloadRun) -> Void) {
    if loop.thread.isCurrent {
      assumeIsolated(event)
    } else {
      loop.thread.post { [self] in assumeIsolated(event) }
    }
  }

  /// What happened to a transfer, in the order in which it happened.
  enum Event {
    case news(TransferNews)
    case shrunk(to: Int64)
  }

  func take(_ events: [(TransferID, Event)]) {
    inbox += events
    // Answering one event can bring others at once, of a transfer whose earlier news are still waiting here: they
    // must not overtake.
    guard !isTaking else { return }
    isTaking = true
    var next = 0
    while next < inbox.count {
      let (id, event) = inbox[next]
      next += 1
      react(to: event, of: id)
    }
    inbox.removeAll(keepingCapacity: true)
    isTaking = false
    readUnread()
    continueDigest()
    serveReaders()
    consultBudget()
  }

  func react(to event: Event, of id: TransferID) {
    let now = Instant.now
    switch event {
    case .shrunk(let end):
      handle(machine.shrunk(id, to: end, now: now))
    case .news(.challenged(let fields)):
      challenge = fields
    case .news(.claimed(let claims)):
      machine.claimed(id, claims)
    case .news(.offered(let mirrors)):
      machine.offered(id, mirrors)
    case .news(.modified(let time)):
      // Of the version that is being fetched; a redirect's page has no business here.
      if machine.isKnown(id) { modifiedAt = time }
    case .news(.answered(let verdict)):
      handle(machine.answered(id, verdict, now: now))
    case .news(.redirected(let target)):
      channel.send(.redirected(to: target.redacted))
      handle(machine.redirected(id, to: target, now: now))
    case .news(.wrote(let range, let checksum)):
      if machine.counts(id) { note(range, checksum) }
    case .news(.seam(let range, let checksum)):
      if machine.counts(id) { seams.append(Seam(range: range, checksum: checksum, source: machine.source(of: id))) }
    case .news(.advanced(let offset)):
      if machine.isWorking(id) { streamed = offset }
      handle(machine.advanced(id, to: offset, now: now))
    case .news(.ended(let ending)):
      handle(machine.ended(id, ending, now: now, random: .random(in: 0..<1)))
    case .news(.named), .news(.opened), .news(.connected), .news(.unreached), .news(.left):
      // Of concern to the books only.
      break
    case .news(.roundTrip(let seconds, let least)):
      if let host = places[id]?.request.location.origin { accounts[host]?.measured(seconds, least: least) }
    case .news(.warning(let message)):
      channel.send(.warning(message))
    case .news(.storageFailed(let failure)):
      handle(machine.interrupted(by: failure))
    }
  }

  func note(_ range: ByteRange, _ checksum: UInt32) {
    ledger?.add(range, checksum: checksum)
    pieceWatch?.wrote(range)
    guard !proofs.isEmpty, let ledger else { return }
    compareProof(ledger.map.index(of: range.lower))
  }

  func ring() {
    guard outcome == nil else { return }
    wakeAt = nil
    let now = Instant.now
    reportProgress(now)
    lookAtLimits(now)
    if pieceWatch?.isChecking == false { checkPieces() }
    handle(machine.woke(now: now))
    relieve(now)
    serveReaders()
    consultBudget(isDue: true)
    scheduleTick()
  }

  func scheduleTick() {
    let next = Instant.now.advanced(bySeconds: Self.tick)
    let at = wakeAt.map { min($0, next) } ?? next
    let owner = ObjectIdentifier(self)
    loop.carryOut { loop in
      loop.setAlarm(for: owner, at: at) { [self] in deliver { $0.ring() } }
    }
  }
}
