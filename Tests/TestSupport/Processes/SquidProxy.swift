#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// squid on loopback: a proxy for HTTP, with tunnels. Ended when the last reference goes.
package final class SquidProxy: Sendable {
  package struct DidNotStart: Error, CustomStringConvertible {
    package let description: String
  }

  package let port: UInt16
  private let directory: TemporaryDirectory
  private let process: ChildProcess
  private let name: String

  package static let program: String? = ["/usr/sbin/squid", "/usr/local/sbin/squid", "/opt/homebrew/sbin/squid"]
    .first { access($0, X_OK) == 0 }

  /// For tests that are skipped without it.
  package static var isInstalled: Bool { program != nil }

  /// Blocks until it accepts connections.
  /// - Parameter login: `name password` that clients must give, if any; without characters that a shell knows.
  package init(login: String? = nil) throws {
    guard let program = Self.program else { throw DidNotStart(description: "squid is not installed") }
    directory = try TemporaryDirectory()
    // squid changes its user if it is root, and that one writes here.
    chmod(directory.path, 0o777)
    for _ in 0..<5 {
      let port = try LoopbackSocket.freePort()
      // Its pieces of shared memory have this name.
      let name = "sheaf\(port)"
      try directory.write(Self.configuration(directory, port: port, login: login), to: "squid.conf")
      let process = try ChildProcess(program, ["-N", "-n", name, "-f", directory.file("squid.conf")])
      if process.accepts(port: port) {
        (self.port, self.process, self.name) = (port, process, name)
        return
      }
    }
    let log = (try? directory.read("cache.log")) ?? []
    throw DidNotStart(description: "squid did not start: \(String(decoding: log, as: UTF8.self))")
  }

  deinit {
    // Asked to end, it takes two seconds.
    process.kill(SIGKILL)
    process.wait()
    for piece in ["metadata", "queues", "readers"] { unlink("/dev/shm/\(name)-cf__\(piece).shm") }
  }

  /// How many requests it has carried, tunnels included; those it refused are none.
  package var served: Int {
    let log = String(decoding: (try? directory.read("access.log")) ?? [], as: UTF8.self)
    return log.split(separator: "\n").count { $0.contains("/200 ") || $0.contains("/206 ") }
  }

  private static func configuration(_ directory: TemporaryDirectory, port: UInt16, login: String?) -> String {
    var access = "http_access allow all"
    if let login {
      access = """
        auth_param basic program /bin/sh -c "while read line; do [ \\"$line\\" = '\(login)' ] && echo OK || echo ERR; done"
        acl known proxy_auth REQUIRED
        http_access allow known
        http_access deny all
        """
    }
    return """
      http_port 127.0.0.1:\(port)
      \(access)
      cache deny all
      collapsed_forwarding off
      access_log stdio:\(directory.file("access.log"))
      cache_log \(directory.file("cache.log"))
      pid_filename \(directory.file("squid.pid"))
      coredump_dir \(directory.path)
      pinger_enable off

      """
  }
}
