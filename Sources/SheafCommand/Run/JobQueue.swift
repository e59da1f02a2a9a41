import Dispatch
import Sheaf
import SheafCore
import Synchronization

/// The jobs that a command line asks for, of which never more than one is in memory before its turn comes.
final class JobQueue: JobSource {
  /// An order that has been handed out.
  struct PlacedOrder: Sendable {
    /// Its place in the run, from 0.
    let index: Int
    let order: Order
    let gid: GID
    /// The list that it stands in, as messages call it.
    let list: String?
  }

  private struct State {
    var orders: OrderSequence
    var count = 0
    var isClosed = false
    var leftOver: String?
    /// Those who wait for the next order, the longest first.
    var waiters: [CheckedContinuation<PlacedOrder?, Never>] = []
  }

  private let options: CommandOptions
  private let session: Session?
  private let hooks: HookRunner?
  /// Nil if it is not to be used.
  private let memory: ServerMemory?
  private let state: Mutex<State>
  /// Reads from pipes. Whoever writes into one may take as long as they like, and the pool's threads must not wait.
  private let reader = DispatchQueue(label: "sheaf-list")

  /// - Parameters:
  ///   - session: told which downloads are not finished.
  ///   - hooks: run when something happens to one.
  init(_ options: CommandOptions, _ orders: OrderSequence, session: Session? = nil, hooks: HookRunner? = nil) {
    self.options = options
    self.session = session
    self.hooks = hooks
    memory = ServerMemory(options.servers)
    state = Mutex(State(orders: orders))
  }

  // MARK: - Orders

  func nextOrder() async -> PlacedOrder? {
    let (order, mustWait) = state.withLock { state -> (PlacedOrder?, Bool) in
      // What is written out is handed out even then, for a word on each that was not begun.
      if state.isClosed, !(state.orders.isSpelledOut && state.orders.isRepeatable) {
        state.leftOver = state.leftOver ?? state.orders.rest
        return (nil, false)
      }
      guard state.orders.isRepeatable else { return (nil, true) }
      return (state.orders.next().map { placed($0, &state) }, false)
    }
    guard mustWait else { return order }
    return await withCheckedContinuation { continuation in
      let isClosed = state.withLock { state in
        if !state.isClosed { state.waiters.append(continuation) }
        return state.isClosed
      }
      if isClosed { return continuation.resume(returning: nil) }
      reader.async { self.serveFirstWaiter() }
    }
  }

  func close() {
    let waiters = state.withLock { state in
      state.isClosed = true
      if !state.waiters.isEmpty { state.leftOver = state.orders.rest }
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume(returning: nil) }
  }

  var leftOver: String? { state.withLock { $0.leftOver } }

  /// On the reader's queue, which alone touches the orders meanwhile where they come from a pipe.
  private func serveFirstWaiter() {
    // Out of the lock, for reading may take for ever.
    guard var orders = state.withLock({ $0.isClosed ? nil : $0.orders }) else { return release() }
    let order = orders.next()
    let (waiter, next) = state.withLock { state -> (CheckedContinuation<PlacedOrder?, Never>?, PlacedOrder?) in
      state.orders = orders
      guard !state.waiters.isEmpty else { return (nil, nil) }
      return (state.waiters.removeFirst(), order.map { placed($0, &state) })
    }
    waiter?.resume(returning: next)
    // At the end of the list nobody needs to wait.
    if order == nil { release() }
  }

  private func release() {
    let waiters = state.withLock { state in
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume(returning: nil) }
  }

  private func placed(_ order: Order, _ state: inout State) -> PlacedOrder {
    defer { state.count += 1 }
    let placed = PlacedOrder(
      index: state.count, order: order, gid: gid(of: order), list: order.line == nil ? nil : state.orders.list?.name)
    session?.opened(placed, rest: state.orders)
    return placed
  }

  /// What its list says, or a new one.
  private func gid(of order: Order) -> GID {
    var known = options.gid
    if case .listed(let entry) = order {
      known = entry.settings.last { $0.text.hasPrefix("gid=") }.flatMap { GID(String($0.text.dropFirst(4))) }
    }
    var numbers = SystemRandomNumberGenerator()
    return known ?? GID(using: &numbers)
  }

  /// The options of a download that was asked for.
  /// - Throws: a usage error, with the place in the list.
  func options(of placed: PlacedOrder) throws(DownloadError) -> CommandOptions {
    do throws(ListProblem) {
      return try placed.order.options(from: options)
    } catch {
      throw DownloadError(error, in: placed.list)
    }
  }

  // MARK: - Jobs

  func next() async -> Job? {
    guard let placed = await nextOrder() else { return nil }
    return Job(index: placed.index, url: placed.order.url) { [self] () throws(DownloadError) in
      let own = try options(of: placed)
      do throws(DownloadError) {
        return attended(try download(placed.order.url, own), own, placed)
      } catch {
        guard let line = placed.order.line else { throw error }
        throw DownloadError(ListProblem(line: line, error), in: placed.list)
      }
    }
  }

  /// The download, with those told of it who want to know.
  private func attended(
    _ download: any RunnableDownload, _ own: CommandOptions, _ placed: PlacedOrder
  ) -> any RunnableDownload {
    guard session != nil || hooks != nil else { return download }
    let path = try? Download.target(of: placed.order.url, to: own.destination, options: own.download)
    let subject = HookCall.Subject(gid: placed.gid, url: placed.order.url, path: path ?? "")
    return AttendedDownload(download, subject, index: placed.index, session: session, hooks: hooks)
  }

  private func download(_ url: String, _ own: CommandOptions) throws(DownloadError) -> any RunnableDownload {
    if own.isForStandardOutput { return try StandardOutputDownload(url, own) }
    guard let memory, !own.download.mirrors.isEmpty else {
      return try Download(url, to: own.destination, options: own.download)
    }
    var options = own.download
    let ranked = memory.ranked(options.mirrors)
    options.mirrors = ranked.mirrors
    return RememberedDownload(
      try Download(url, to: own.destination, options: options), memory, decision: ranked.decision)
  }
}

extension DownloadError {
  fileprivate init(_ problem: ListProblem, in list: String?) {
    let place = list.map { "\($0):\(problem.line): " } ?? ""
    self.init(Failure(.usage, place + problem.message, suggestion: problem.suggestion))
  }
}
