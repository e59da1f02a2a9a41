import SheafCore

/// What the machine wants done, in order.
extension DownloadRun {
  func handle(_ actions: [DownloadMachine.Action]) {
    pending += actions
    // A carried-out action may bring news at once; its actions wait their turn.
    guard !isPerforming else { return }
    isPerforming = true
    while !isHeld, unfinishedAborts == 0, !pending.isEmpty { perform(pending.removeFirst()) }
    isPerforming = false
  }

  func perform(_ action: DownloadMachine.Action) {
    switch action {
    case .request(let request): start(request)
    case .shrink(let id, let offset): shrink(id, to: offset)
    case .extend(let id, let offset): extend(id, to: offset)
    case .abort(let id): abort(id)
    case .cover(let range):
      ledger?.cover(range)
      pieceWatch?.wrote(range)
    case .strain(let strain, let host):
      guard let member else { return }
      accounts[host]?.allowance = nil
      let active = machine.activeTransfers(at: host)
      let decision = budgets.strained(member, host, strain, active: active, now: .now)
      if let decision { channel.send(.decision(decision)) }
    case .renew(let source, let status): renew(source, status)
    case .layOut(let layout): layOut(layout)
    case .prove(let indices): prove(indices)
    case .withdraw(let indices): withdraw(indices)
    case .discard: discard()
    case .checkpoint: checkpoint()
    case .expect(let claims): expect(claims)
    case .seal: compareSeams { $0.settleProofs { $0.checkPieces { $0.seal() } } }
    case .publish: if isIntact { spare() } else { publish() }
    case .wake(let moment):
      wakeAt = min(moment, wakeAt ?? moment)
      scheduleTick()
    case .concludeAlreadyComplete(let identity): conclude(identity)
    case .finish:
      let bytes = (machine.knownTotal ?? streamed) - (stream?.start ?? 0)
      end(.success(result(bytes: bytes, identity: .init(machine.proof), isOld: repair?.isIntact == true)))
    case .fail(let failure): fail(failure)
    case .report(.retrying(let reason)): channel.send(.retrying(reason: reason))
    case .report(.changed(let reason)): channel.send(.identityChanged(reason: reason))
    case .report(.warning(let message)): channel.send(.warning(message))
    case .report(.decision(let message)): channel.send(.decision(message))
    }
  }

  func layOut(_ layout: DownloadMachine.Layout) {
    let blocks = layout.blocks
    channel.send(
      .started(
        .init(
          url: location.redacted, path: path, total: layout.identity.total,
          resumedBytes: layout.isResumed ? resumedBytes : 0, identity: .init(machine.strength))))
    isResumable = layout.isResumed
    if stream != nil { streamBlocks = layout.blocks }
    guard !layout.isResumed, stream == nil else { return }
    resumedBytes = 0
    ledger = blocks.map { BlockLedger(map: $0, combine: crc32Combined) }
    // A file that one request brings is sooner fetched again than a manifest is made.
    let isWorthIt = layout.isResumable && (blocks?.total ?? 0) > DownloadMachine.probeLength
    let new = isWorthIt ? blocks.map { manifest(for: $0, layout.identity) } : nil
    isResumable = new != nil
    // Nor is it worth a way to the disk thread: such a file is as long as what is written to it, and a full disk shows then.
    guard let total = blocks?.total, total > DownloadMachine.probeLength else { return }
    let reserves = options.allocation == .reserved
    order { [channel] store throws(Failure) in
      if let note = try await store.layOut(total: total, manifest: new, reserves: reserves) {
        channel.send(.warning(note))
      }
    }
  }

  func manifest(for blocks: BlockMap, _ identity: Identity) -> Manifest {
    Manifest(
      total: blocks.total, blockSize: blocks.blockSize, validator: identity.validator, sourceHash: location.hash,
      source: location.redacted, blocks: Bitmap(count: blocks.count),
      checksums: Array(repeating: 0, count: blocks.count))
  }

  func prove(_ indices: [Int]) {
    for index in indices {
      proofs[index] = ledger?.checksums[index]
      ledger?.refute(index)
      audit?.claims[index] = false
      if let map = ledger?.map { resumedBytes -= map.range(of: index).count }
    }
  }

