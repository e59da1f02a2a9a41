import SheafCore

/// One download under way: feeds events to the machine and carries out its actions, in order.
///
/// It lives on the thread of its home loop, so orders to that loop are plain calls. What may block, disk and digest,
/// is asked for by tasks whose answers come back as events.
actor DownloadRun {
  nonisolated let loop: TransferLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.thread.asUnownedSerialExecutor() }

  let engine: Engine
  let location: Location
  let mirrors: [Location]
  let target: Target
  let options: DownloadOptions
  let channel: EventHub
  let store: PartStore
  let hashing: SerialThread
  /// How requests are made; credentials may come later.
  var settings: TransferSettings
  /// What the last answer wanted to know of who is asking (RFC 9110 section 11.6.1).
  var challenge: [String] = []
  let budgets: HostBudgets

  /// What was found at the target, if it was opened before the run began. Nobody else may hold on to it: the part file
  /// stays locked for as long as somebody does, and whoever hears of the end may want to start again at once.
  var opening: Result<PartStore.Opening, Failure>?
  var machine: DownloadMachine
  var file: PartFile?
  /// The digest that the user gave, whichever way.
  var given: DigestClaim?
  /// What the file is compared with in the end.
  var expected: [DigestClaim] = []
  /// Follows the frontier, if one of them is computed from the bytes.
  var digester: Digester?
  /// The file turned out to be another one.
  var isRefuted = false
  /// Fetches the checksum file.
  var errand: DownloadRun?
  /// What the file is to be made of besides what the source sends.
  let repairOrder: RepairOrder?
  var repair: Repair?
  /// Asks what the source has, before a repair.
  var probe: Probe?
  var ledger: BlockLedger?
  /// Blocks fetched again for proof, and the CRC-32 they must have.
  var proofs: [Int: UInt32] = [:]
  /// Blocks found damaged since the last checkpoint.
  var refuted: [Int] = []
  var audit: Audit?
  /// Where two answers overlap, and what is still to be compared with the part file there.
  var seams: [Seam] = []
  /// How often all bytes were forgotten.
  var discards = 0
  /// The pieces whose digests are known.
  var pieceWatch: PieceWatch?
  /// How often blocks were taken back.
  var withdrawals = 0
  /// The bytes go to a reader and into no file.
  let stream: StreamOrder?
  /// Those who wait for bytes, the longest first.
  var readers: [(number: Int, reader: Reader)] = []
  var readersCount = 0
  /// The machine was told that somebody waits.
  var isAwaited = false
  var isComparing = false
  /// Of a stream: what the reader is done with, and what nobody needs any more.
  var streamBlocks: BlockMap?
  var consumed: Int64 = 0
  var released: Int64 = 0
  var isDigesting = false
  var digested: Int64 = 0

  /// This download among those that share a host's connections, and the hosts it uses now.
  var member: HostBudgets.Member?
  var accounts: [Location.Origin: Account] = [:]
  var isConsulting = false
  /// Where the transfers under way are.
  var places: [TransferID: Place] = [:]
  /// Connections that transfers of this download have left, the last one at the end.
  var warm: [WarmConnection] = []
  var books: [Location.Origin: AddressBook] = [:]
  /// Somebody else says where connections lead: a proxy, or the user.
  let leavesAddresses: Bool
  /// Transfers that other loops were told to end and have not ended yet.
  var unfinishedAborts = 0
  var movedAt: Instant?

  var inbox: [(TransferID, Event)] = []
  var isTaking = false
  var pending: [DownloadMachine.Action] = []
  var isPerforming = false
  /// The store has been asked for something since the target was opened.
  var hasOrdered = false
  /// The disk is busy with something that the next actions depend on.
  var isHeld = false
  var waiter: CheckedContinuation<Result<DownloadResult, Failure>, Never>?
  var outcome: Result<DownloadResult, Failure>?
  var isStopRequested = false

  /// A manifest will carry what is there over to another run.
  var isResumable = false
  var startedAt = Instant.now
  var rate = RateMeter()
  var wakeAt: Instant?
  /// When the server says that the file was changed, in seconds since 1970.
  var modifiedAt: Int64?
  var resumedBytes: Int64 = 0
  var streamed: Int64 = 0
  var connectionsPeak = 0
  /// Seconds in which a limit of the user's held it back, and when that was last looked at.
  var limited = 0.0
  var limitSeenAt: Instant?
  /// What the loop's thread had used when the download began.
  var meterAtStart = LoopMeter.Reading()
  /// Seconds in which everything waited for the disk.
  var diskWait = 0.0
  var checks: [DigestCheck] = []

  /// A class, for it is looked at with each piece of news.
  final class Place {
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

    init(loop: TransferLoop, request: TransferRequest, address: String?) {
      self.loop = loop
      self.request = request
      self.address = address
      isRouted = address != nil
    }
  }

  struct WarmConnection {
    let loop: TransferLoop
    let origin: Location.Origin
    /// Nil if libcurl chose it: it reuses a connection only for a request that leaves the choice as well.
    let route: String?
  }

  /// Bytes that an answer brought and did not write, since they are another one's, and their CRC-32.
  struct Seam: Hashable {
    let range: ByteRange
    let checksum: UInt32
    /// Whose answer it was.
    let source: Int
    /// The part file was found to have the same bytes there.
    var isCompared = false
  }

  /// The check of what an earlier run left.
  struct Audit {
    var claims: Bitmap
    let checksums: [UInt32]
    /// Blocks before this one have been checked.
    var next = 0
  }

  static let tick = 0.1
  static let auditStride = 16
  static let mostWarm = 256
  /// Seconds that connecting may take while another address is left to try.
  static let addressPatience = 5
  /// Seconds between moves of transfers to other loops: it takes a while to see what one has brought.
  static let moveInterval = 1.0

  /// Without an `engine` it uses the process's.
  init(
    _ location: Location, target: Target, options: DownloadOptions, channel: EventHub,
    repairing: RepairOrder? = nil, streaming: StreamOrder? = nil, limits: [RateLimit] = [], engine: Engine? = nil
  ) throws(Failure) {
    do throws(CurlFailure) {
      let engine = if let engine { engine } else { try Engine.shared }
      self.engine = engine
      loop = engine.home()
      hashing = engine.hashing
      budgets = engine.budgets
      store = PartStore(
        target, durability: options.durability, files: engine.files, disk: engine.disk, publisher: engine.publisher)
    } catch {
      throw Failure(.unknown, "libcurl cannot start: \(error.message)")
    }
    self.location = location
    self.target = target
    repairOrder = repairing
    stream = streaming
    self.options = options
    self.channel = channel
    leavesAddresses = options.leavesAddresses
    settings = TransferSettings(options, limits: limits + options.limits, for: location)
    pieceWatch = streaming == nil ? options.pieces.map { PieceWatch($0) } : nil
    mirrors = try options.mirrors.map { mirror throws(Failure) in try Location(ofDownload: mirror) }
    machine = DownloadMachine(
      location, mirrors: mirrors, settings: .init(options, given: nil), resumed: nil, existing: nil)
  }

  // MARK: - Its life

  /// Carries the download out; once. `ended` is called on the loop's thread.
  nonisolated func start(ended: @escaping @Sendable (Result<DownloadResult, Failure>) -> Void) {
    let began = Instant.now
    // A task of nobody's would first wake a thread of the pool.
    let go: @Sendable (Result<PartStore.Opening, Failure>?) -> Void = { [self] opening in
      loop.thread.post { [self] in
        assumeIsolated { run in
          run.startedAt = began
          run.opening = opening
          _ = Task { ended(await run.run()) }
        }
      }
    }
    // Nothing is to be fetched before: then the disk's thread is where it begins, and the loop is woken only once.
    guard options.checksumFile == nil, repairOrder == nil, stream == nil else { return go(nil) }
    store.open(continues: options.continues, overwrites: options.overwrites) { go($0) }
  }

  func run() async -> Result<DownloadResult, Failure> {
    meterAtStart = loop.meter.reading
    do throws(Failure) {
      given = try await findGiven()
      if let result = try await open() {
        defer { repair = nil }
        return conclude(reported(.success(result)))
      }
    } catch {
      repair = nil
      await store.abandon(keepingPart: false)
      return conclude(.failure(error))
    }
    if let outcome { return outcome }
    return await withCheckedContinuation { continuation in
      waiter = continuation
      scheduleTick()
      joinLimits()
      member = budgets.newMember { [weak self] in
        self?.deliver { $0.consultBudget(isDue: true) }
      }
      consultBudget()
      handle(machine.begin(now: .now))
      continueAudit()
      if isStopRequested { stop() }
    }
  }

  /// Ends it before anything was asked for.
  private func conclude(_ result: Result<DownloadResult, Failure>) -> Result<DownloadResult, Failure> {
    outcome = result
    serveReaders()
    return result
  }

  /// Ends it after a last checkpoint.
  func stop() {
    isStopRequested = true
    if let errand { Task { await errand.stop() } }
    if let probe { Task { await probe.cancel() } }
    guard waiter != nil else { return }
    handle(
      machine.interrupted(
        by: Failure(
          .interrupted, "stopped",
          suggestion: isResumable
            ? "run the same command again to continue" : "run the same command again to start over")))
  }

  /// Opens the target and makes the machine; a result means that nothing is left to do.
  func open() async throws(Failure) -> DownloadResult? {
    if let repairOrder { return try await open(repairing: repairOrder) }
    if let stream {
      await open(streaming: stream)
      return nil
    }
    let machineSettings = DownloadMachine.Settings(options, given: given?.digest)
    let found =
      if let opening = takeOpening() {
        try opening.get()
      } else {
        try await store.open(continues: options.continues, overwrites: options.overwrites)
      }
    switch found {
    case .finished(let finished):
      return try await judge(finished, machineSettings)
    case .fresh(let part, let note):
      file = part
      if let note = note ?? (options.expectsEarlierBytes ? "what was fetched before is gone" : nil) {
        channel.send(.warning("\(note); starting over"))
      }
      machine = DownloadMachine(
        location, mirrors: mirrors, settings: machineSettings, resumed: nil, existing: nil)
      machine.replaceable = await replaceable()
    case .resumable(let part, let manifest):
      file = part
      let map = BlockMap(total: manifest.total, blockSize: manifest.blockSize)
      ledger = BlockLedger(
        map: map, complete: manifest.blocks, checksums: manifest.checksums, combine: crc32Combined)
      resumedBytes = map.byteCount(of: manifest.blocks)
      machine = DownloadMachine(
        location, mirrors: mirrors, settings: machineSettings,
        resumed: .init(
          identity: manifest.identity, blocks: map, complete: manifest.blocks,
          isFromElsewhere: manifest.sourceHash != location.hash),
        existing: nil)
      audit = Audit(claims: manifest.blocks, checksums: manifest.checksums)
    }
    expect(given.map { [$0] } ?? [])
    return nil
  }

  /// The file that is only to be replaced by a newer one.
  func replaceable() async -> Identity? {
    guard options.replacesOlder, let file = await store.replaceable,
      let date = HTTPDate.text(secondsSinceEpoch: file.modifiedAt)
    else { return nil }
    return Identity(total: file.length, validator: .strongDate(date))
  }

  private func takeOpening() -> Result<PartStore.Opening, Failure>? {
    defer { opening = nil }
    return opening
  }

  /// A file has the target's name and must stay: is it the one that is wanted?
  func judge(_ finished: PartStore.FinishedFile, _ settings: DownloadMachine.Settings) async throws(Failure)
    -> DownloadResult?
  {
    let exists = Failure(
      .exists, "\(printable(path)) exists",
      suggestion: "remove it, choose another name with -o, or use --allow-overwrite")
    if let given {
      let algorithm = given.digest.algorithm
      let digester = Digester(algorithm, of: try await store.openFinished(), thread: hashing)
      guard try await digester.finish(at: finished.length) == given.digest.bytes else {
        throw Failure(
          .exists, "\(printable(path)) exists and has another \(algorithm.rawValue) digest",
          suggestion: exists.suggestion)
      }
      checks = [DigestCheck(given)]
      return result(bytes: finished.length, identity: .strong, isOld: true)
    }
    guard let record = finished.record, record.sourceHash == location.hash else { throw exists }
    let identity = record.identity
    machine = DownloadMachine(
      location, mirrors: mirrors, settings: settings, resumed: nil, existing: identity)
    return nil
  }

  /// Where the file will be; of a stream only what it is called.
  nonisolated var path: String { stream == nil ? target.path : target.name }
}
