#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Sheaf's own HTTP server for tests and benchmarks: it can be wrong on request, and counts every byte.
///
/// HTTP/1.1 on 127.0.0.1, a thread for each connection; with a certificate, TLS on the same port: the client's first byte
/// tells which it is. All members may be used from any thread. A closure that a
/// behaviour holds must not hold the origin, or it is never freed.
package final class Origin: Sendable {
  package static let defaultPath = "/file.bin"

  package let port: UInt16
  private let core: OriginCore
  private let acceptor: Monitor<JoinableThread?>

  /// An origin with one file under `path`, on 127.0.0.`host`. Port 0 lets the system choose a free one.
  package convenience init(
    entity: Entity, behaviour: Behaviour = .correct, path: String = Origin.defaultPath, port: UInt16 = 0,
    host: UInt8 = 1, tls: (authority: TestAuthority, flaw: TestAuthority.Flaw)? = nil
  ) throws {
    try self.init(port: port, host: host, tls: tls)
    serve(entity, behaviour: behaviour, at: path)
  }

  /// An origin that answers 404 to everything until it is told what to serve.
  package init(
    port: UInt16 = 0, host: UInt8 = 1, tls: (authority: TestAuthority, flaw: TestAuthority.Flaw)? = nil
  ) throws {
    let context = try tls.map { tls in
      try TLSContext(certificate: tls.authority.certificate(tls.flaw), key: tls.authority.key(tls.flaw))
    }
    let listener = try LoopbackSocket.listen(port: port, host: host)
    do {
      let port = try LoopbackSocket.port(of: listener)
      let core = try OriginCore(port: port, tls: context)
      self.port = port
      self.core = core
      acceptor = Monitor(try JoinableThread { Self.acceptConnections(from: listener, core: core) })
    } catch {
      close(listener)
      throw error
    }
  }

  deinit {
    stop()
  }

  /// The address of the default path.
  package var url: String { url(Self.defaultPath) }

  package func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

  /// Whether it answers TLS too.
  package var hasTLS: Bool { core.tls != nil }

  /// Puts an entity under a path, in place of what was there; requests for it count from 1 again.
  package func serve(_ entity: Entity, behaviour: Behaviour = .correct, at path: String = Origin.defaultPath) {
    core.state.withLock { $0.routes[path] = OriginCore.Route(entity: entity, behaviour: behaviour) }
  }

  /// What has happened so far.
  package var log: OriginLog { core.log }

  /// Begins a new log, from which answers still under way are missing; connections keep their numbers.
  package func clearLog() {
    core.state.withLock { state in
      let accepted = state.log.connectionsAccepted
      state.cleared += state.log.requests.count
      state.log = OriginLog()
      state.log.connectionsAccepted = accepted
    }
  }

  /// Blocks until the log satisfies the condition; false when `seconds` pass before.
  @discardableResult
  package func wait(seconds: Double = 30, until condition: (OriginLog) -> Bool) -> Bool {
    core.state.wait(seconds: seconds) { condition($0.log) ? true : nil } ?? false
  }

  /// Closes the listener and all connections and joins all threads. Once is enough; more does no harm.
  package func stop() {
    core.stop.trigger()
    let thread = acceptor.withLock { thread in
      defer { thread = nil }
      return thread
    }
    guard let thread else { return }
    thread.join()
    core.stopConnections()
  }

  private static func acceptConnections(from listener: CInt, core: OriginCore) {
    defer { close(listener) }
    while true {
      var watched = [
        pollfd(fd: listener, events: Int16(POLLIN), revents: 0),
        pollfd(fd: core.stop.readEnd, events: Int16(POLLIN), revents: 0),
      ]
      poll(&watched, 2, core.settlePeaks(olderThan: 0.002) ? 2 : -1)
      if watched[1].revents != 0 { return }
      guard watched[0].revents != 0 else { continue }
      guard let socket = LoopbackSocket.accept(from: listener) else {
        // Out of descriptors, most likely: give the connections a moment to end.
        _ = core.stop.wait(seconds: 0.01)
        continue
      }
      core.joinFinished()
      core.accepted(socket)
    }
  }
}
