#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// microsocks on loopback: a proxy that speaks SOCKS5 and looks names up. Ended when the last reference goes.
package final class SocksProxy: Sendable {
  package struct DidNotStart: Error, CustomStringConvertible {
    package let description: String
  }

  package let port: UInt16
  private let process: ChildProcess

  package static let program: String? = ["/usr/bin/microsocks", "/usr/local/bin/microsocks"]
    .first { access($0, X_OK) == 0 }

  /// For tests that are skipped without it.
  package static var isInstalled: Bool { program != nil }

  /// Blocks until it accepts connections.
  package init(name: String? = nil, password: String? = nil) throws {
    guard let program = Self.program else { throw DidNotStart(description: "microsocks is not installed") }
    let login = name.map { ["-u", $0, "-P", password ?? ""] } ?? []
    for _ in 0..<5 {
      let port = try LoopbackSocket.freePort()
      let process = try ChildProcess(program, ["-i", "127.0.0.1", "-p", "\(port)"] + login)
      if process.accepts(port: port) {
        (self.port, self.process) = (port, process)
        return
      }
    }
    throw DidNotStart(description: "microsocks did not start")
  }

  deinit {
    process.kill(SIGKILL)
    process.wait()
  }
}
