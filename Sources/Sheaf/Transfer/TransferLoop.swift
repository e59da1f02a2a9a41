import CCurl
import SheafCore

/// One event loop: a thread, a libcurl multi handle, and the transfers on it.
///
/// The loop's thread is this actor's executor, so the compiler checks that nobody else touches the multi handle. A
/// download may live on the same thread, or spread its transfers over several loops: orders come in through
/// `carryOut`, news go out through each transfer's sink.
actor TransferLoop {
  nonisolated let thread: LoopThread
  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  nonisolated let meter = LoopMeter()

  private let multi: MultiHandle
  private var transfers: [Key: Transfer] = [:]
  private var byHandle: [UnsafeMutableRawPointer: Key] = [:]
  private let touched = TouchedTransfers()
  private var idleHandles: [EasyHandle] = []
  private let spares = SpareSockets()
  private var alarms: [ObjectIdentifier: Alarm] = [:]
  /// Transfers that their limits hold, and when to look at each again.
  private var waiting: [Key: Instant] = [:]
  private var sampledAt = Instant.now

  /// One transfer of one download.
  private struct Key: Hashable {
    let download: ObjectIdentifier
    let id: TransferID
  }

  private struct Alarm {
    var at: Instant
    let ring: @Sendable () -> Void
  }

  /// Starts a loop on a thread of its own, which keeps it until `end()`.
  init() throws(CurlFailure) {
    multi = try MultiHandle()
    thread = LoopThread(multi: multi)
    thread.start { [self] in assumeIsolated { $0.turn() } }
  }

  /// Ends the thread after all that was asked for; called when no transfer is left and nobody asks for more, from any
  /// thread.
  nonisolated func end() { thread.stop() }

  /// Runs `work` on the loop: at once when the caller is on its thread already, else after everything that was asked
  /// for before.
  nonisolated func carryOut(_ work: @escaping @Sendable (isolated TransferLoop) -> Void) {
    if thread.isCurrent {
      assumeIsolated(work)
    } else {
      thread.post { [self] in assumeIsolated(work) }
    }
  }

  // MARK: - Orders

  /// Starts a transfer of the download `owner`, whose news go to `sink`; called on any thread. Without a file only the
  /// answer's head is taken; without a route libcurl chooses the address.
  nonisolated func start(
    _ request: TransferRequest, over route: TransferRoute?, for owner: ObjectIdentifier, settings: TransferSettings,
    file: PartFile?, sink: @escaping TransferSink
  ) {
    // Counted at once: those who ask next must see it.
    meter.transferBegan()
    carryOut { $0.begin(request, over: route, for: owner, settings: settings, file: file, sink: sink) }
  }

  private func begin(
    _ request: TransferRequest, over route: TransferRoute?, for owner: ObjectIdentifier, settings: TransferSettings,
    file: PartFile?, sink: @escaping TransferSink
  ) {
    do throws(CurlFailure) {
      let handle = if let idle = idleHandles.popLast() { idle } else { try EasyHandle() }
      let transfer = Transfer(
        request, route: route, handle: handle, file: file, settings: settings, touched: touched, sink: sink)
      try transfer.prepare(settings, spares: spares)
      try multi.add(handle)
      let key = Key(download: owner, id: request.id)
      waiting[key] = transfer.resumesAt
      transfers[key] = transfer
      byHandle[handle.pointer] = key
    } catch {
      meter.transferEnded()
      sink([
        (request.id, .ended(.failed(TransferFailure(error.code, error.message)))),
        (request.id, .left(keepsConnection: false)),
      ])
    }
  }

  /// Makes a transfer end at `offset` or, if it is past that, where it is. Returns the end; nil if there is no such
  /// transfer any more.
  func shrink(_ id: TransferID, of owner: ObjectIdentifier, to offset: Int64) -> Int64? {
    transfers[Key(download: owner, id: id)]?.shrink(to: offset)
  }

  /// Ends a transfer, with its news, if it has nothing left to bring.
  func concludeIfDone(_ id: TransferID, of owner: ObjectIdentifier) {
    let key = Key(download: owner, id: id)
    if transfers[key]?.hasReachedEnd == true { conclude(key, result: nil) }
  }

  /// Ends a transfer without further news.
  func abort(_ id: TransferID, of owner: ObjectIdentifier) {
    let key = Key(download: owner, id: id)
    guard let transfer = transfers.removeValue(forKey: key) else { return }
    touched.remove(transfer)
    waiting[key] = nil
    retire(transfer.handle)
  }

  /// Takes no more bytes of a transfer until it is released from this.
  func hold(_ id: TransferID, of owner: ObjectIdentifier, for reason: Hold) {
    transfers[Key(download: owner, id: id)]?.hold(for: reason)
  }

  /// Lets a transfer take the bytes before `offset`, too.
  func extend(_ id: TransferID, of owner: ObjectIdentifier, to offset: Int64) {
    let key = Key(download: owner, id: id)
    if let result = transfers[key]?.extend(to: offset) { conclude(key, result: result) }
  }

  /// Takes bytes of a transfer again, unless there is another reason not to.
  func release(_ id: TransferID, of owner: ObjectIdentifier, from reason: Hold) {
    release(Key(download: owner, id: id), from: reason)
  }

  private func release(_ key: Key, from reason: Hold) {
    if let result = transfers[key]?.release(from: reason) { conclude(key, result: result) }
  }

  /// Begins to open `count` connections that the next transfers to this address can start on.
  func openSpares(_ count: Int, to address: String, port: Int) {
    spares.open(count, to: address, port: port, now: .now)
  }

  /// Calls `ring` on the loop's thread at `moment`; replaces the download's earlier alarm.
  func setAlarm(for owner: ObjectIdentifier, at moment: Instant, ring: @escaping @Sendable () -> Void) {
    alarms[owner] = Alarm(at: moment, ring: ring)
  }

  func removeAlarm(of owner: ObjectIdentifier) {
    alarms[owner] = nil
  }

  // MARK: - Turning

  /// One turn: network traffic, news, alarms. Returns how long nothing else is due, in milliseconds.
  private func turn() -> Int32 {
    multi.perform()
    while let (handle, result) = multi.nextDone() {
      if let key = byHandle[handle] { conclude(key, result: result) }
    }
    let now = Instant.now
    releaseWaiting(now)
    while let transfer = touched.next() {
      if let at = transfer.resumesAt, let key = byHandle[transfer.handle.pointer] { waiting[key] = at }
      let news = transfer.takeNews(now, socket: multi.socket(of: transfer.handle))
      if !news.isEmpty { transfer.sink(news.map { (transfer.request.id, $0) }) }
    }
    if now.seconds(since: sampledAt) >= LoopMeter.interval {
      sampledAt = now
      meter.sample(now)
      spares.closeOld(now)
    }
    ringAlarms(now)
    // Nobody else may wake the loop to close them.
    let idle: Int32 = spares.isEmpty ? 60_000 : 1_000
    guard let next = (alarms.values.map(\.at) + waiting.values).min() else { return idle }
    return min(idle, next.milliseconds(since: .now))
  }

  /// Lets those go on whose turn it is. What libcurl kept for them comes at once.
  private func releaseWaiting(_ now: Instant) {
    for (key, at) in waiting where at <= now {
      waiting[key] = nil
      guard let transfer = transfers[key] else { continue }
      if transfer.isItsTurn(now) {
        release(key, from: .limit)
      } else {
        waiting[key] = transfer.resumesAt
      }
    }
  }

  private func ringAlarms(_ now: Instant) {
    for (owner, alarm) in alarms where alarm.at <= now {
      alarms[owner] = nil
      alarm.ring()
    }
  }

  private func conclude(_ key: Key, result: CURLcode?) {
    guard let transfer = transfers.removeValue(forKey: key) else { return }
    transfer.finish(result)
    touched.remove(transfer)
    waiting[key] = nil
    retire(transfer.handle)
    transfer.sink(
      (transfer.takeNews(.now, socket: nil) + [.left(keepsConnection: result == CURLE_OK)]).map { (key.id, $0) })
  }

  /// Takes a handle out of the multi handle. Its connection stays in the cache if the answer was read to its end.
  private func retire(_ handle: EasyHandle) {
    multi.remove(handle)
    // A share that is in use could not be freed.
    try? handle.use(nil)
    byHandle[handle.pointer] = nil
    meter.transferEnded()
    idleHandles.append(handle)
  }
}
