#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// nghttpx on loopback: HTTP/2 over TLS in front of an origin. Stopped when the last reference goes.
package final class HTTP2Front: Sendable {
  package struct DidNotStart: Error, CustomStringConvertible {
    package let description: String
  }

  package let port: UInt16
  private let process: ChildProcess

  package static let program: String? = ["/usr/sbin/nghttpx", "/usr/bin/nghttpx", "/opt/homebrew/bin/nghttpx"]
    .first { access($0, X_OK) == 0 }

  /// For tests that are skipped without it.
  package static var isInstalled: Bool { program != nil }

  /// Blocks until it accepts connections.
  package init(of origin: Origin, authority: TestAuthority) throws {
    guard let program = Self.program else { throw DidNotStart(description: "nghttpx is not installed") }
    // A free port may be taken before nghttpx gets it, so more than one is tried.
    for _ in 0..<5 {
      let port = try LoopbackSocket.freePort()
      let process = try ChildProcess(
        program,
        [
          "--conf=/dev/null", "--frontend=127.0.0.1,\(port)", "--backend=127.0.0.1,\(origin.port)",
          "--workers=1", "--accesslog-file=/dev/null", "--errorlog-file=/dev/null", "--no-ocsp",
          authority.key(.none), authority.certificate(.none),
        ])
      if process.accepts(port: port) {
        self.port = port
        self.process = process
        return
      }
    }
    throw DidNotStart(description: "nghttpx did not start")
  }

  deinit {
    process.kill(SIGTERM)
    process.wait()
  }
}