  /// Forgets all bytes. Nothing may be written before the part file is empty.
  func discard() {
    discards += 1
    ledger = nil
    audit = nil
    proofs = [:]
    refuted = []
    seams = []
    isComparing = false
    repair?.keepsNothing()
    resumedBytes = 0
    streamed = 0
    expect(given.map { [$0] } ?? [])
    isHeld = true
    order { store throws(Failure) in
      try await store.discard()
    } then: { run in
      run.isHeld = false
      run.handle([])
    }
  }

  func checkpoint() {
    compareSeams()
    let completions = ledger?.takeCompletions() ?? []
    let withdrawn = refuted
    refuted = []
    order { store throws(Failure) in
      try await store.checkpoint(adding: completions, withdrawing: withdrawn)
    } then: { run in
      run.handle(run.machine.checkpointed(now: .now))
    }
  }

  func publish() {
    guard let identity = machine.identityInForce else { return }
    let (replacing, hash, time) = (options.overwrites, location.hash, modifiedAt)
    let began = Instant.now
    let published: @Sendable (isolated DownloadRun) -> Void = { run in
      run.diskWait += Instant.now.seconds(since: began)
      run.handle(run.machine.published())
    }
    guard hasOrdered || isResumable else {
      // The store has nothing to do with it that this would have to wait for. After the loop's turn, in which others may
      // have become complete as well: they are published together.
      return loop.thread.post { [self] in
        store.publishUntouched(identity, sourceHash: hash, modifiedAt: time, replacing: replacing) { [self] result in
          deliver { run in
            switch result {
            case .success: published(run)
            case .failure(let failure): run.handle(run.machine.interrupted(by: failure))
            }
          }
        }
      }
    }
    order { store throws(Failure) in
      try await store.publish(identity, sourceHash: hash, modifiedAt: time, replacing: replacing)
    } then: {
      published($0)
    }
  }

  /// The file that is there is the one.
  func conclude(_ identity: Identity) {
    Task {
      // A part file that was opened in case it was not.
      await store.abandon(keepingPart: false)
      end(.success(result(bytes: identity.total ?? 0, identity: .strong, isOld: true)))
    }
  }

  func fail(_ failure: Failure) {
    let completions = ledger?.takeCompletions() ?? []
    let withdrawn = refuted
    // It may be reading, and for as long as it does the part file stays locked: nobody could start over at once.
    let reading = digester
    digester = nil
    Task {
      try? await reading?.advance(to: 0)
      switch failure.kind {
      case .checksum where isRefuted:
        await store.setAside()
      case .badResponse where repair?.isForeign == true:
        await store.forget()
      default:
        // The failure at hand matters more than a checkpoint that could not be taken as well.
        try? await store.checkpoint(adding: completions, withdrawing: withdrawn)
        await store.abandon(keepingPart: [.exists, .renameFailed].contains(failure.kind))
      }
      end(.failure(failure))
    }
  }

  func end(_ result: Result<DownloadResult, Failure>) {
    guard outcome == nil else { return }
    let result = reported(result)
    outcome = result
    repair = nil
    let owner = ObjectIdentifier(self)
    loop.carryOut { $0.removeAlarm(of: owner) }
    leaveLimits()
    if let member {
      for host in accounts.keys { budgets.leave(member, host, now: .now) }
      budgets.end(member)
    }
    file = nil
    digester = nil
    serveReaders()
    waiter?.resume(returning: result)
    waiter = nil
  }

  /// Asks the disk for something; a failure ends the download.
  /// - Parameter isRead: reads what has been written so far. If that is discarded meanwhile, a failure means nothing.
  func order(
    isRead: Bool = false, _ work: @escaping @Sendable (PartStore) async throws(Failure) -> Void,
    then next: @escaping @Sendable (isolated DownloadRun) -> Void = { _ in }
  ) {
    let discards = discards
    hasOrdered = true
    Task {
      do throws(Failure) {
        try await work(store)
        next(self)
      } catch {
        if isRead, discards != self.discards { return }
        isHeld = false
        handle(machine.interrupted(by: error))
      }
    }
  }
}
