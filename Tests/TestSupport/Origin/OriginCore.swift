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

  /// The connections that seemed open when another one was accepted.
  ///
  /// The end of a connection may overtake the start of the next on its way through the system, so that a client which
  /// never has two seems to have them for an instant. Only those count that are still there a little later, or have
  /// made a request since.
  struct SuspectedPeak: Sendable {
    let others: [Int]
    let time: Double
    var active: Set<Int> = []
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
    /// Moments that may have seen more open connections than any before.
    var suspectedPeaks: [SuspectedPeak] = []
    var isStopping = false
  }

  let state: Monitor<State>
  let stop: StopSignal
  let port: UInt16
  let tls: TLSContext?

  init(port: UInt16, tls: TLSContext?) throws(SystemCallFailure) {
    self.port = port
    self.tls = tls
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
      let others = Self.stillOpen(state.open)
      state.log.connectionsAccepted = number
      if others.count + 1 > state.log.concurrentConnectionsPeak {
        state.suspectedPeaks.append(SuspectedPeak(others: others, time: monotonicSeconds()))
      }
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
  func ended(connection number: Int, socket: CInt, byClient: Bool) {
    state.withLock { state in
      if !byClient { Self.settlePeaks(&state, olderThan: 0) }
      close(socket)
      state.open[number] = nil
      if let thread = state.threads.removeValue(forKey: number) { state.finished.append(thread) }
    }
  }

  func openConnections(before number: Int) -> Int {
    state.read { state in Self.stillOpen(state.open.filter { $0.key < number }).count }
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

  /// The log with all that is known by now.
  var log: OriginLog {
    state.withLock { state in
      Self.settlePeaks(&state, olderThan: 0)
      return state.log
    }
  }

  /// Counts the moments that are that many seconds old; whether younger ones are left.
  func settlePeaks(olderThan age: Double) -> Bool {
    state.withLock { state in
      guard !state.suspectedPeaks.isEmpty else { return false }
      Self.settlePeaks(&state, olderThan: age)
      return !state.suspectedPeaks.isEmpty
    }
  }

  private static func settlePeaks(_ state: inout State, olderThan age: Double) {
    guard let first = state.suspectedPeaks.first, first.time + age <= monotonicSeconds() else { return }
    let open = Set(stillOpen(state.open))
    while let moment = state.suspectedPeaks.first, moment.time + age <= monotonicSeconds() {
      let count = moment.others.count { open.contains($0) || moment.active.contains($0) } + 1
      state.log.concurrentConnectionsPeak = max(state.log.concurrentConnectionsPeak, count)
      state.suspectedPeaks.removeFirst()
    }
  }

  /// The connections that the clients have not closed: the threads may not have noticed yet.
  private static func stillOpen(_ connections: [Int: CInt]) -> [Int] {
    let numbers = Array(connections.keys)
    var watched = connections.values.map { pollfd(fd: $0, events: hangUpEvent, revents: 0) }
    guard !watched.isEmpty else { return [] }
    poll(&watched, nfds_t(watched.count), 0)
    return zip(numbers, watched).filter { $1.revents == 0 }.map(\.0)
  }

  // MARK: Requests

  /// Logs a request and finds what to do with it; nil behaviour for a path nobody gave.
  func began(
    _ request: OriginRequest, connection: Int, encrypted: Bool
  ) -> (place: Int, exchange: OriginExchange, behaviour: Behaviour?) {
    state.withLock { state in
      state.requestsInProgress += 1
      for moment in state.suspectedPeaks.indices { state.suspectedPeaks[moment].active.insert(connection) }
      state.log.concurrentRequestsPeak = max(state.log.concurrentRequestsPeak, state.requestsInProgress)
      state.log.requests.append(LoggedRequest(connection: connection, request: request))
      state.routes[request.path]?.requests += 1
      let route = state.routes[request.path]
      let exchange = OriginExchange(
        request: request, entity: route?.entity ?? Entity(seed: 0, size: 0), number: route?.requests ?? 0,
        connection: connection, requestsInProgress: state.requestsInProgress,
        scheme: encrypted ? "https" : "http", port: port, core: self)
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
