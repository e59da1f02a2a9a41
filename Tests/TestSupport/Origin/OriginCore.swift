#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What the threads of one origin share: its paths, its log and its open connections.
final class OriginCore: Sendable {
  struct Route: Sendable {
    var entity: Entity
    var behaviour: Behaviour
    var requests = 0
  }

  struct State: Sendable {
    var routes: [String: Route] = [:]
    var log = OriginLog()
    /// How many requests earlier logs held: places are never used again, so a late answer finds none.
    var cleared = 0
    var open: [Int: CInt] = [:]
    var threads: [Int: JoinableThread] = [:]
    var finished: [JoinableThread] = []
    var requestsInProgress = 0
    var isStopping = false
  }

  let state: Monitor<State>
  let stop: StopSignal
  let base: String

  init(base: String) throws(SystemCallFailure) {
    self.base = base
    state = Monitor(State())
    stop = try StopSignal()
  }

  // MARK: Connections

  /// Takes over a new socket and gives it a thread.
  func accepted(_ socket: CInt) {
    state.withLock { state in
      guard !state.isStopping else {
        close(socket)
        return
      }
      let number = state.log.connectionsAccepted + 1
      let others = Self.stillOpen(state.open.values)
      state.log.connectionsAccepted = number
      state.log.concurrentConnectionsPeak = max(state.log.concurrentConnectionsPeak, others + 1)
      // Within the lock, so that a thread that ends at once finds itself in the table.
      if let thread = try? JoinableThread({ OriginConnection(number: number, socket: socket, core: self).run() }) {
        state.open[number] = socket
        state.threads[number] = thread
      } else {
        close(socket)
      }
    }
  }

  /// Forgets a connection. Its socket is closed here: afterwards the number may belong to another one.
  func ended(connection number: Int, socket: CInt) {
    state.withLock { state in
      close(socket)
      state.open[number] = nil
      if let thread = state.threads.removeValue(forKey: number) { state.finished.append(thread) }
    }
  }

  func openConnections(before number: Int) -> Int {
    state.read { state in Self.stillOpen(state.open.lazy.filter { $0.key < number }.map(\.value)) }
  }

  /// Frees the threads of connections that have ended.
  func joinFinished() {
    let finished = state.withLock { state in
      defer { state.finished = [] }
      return state.finished
    }
    for thread in finished { thread.join() }
  }

  /// Wakes every thread from whatever it waits for, and waits for all of them.
  func stopConnections() {
    stop.trigger()
    state.withLock { state in
      state.isStopping = true
      for socket in state.open.values { shutdown(socket, CInt(SHUT_RDWR)) }
    }
    _ = state.wait { $0.threads.isEmpty ? true : nil }
    joinFinished()
  }

  /// How many of the sockets the clients have not closed: the threads may not have noticed yet.
  private static func stillOpen(_ sockets: some Sequence<CInt>) -> Int {
    var watched = sockets.map { pollfd(fd: $0, events: hangUpEvent, revents: 0) }
    guard !watched.isEmpty else { return 0 }
    poll(&watched, nfds_t(watched.count), 0)
    return watched.count { $0.revents == 0 }
  }

  // MARK: Requests

  /// Logs a request and finds what to do with it; nil behaviour for a path nobody gave.
  func began(
    _ request: OriginRequest, connection: Int
  ) -> (place: Int, exchange: OriginExchange, behaviour: Behaviour?) {
    state.withLock { state in
      state.requestsInProgress += 1
      state.log.concurrentRequestsPeak = max(state.log.concurrentRequestsPeak, state.requestsInProgress)
      state.log.requests.append(LoggedRequest(connection: connection, request: request))
      state.routes[request.path]?.requests += 1
      let route = state.routes[request.path]
      let exchange = OriginExchange(
        request: request, entity: route?.entity ?? Entity(seed: 0, size: 0), number: route?.requests ?? 0,
        connection: connection, requestsInProgress: state.requestsInProgress, base: base, core: self)
      return (state.cleared + state.log.requests.count - 1, exchange, route?.behaviour)
    }
  }

  func update(_ place: Int, _ change: (inout LoggedRequest) -> Void) {
    state.withLock { state in
      guard place >= state.cleared else { return }
      change(&state.log.requests[place - state.cleared])
    }
  }

  func finished(_ place: Int) {
    state.withLock { $0.requestsInProgress -= 1 }
    update(place) { $0.isFinished = true }
  }
}
