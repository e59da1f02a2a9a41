#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// nginx on loopback with a configuration of its own, stopped when the last reference goes.
package final class NginxServer: Sendable {
  package struct Options: Sendable {
    /// Serve TLS with a self-signed certificate for localhost and 127.0.0.1.
    package var tls = false
    /// HTTP/2 over TLS.
    package var http2 = false
    /// Bytes a second for each request; as nginx counts, the first second's worth comes at once.
    package var limitRate: Int64?
    /// Requests answered at a time; more get 503.
    package var limitConnections: Int?
    package var workers = 2
    /// More lines for the `server` block.
    package var extra = ""

    package init() {}
  }

  package struct DidNotStart: Error, CustomStringConvertible {
    package let description: String
  }

  package let port: UInt16
  /// What is served; the caller's, unless none was given.
  package let root: String
  /// The certificate to trust for TLS, as a path.
  package let certificate: String?
  private let scheme: String
  private let directory: TemporaryDirectory
  private let process: ChildProcess

  package static let program: String? = ["/usr/sbin/nginx", "/usr/local/bin/nginx", "/opt/homebrew/bin/nginx"]
    .first { access($0, X_OK) == 0 }

  /// For tests that are skipped without it.
  package static var isInstalled: Bool { program != nil }

  /// Blocks until the port accepts connections.
  package init(root: String? = nil, options: Options = Options()) throws {
    guard let program = Self.program else { throw DidNotStart(description: "nginx is not installed") }
    directory = try TemporaryDirectory()
    self.root = root ?? directory.file("www")
    if root == nil { mkdir(self.root, 0o755) }
    scheme = options.tls || options.http2 ? "https" : "http"
    certificate = scheme == "https" ? try Self.makeCertificate(in: directory) : nil
    // A free port may be taken before nginx gets it, so more than one is tried.
    var started: (ChildProcess, UInt16)?
    for _ in 0..<5 where started == nil {
      let port = try LoopbackSocket.freePort()
      try directory.write(Self.configuration(options, directory, root: self.root, port: port), to: "nginx.conf")
      let process = try ChildProcess(
        program, ["-p", directory.path, "-e", directory.file("error.log"), "-c", directory.file("nginx.conf")])
      if process.accepts(port: port) { started = (process, port) }
    }
    guard let started else {
      let log = (try? directory.read("error.log")) ?? []
      throw DidNotStart(description: "nginx did not start: \(String(decoding: log, as: UTF8.self))")
    }
    (process, port) = started
  }

  deinit {
    process.kill(SIGTERM)
    process.wait()
  }

  package func url(_ path: String) -> String { "\(scheme)://localhost:\(port)\(path)" }

  /// A line for each request so far: status, bytes of body, and the Range header or `-`.
  package func accessLog() -> String {
    String(decoding: (try? directory.read("access.log")) ?? [], as: UTF8.self)
  }

  private static func makeCertificate(in directory: TemporaryDirectory) throws -> String {
    let certificate = directory.file("certificate.pem")
    let openssl = try ChildProcess(
      "openssl",
      [
        "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
        "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
        "-keyout", directory.file("key.pem"), "-out", certificate,
      ])
    guard openssl.wait().isSuccess else {
      throw DidNotStart(description: "no certificate: \(openssl.text(of: .errors))")
    }
    return certificate
  }

  private static func configuration(
    _ options: Options, _ directory: TemporaryDirectory, root: String, port: UInt16
  ) -> String {
    let tls = options.tls || options.http2
    var server = ""
    if tls {
      server += "ssl_certificate \(directory.file("certificate.pem"));\n"
      server += "ssl_certificate_key \(directory.file("key.pem"));\n"
    }
    if let rate = options.limitRate { server += "limit_rate \(rate);\n" }
    if let limit = options.limitConnections { server += "limit_conn all \(limit);\n" }
    let temporaries = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map { "\($0)_temp_path \(directory.file($0));\n" }.joined()
    return """
      daemon off;
      \(geteuid() == 0 ? "user root root;" : "")
      worker_processes \(options.workers);
      pid \(directory.file("nginx.pid"));
      events { worker_connections 1024; }
      http {
      \(temporaries)
      log_format ranges '$status $body_bytes_sent $http_range';
      access_log \(directory.file("access.log")) ranges;
      default_type application/octet-stream;
      sendfile on;
      limit_conn_zone $server_name zone=all:1m;
      server {
      listen 127.0.0.1:\(port)\(tls ? " ssl" : "")\(options.http2 ? " http2" : "");
      server_name localhost;
      root \(root);
      \(server)
      \(options.extra)
      }
      }

      """
  }
}

extension ChildProcess {
  /// Blocks until the port accepts a connection; false when the process ends instead, or ten seconds pass.
  func accepts(port: UInt16) -> Bool {
    let deadline = monotonicSeconds() + 10
    while monotonicSeconds() < deadline {
      if hasEnded(within: 0.005) { return false }
      if let socket = try? LoopbackSocket.connect(port: port) {
        close(socket)
        // Another process may be the one that answers: ours would have ended by now, or does so soon.
        return !hasEnded(within: 0.02)
      }
    }
    return false
  }
}
