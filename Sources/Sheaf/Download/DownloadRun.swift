import SheafCore

/// One download under way: feeds events to the machine and carries out its actions, in order.
///
/// It lives on the thread of its home loop, so orders to that loop are plain calls. What may block, disk and digest,
/// is asked for by tasks whose answers come back as events.
actor DownloadRun {
  nonisolated let loop: TransferLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.thread.asUnownedSerialExecutor() }

  private let engine: Engine
  private let location: Location
  private let target: Target
  private let options: DownloadOptions
  private let channel: EventChannel
  private let store: PartStore
  private let hashing: SerialThread
  private let settings: TransferSettings
  private let budgets: HostBudgets

  private var machine: DownloadMachine
  private var file: PartFile?
  private var digester: Digester?
  private var ledger: BlockLedger?
  /// Blocks fetched again for proof, and the CRC-32 they must have.
  private var proofs: [Int: UInt32] = [:]
  /// Blocks found damaged since the last checkpoint.
  private var refuted: [Int] = []
  private var audit: Audit?
  /// How often all bytes were forgotten.
  private var discards = 0
  private var isDigesting = false
  private var digested: Int64 = 0

  /// This download among those that share a host's connections, and the host it uses now.
  private var member: HostBudgets.Member?
  private var host: Location.Origin?
  private var allowance: HostBudget.Allowance?
  /// Received bytes that the budget knows of.
  private var budgeted: Int64 = 0
  private var isConsulting = false
  /// The shortest round trip since the budget was last asked, and the shortest that any connection ever saw, in seconds.
  private var roundTrip: Double?
  private var roundTripFloor: Double?
  /// Where the transfers under way are.
  private var places: [TransferID: Place] = [:]
  /// Connections that transfers of this download have left, the last one at the end.
  private var warm: [WarmConnection] = []
  private var books: [Location.Origin: AddressBook] = [:]
  private let isProxied = environmentNamesProxy()
  /// Transfers that other loops were told to end and have not ended yet.
  private var unfinishedAborts = 0
  private var movedAt: Instant?

  private var inbox: [(TransferID, Event)] = []
  private var isTaking = false
  private var pending: [DownloadMachine.Action] = []
  private var isPerforming = false
  /// The disk is busy with something that the next actions depend on.
  private var isHeld = false
  private var waiter: CheckedContinuation<Result<DownloadResult, Failure>, Never>?
  private var outcome: Result<DownloadResult, Failure>?
  private var isStopRequested = false

  /// A manifest will carry what is there over to another run.
  private var isResumable = false
  private var startedAt = Instant.now
  private var rate = RateMeter()
  private var wakeAt: Instant?
  private var resumedBytes: Int64 = 0
  private var streamed: Int64 = 0
  private var connectionsPeak = 0
  private var verified: [String] = []

  private struct Place {
    let loop: TransferLoop
    let request: TransferRequest
    /// Where it was told to connect to, and later where it did.
    var address: String?
    let isRouted: Bool
    var isAnswered = false
    /// Where it ends if it was told to end earlier.
    var end: Int64?
    /// The machine hears no more of this attempt: the same request is made once more, at another address.
    var isDiverted = false
  }

  private struct WarmConnection {
    let loop: TransferLoop
    let origin: Location.Origin
    /// Nil if libcurl chose it: it reuses a connection only for a request that leaves the choice as well.
    let route: String?
  }

  /// The check of what an earlier run left.
  private struct Audit {
    var claims: Bitmap
    let checksums: [UInt32]
    /// Blocks before this one have been checked.
    var next = 0
  }

  private static let tick = 0.1
  private static let auditStride = 16
  private static let mostWarm = 256
  /// Seconds that connecting may take while another address is left to try.
  private static let addressPatience = 5
  /// Seconds between moves of transfers to other loops: it takes a while to see what one has brought.
  private static let moveInterval = 1.0

  /// Without an `engine` it uses the process's.
  init(
    _ location: Location, target: Target, options: DownloadOptions, channel: EventChannel, engine: Engine? = nil
  ) throws(Failure) {
    do throws(CurlFailure) {
      let engine = if let engine { engine } else { try Engine.shared }
      self.engine = engine
      loop = engine.home()
      hashing = engine.hashing
      budgets = engine.budgets
      store = PartStore(
        target, durability: options.durability, disk: engine.disk, publisher: engine.publisher)
    } catch {
      throw Failure(.unknown, "libcurl cannot start: \(error.message)")
    }
    self.location = location
    self.target = target
    self.options = options
    self.channel = channel
    settings = TransferSettings(options)
    machine = DownloadMachine(location, settings: .init(options), resumed: nil, existing: nil)
  }

  // MARK: - Its life

  /// Carries the download out; once. `ended` is called on the loop's thread.
  nonisolated func start(ended: @escaping @Sendable (Result<DownloadResult, Failure>) -> Void) {
    // A task of nobody's would first wake a thread of the pool.
    loop.thread.post { [self] in
      assumeIsolated { run in
        _ = Task { ended(await run.run()) }
      }
    }
  }

  func run() async -> Result<DownloadResult, Failure> {
    startedAt = .now
    do throws(Failure) {
      if let result = try await open() { return .success(result) }
    } catch {
      await store.abandon(keepingPart: false)
      return .failure(error)
    }
    if let outcome { return outcome }
    return await withCheckedContinuation { continuation in
      waiter = continuation
      scheduleTick()
      member = budgets.newMember { [weak self] in
        self?.deliver { $0.consultBudget() }
      }
      consultBudget()
      handle(machine.begin(now: .now))
      continueAudit()
      if isStopRequested { stop() }
    }
  }

  /// Ends it after a last checkpoint.
  func stop() {
    isStopRequested = true
    guard waiter != nil else { return }
    handle(
      machine.interrupted(
        by: Failure(
          .interrupted, "stopped",
          suggestion: isResumable
            ? "run the same command again to continue" : "run the same command again to start over")))
  }

  /// Opens the target and makes the machine; a result means that nothing is left to do.
  private func open() async throws(Failure) -> DownloadResult? {
    let machineSettings = DownloadMachine.Settings(options)
    switch try await store.open(continues: options.continues, overwrites: options.overwrites) {
    case .finished(let finished):
      return try await judge(finished, machineSettings)
    case .fresh(let part, let note):
      file = part
      if let note { channel.send(.warning("\(note); starting over")) }
      machine = DownloadMachine(location, settings: machineSettings, resumed: nil, existing: nil)
    case .resumable(let part, let manifest):
      file = part
      let map = BlockMap(total: manifest.total, blockSize: manifest.blockSize)
      ledger = BlockLedger(
        map: map, complete: manifest.blocks, checksums: manifest.checksums, combine: crc32Combined)
      resumedBytes = map.byteCount(of: manifest.blocks)
      machine = DownloadMachine(
        location, settings: machineSettings,
        resumed: .init(
          identity: manifest.identity, blocks: map, complete: manifest.blocks,
          isFromElsewhere: manifest.sourceHash != location.hash),
        existing: nil)
      audit = Audit(claims: manifest.blocks, checksums: manifest.checksums)
    }
    if let checksum = options.checksum, let file { digester = Digester(checksum.algorithm, of: file, thread: hashing) }
    return nil
  }

  /// A file has the target's name and must stay: is it the one that is wanted?
  private func judge(_ finished: PartStore.FinishedFile, _ settings: DownloadMachine.Settings) async throws(Failure)
    -> DownloadResult?
  {
    let exists = Failure(
      .exists, "\(printable(path)) exists",
      suggestion: "remove it, choose another name with -o, or use --allow-overwrite")
    if let checksum = options.checksum {
      let digester = Digester(checksum.algorithm, of: try await store.openFinished(), thread: hashing)
      guard try await digester.finish(at: finished.length) == checksum.bytes else {
        throw Failure(
          .exists, "\(printable(path)) exists and has another \(checksum.algorithm.rawValue) digest",
          suggestion: exists.suggestion)
      }
      verified = [checksum.algorithm.rawValue]
      return result(bytes: finished.length, identity: .strong, isOld: true)
    }
    guard let record = finished.record, record.sourceHash == location.hash else { throw exists }
    let identity = record.identity
    machine = DownloadMachine(location, settings: settings, resumed: nil, existing: identity)
    return nil
  }

  private nonisolated var path: String { target.path }

  // MARK: - Events from the loops

  /// Hands an event over from whatever loop it happened on: at once if that is the home loop, else in the order in
  /// which that loop hands them over.
  private nonisolated func deliver(_ event: @escaping @Sendable (isolated DownloadRun) -> Void) {
    if loop.thread.isCurrent {
      assumeIsolated(event)
    } else {
      loop.thread.post { [self] in assumeIsolated(event) }
    }
  }

  /// What happened to a transfer, in the order in which it happened.
  private enum Event {
    case news(TransferNews)
    case shrunk(to: Int64)
  }

  private func take(_ events: [(TransferID, Event)]) {
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
    consultBudget()
  }

  /// Tells the host's budget how things stand, and the machine what it may have.
  private func consultBudget() {
    // What an answer sets going may ask again.
    guard let member, outcome == nil, !isConsulting else { return }
    isConsulting = true
    defer { isConsulting = false }
    // Transfers that start one after the other, at the end, ask for each other's places.
    for _ in 0..<4 {
      let now = Instant.now
      if host != machine.host {
        if let host { budgets.leave(member, host, now: now) }
        host = machine.host
      }
      let active = machine.activeTransfers
      let answer = budgets.ask(
        member,
        .init(
          host: machine.host, active: active, wanted: machine.wantedTransfers,
          received: machine.receivedBytes - budgeted, roundTrip: roundTrip,
          roundTripFloor: roundTripFloor),
        ceiling: options.connections, isPinned: options.split == options.connections, now: now)
      budgeted = machine.receivedBytes
      roundTrip = nil
      if let decision = answer.decision { channel.send(.decision(decision)) }
      guard answer.allowance != allowance || answer.allowance.most > active else { return }
      allowance = answer.allowance
      handle(machine.allowed(answer.allowance, now: now))
      guard machine.activeTransfers != active else { return }
    }
  }

  private func react(to event: Event, of id: TransferID) {
    let now = Instant.now
    switch event {
    case .shrunk(let end):
      handle(machine.shrunk(id, to: end, now: now))
    case .news(.answered(let verdict)):
      handle(machine.answered(id, verdict, now: now))
    case .news(.redirected(let target)):
      handle(machine.redirected(id, to: target, now: now))
    case .news(.wrote(let range, let checksum)):
      if machine.counts(id) { note(range, checksum) }
    case .news(.advanced(let offset)):
      if machine.isWorking(id) { streamed = offset }
      handle(machine.advanced(id, to: offset, now: now))
    case .news(.ended(let ending)):
      handle(machine.ended(id, ending, now: now, random: .random(in: 0..<1)))
    case .news(.connected), .news(.unreached), .news(.left):
      // Of concern to the books only.
      break
    case .news(.roundTrip(let seconds, let least)):
      roundTrip = min(roundTrip ?? seconds, seconds)
      if let least { roundTripFloor = min(roundTripFloor ?? least, least) }
    case .news(.warning(let message)):
      channel.send(.warning(message))
    case .news(.storageFailed(let failure)):
      handle(machine.interrupted(by: failure))
    }
  }

  private func note(_ range: ByteRange, _ checksum: UInt32) {
    ledger?.add(range, checksum: checksum)
    guard !proofs.isEmpty, let ledger else { return }
    let index = ledger.map.index(of: range.lower)
    guard ledger.complete[index], let expected = proofs.removeValue(forKey: index) else { return }
    if ledger.checksums[index] != expected { handle(machine.disproved(now: .now)) }
  }

  private func ring() {
    guard outcome == nil else { return }
    wakeAt = nil
    let now = Instant.now
    reportProgress(now)
    handle(machine.woke(now: now))
    relieve(now)
    consultBudget()
    scheduleTick()
  }

  private func scheduleTick() {
    let next = Instant.now.advanced(bySeconds: Self.tick)
    let at = wakeAt.map { min($0, next) } ?? next
    let owner = ObjectIdentifier(self)
    loop.carryOut { loop in
      loop.setAlarm(for: owner, at: at) { [self] in deliver { $0.ring() } }
    }
  }

  // MARK: - Actions

  private func handle(_ actions: [DownloadMachine.Action]) {
    pending += actions
    // A carried-out action may bring news at once; its actions wait their turn.
    guard !isPerforming else { return }
    isPerforming = true
    while !isHeld, unfinishedAborts == 0, !pending.isEmpty { perform(pending.removeFirst()) }
    isPerforming = false
  }

  private func perform(_ action: DownloadMachine.Action) {
    switch action {
    case .request(let request): start(request)
    case .shrink(let id, let offset): shrink(id, to: offset)
    case .abort(let id): abort(id)
    case .cover(let range): ledger?.cover(range)
    case .strain(let strain):
      guard let member else { return }
      let decision = budgets.strained(member, machine.host, strain, active: machine.activeTransfers, now: .now)
      if let decision { channel.send(.decision(decision)) }
    case .layOut(let layout): layOut(layout)
    case .prove(let indices): prove(indices)
    case .discard: discard()
    case .checkpoint: checkpoint()
    case .seal: seal()
    case .publish: publish()
    case .wake(let moment):
      wakeAt = min(moment, wakeAt ?? moment)
      scheduleTick()
    case .concludeAlreadyComplete(let identity):
      end(.success(result(bytes: identity.total ?? 0, identity: .strong, isOld: true)))
    case .finish:
      end(.success(result(bytes: machine.knownTotal ?? streamed, identity: .init(machine.strength), isOld: false)))
    case .fail(let failure): fail(failure)
    case .report(.retrying(let reason)): channel.send(.retrying(reason: reason))
    case .report(.warning(let message)): channel.send(.warning(message))
    case .report(.decision(let message)): channel.send(.decision(message))
    }
  }

  private func start(_ request: TransferRequest) {
    connectionsPeak = max(connectionsPeak, machine.activeTransfers)
    launch(request)
  }

  /// Starts a transfer on the loop and at the address that suit best: those of a connection that waits for it, if that
  /// is well.
  private func launch(_ request: TransferRequest) {
    let origin = request.location.origin
    openBook(for: origin)
    let left = takeWarm(for: origin)
    let loop = engine.loop(after: left?.loop, home: loop)
    var address: String?
    if request.question.isOpen, let trusted = books[origin]?.measure {
      address = trusted
    } else if let left, left.loop === loop, books[origin]?.mayUse(left.route) ?? true {
      address = left.route
    } else {
      address = books[origin]?.next()
    }
    let route = address.map { address in
      let isOneOfSeveral = books[origin]?.hasAlternative(to: address) == true
      let patience = isOneOfSeveral ? min(Self.addressPatience, settings.connectTimeout) : settings.connectTimeout
      return TransferRoute(address: address, connectTimeout: patience)
    }
    places[request.id] = Place(loop: loop, request: request, address: address, isRouted: address != nil)
    loop.start(request, over: route, for: ObjectIdentifier(self), settings: settings, file: file) { [self] news in
      deliver { run in
        let rest = run.follow(news)
        if !rest.isEmpty { run.take(rest.map { ($0, .news($1)) }) }
      }
    }
  }

  private func takeWarm(for origin: Location.Origin) -> WarmConnection? {
    warm.lastIndex { $0.origin == origin }.map { warm.remove(at: $0) }
  }

  /// Begins to note the addresses of a server, and asks the system for those it has.
  private func openBook(for origin: Location.Origin) {
    guard !isProxied, books[origin] == nil else { return }
    let host = origin.host.hasPrefix("[") ? String(origin.host.dropFirst().dropLast()) : origin.host
    let entries = options.resolve.compactMap { ResolveEntry($0) }.filter { $0.host == host && $0.port == origin.port }
    guard entries.isEmpty else {
      books[origin] = AddressBook(given: entries.flatMap(\.addresses))
      return
    }
    books[origin] = AddressBook()
    guard min(options.connections, options.split ?? .max) > 1, !ResolveEntry.isNumeric(host) else { return }
    Task {
      let addresses = await engine.names.addresses(of: host)
      books[origin]?.learn(addresses)
    }
  }

  /// Keeps the books about loops and addresses, before the machine hears the news and asks for more; returns what it
  /// should hear. What concerns one address alone is settled here: the same request is made at another one.
  private func follow(_ news: [(TransferID, TransferNews)]) -> [(TransferID, TransferNews)] {
    news.filter { id, one in
      guard let place = places[id] else { return true }
      let origin = place.request.location.origin
      switch one {
      case .connected(let address):
        places[id]?.address = address
        books[origin]?.answered(address, wasChosen: place.isRouted)
      case .unreached(let isGivenUp):
        guard let address = place.address, books[origin]?.failed(address) == true, !isGivenUp else { break }
        divert(id, "\(printable(address)) does not answer: trying another address")
      case .answered(.changed):
        // Two servers with one name may hold two versions. The measure is the one that answered first.
        places[id]?.isAnswered = true
        guard
          let address = place.address, let trusted = books[origin]?.trusted, address != trusted,
          books[origin]?.failed(address) == true
        else { break }
        divert(id, "\(printable(address)) has another version: trying another address")
      case .answered:
        places[id]?.isAnswered = true
      case .left(let keepsConnection):
        leave(id, place, keepsConnection: keepsConnection)
      default:
        break
      }
      return places[id]?.isDiverted != true
    }
  }

  private func divert(_ id: TransferID, _ reason: String) {
    places[id]?.isDiverted = true
    channel.send(.decision(reason))
  }

  private func leave(_ id: TransferID, _ place: Place, keepsConnection: Bool) {
    places[id] = nil
    if keepsConnection {
      warm.append(
        WarmConnection(
          loop: place.loop, origin: place.request.location.origin, route: place.isRouted ? place.address : nil))
      if warm.count > Self.mostWarm { warm.removeFirst() }
    }
    guard place.isDiverted else { return }
    var request = place.request
    let range = request.question.range
    if let end = place.end { request.question.range = ByteRange(range.lower, max(range.lower, min(range.upper, end))) }
    launch(request)
  }

  /// Ends a transfer. Nothing else is done before it has ended: what follows may be that its bytes are thrown away.
  private func abort(_ id: TransferID) {
    guard let place = places.removeValue(forKey: id) else { return }
    let owner = ObjectIdentifier(self)
    unfinishedAborts += 1
    place.loop.carryOut { [self] loop in
      loop.abort(id, of: owner)
      deliver { run in
        run.unfinishedAborts -= 1
        if run.unfinishedAborts == 0 { run.handle([]) }
      }
    }
  }

  /// Moves transfers away from a loop that has no time left. A transfer moves as one that is replaced does: it ends
  /// where it is, and the machine asks for the rest anew.
  private func relieve(_ now: Instant) {
    guard places.count > 1, now.seconds(since: movedAt ?? startedAt) >= Self.moveInterval else { return }
    let relief = engine.relief { loop in places.values.count { $0.loop === loop && $0.isAnswered } }
    guard let relief else { return }
    movedAt = now
    channel.send(.decision("an event loop is busy: \(relief.count) of its transfers go to another"))
    let movable = places.filter { $1.loop === relief.from && $1.isAnswered }.keys.sorted { $0.number > $1.number }
    for id in movable.prefix(relief.count) { shrink(id, to: 0) }
  }

  private func shrink(_ id: TransferID, to offset: Int64) {
    let owner = ObjectIdentifier(self)
    places[id]?.loop.carryOut { [self] loop in
      guard let end = loop.shrink(id, of: owner, to: offset) else { return }
      deliver { run in
        run.places[id]?.end = end
        run.take([(id, .shrunk(to: end))])
      }
      loop.concludeIfDone(id, of: owner)
    }
  }

  private func layOut(_ layout: DownloadMachine.Layout) {
    let blocks = layout.blocks
    channel.send(
      .started(
        .init(
          url: location.redacted, path: path, total: layout.identity.total,
          resumedBytes: layout.isResumed ? resumedBytes : 0, identity: .init(machine.strength))))
    isResumable = layout.isResumed
    guard !layout.isResumed else { return }
    resumedBytes = 0
    ledger = blocks.map { BlockLedger(map: $0, combine: crc32Combined) }
    // A file that one request brings is sooner fetched again than a manifest is made.
    let isWorthIt = layout.isResumable && (blocks?.total ?? 0) > DownloadMachine.probeLength
    let new = isWorthIt ? blocks.map { manifest(for: $0, layout.identity) } : nil
    isResumable = new != nil
    // Nor is it worth a way to the disk thread: such a file is as long as what is written to it, and a full disk shows then.
    guard let total = blocks?.total, total > DownloadMachine.probeLength else { return }
    order { [channel] store throws(Failure) in
      if let note = try await store.layOut(total: total, manifest: new) { channel.send(.warning(note)) }
    }
  }

  private func manifest(for blocks: BlockMap, _ identity: Identity) -> Manifest {
    Manifest(
      total: blocks.total, blockSize: blocks.blockSize, validator: identity.validator, sourceHash: location.hash,
      source: location.redacted, blocks: Bitmap(count: blocks.count),
      checksums: Array(repeating: 0, count: blocks.count))
  }

  private func prove(_ indices: [Int]) {
    for index in indices {
      proofs[index] = ledger?.checksums[index]
      ledger?.refute(index)
      audit?.claims[index] = false
      if let map = ledger?.map { resumedBytes -= map.range(of: index).count }
    }
  }

  /// Forgets all bytes. Nothing may be written before the part file is empty.
  private func discard() {
    discards += 1
    ledger = nil
    audit = nil
    proofs = [:]
    refuted = []
    resumedBytes = 0
    streamed = 0
    digested = 0
    if let checksum = options.checksum, let file { digester = Digester(checksum.algorithm, of: file, thread: hashing) }
    isHeld = true
    order { store throws(Failure) in
      try await store.discard()
    } then: { run in
      run.isHeld = false
      run.handle([])
    }
  }

  private func checkpoint() {
    let completions = ledger?.takeCompletions() ?? []
    let withdrawn = refuted
    refuted = []
    order { store throws(Failure) in
      try await store.checkpoint(adding: completions, withdrawing: withdrawn)
    } then: { run in
      run.handle(run.machine.checkpointed(now: .now))
    }
  }

  private func seal() {
    guard let checksum = options.checksum else { return handle(machine.sealed()) }
    let combined = checksum.algorithm == .crc32 ? ledger?.fileChecksum.map(bigEndian) : nil
    let total = machine.knownTotal ?? streamed
    // A digester that nobody needs may be reading; the part file stays locked for as long as it does.
    let unneeded = combined == nil ? nil : digester
    if combined != nil { digester = nil }
    Task {
      try? await unneeded?.advance(to: 0)
      do throws(Failure) {
        let digest = if let combined { combined } else { try await digester?.finish(at: total) ?? [] }
        guard digest == checksum.bytes else {
          throw Failure(
            .checksum, "the \(checksum.algorithm.rawValue) digest is \(hexadecimal(digest)), not the one asked for",
            suggestion: "the bytes are kept aside in \(printable(path)).part; check the checksum and the URL")
        }
        verified = [checksum.algorithm.rawValue]
        handle(machine.sealed())
      } catch {
        handle(machine.interrupted(by: error))
      }
    }
  }

  private func publish() {
    guard let identity = machine.identityInForce else { return }
    let (replacing, hash) = (options.overwrites, location.hash)
    order { store throws(Failure) in
      try await store.publish(identity, sourceHash: hash, replacing: replacing)
    } then: { run in
      run.handle(run.machine.published())
    }
  }

  private func fail(_ failure: Failure) {
    let completions = ledger?.takeCompletions() ?? []
    let withdrawn = refuted
    Task {
      switch failure.kind {
      case .checksum:
        await store.setAside()
      default:
        // The failure at hand matters more than a checkpoint that could not be taken as well.
        try? await store.checkpoint(adding: completions, withdrawing: withdrawn)
        await store.abandon(keepingPart: [.exists, .renameFailed].contains(failure.kind))
      }
      end(.failure(failure))
    }
  }

  private func end(_ result: Result<DownloadResult, Failure>) {
    guard outcome == nil else { return }
    outcome = result
    let owner = ObjectIdentifier(self)
    loop.carryOut { $0.removeAlarm(of: owner) }
    if let member {
      if let host { budgets.leave(member, host, now: .now) }
      budgets.end(member)
    }
    file = nil
    digester = nil
    waiter?.resume(returning: result)
    waiter = nil
  }

  /// Asks the disk for something; a failure ends the download.
  private func order(
    _ work: @escaping @Sendable (PartStore) async throws(Failure) -> Void,
    then next: @escaping @Sendable (isolated DownloadRun) -> Void = { _ in }
  ) {
    Task {
      do throws(Failure) {
        try await work(store)
        next(self)
      } catch {
        isHeld = false
        handle(machine.interrupted(by: error))
      }
    }
  }

  // MARK: - Behind the transfers

  /// Checks the next blocks of an earlier run.
  private func continueAudit() {
    guard let audit, let ledger else { return }
    let map = ledger.map
    guard audit.next < map.count else {
      self.audit = nil
      handle(machine.audited(now: .now))
      continueDigest()
      return
    }
    let indices = audit.next..<min(audit.next + Self.auditStride, map.count)
    order { [self] store throws(Failure) in
      let damaged = try await store.damaged(
        among: indices, of: map, claims: audit.claims, checksums: audit.checksums)
      await audited(indices, damaged)
    }
  }

  private func audited(_ indices: Range<Int>, _ damaged: [Int]) {
    guard audit != nil else { return }
    audit?.next = indices.upperBound
    if let map = ledger?.map {
      for index in damaged {
        ledger?.refute(index)
        resumedBytes -= map.range(of: index).count
      }
    }
    refuted += damaged
    handle(machine.refuted(damaged, now: .now))
    continueDigest()
    continueAudit()
  }

  /// Reads blocks whose pieces overlapped for their CRC-32.
  private func readUnread() {
    guard let indices = ledger?.takeUnread(), !indices.isEmpty, let map = ledger?.map else { return }
    let discards = discards
    order { [self] store throws(Failure) in
      let checksums = try await store.checksums(of: indices, in: map)
      await noteRead(indices, checksums, discards)
    }
  }

  private func noteRead(_ indices: [Int], _ checksums: [UInt32], _ discards: Int) {
    // Meanwhile the bytes may have been discarded.
    guard discards == self.discards else { return }
    for (index, checksum) in zip(indices, checksums) { ledger?.read(index, checksum: checksum) }
    continueDigest()
  }

  /// Lets the digest follow the contiguous frontier, but not into blocks that are still to be checked.
  private func continueDigest() {
    guard let digester, !isDigesting else { return }
    var frontier = ledger?.frontier ?? streamed
    if let audit, let map = ledger?.map { frontier = min(frontier, Int64(audit.next) * map.blockSize) }
    guard frontier > digested else { return }
    isDigesting = true
    Task {
      var failure: Failure?
      do throws(Failure) {
        try await digester.advance(to: frontier)
      } catch {
        failure = error
      }
      isDigesting = false
      // Meanwhile the bytes may have been discarded, and with them the reason to read them.
      guard self.digester === digester else { return continueDigest() }
      if let failure { return handle(machine.interrupted(by: failure)) }
      digested = max(digested, frontier)
      continueDigest()
    }
  }

  private func reportProgress(_ now: Instant) {
    guard machine.isFetching else { return }
    rate.sample(machine.receivedBytes, at: now)
    channel.send(
      .progress(
        .init(
          bytes: machine.presentBytes ?? streamed, total: machine.knownTotal,
          bytesPerSecond: rate.bytesPerSecond, connections: machine.activeTransfers)))
  }

  private func result(bytes: Int64, identity: IdentityStrength, isOld: Bool) -> DownloadResult {
    let nanoseconds = Instant.now.nanoseconds - startedAt.nanoseconds
    return DownloadResult(
      path: path, bytes: bytes, duration: .nanoseconds(nanoseconds), identity: identity, verified: verified,
      fetchedBytes: machine.receivedBytes, resumedBytes: resumedBytes, connectionsPeak: connectionsPeak,
      wasAlreadyComplete: isOld)
  }
}
