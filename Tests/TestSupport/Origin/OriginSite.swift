/// An origin together with what it takes to reach it in the way that a named behaviour asks for.
package final class OriginSite: Sendable {
  /// The address of a server that does not exist, for clients that use the origin as their proxy.
  static let behindProxy = "http://files.invalid"

  package let origin: Origin
  /// The PEM file of the authority to trust, where there is one.
  package let authorityFile: String?
  /// What the client's environment needs.
  package let environment: [String: String?]
  private let base: String
  private let authority: TestAuthority?
  private let front: HTTP2Front?
  private let nginx: NginxServer?

  /// `authority` signs where certificates are needed; nil makes one.
  package init(access: NamedBehaviour.Access, port: UInt16 = 0, authority: TestAuthority? = nil) throws {
    let tls: (TestAuthority, TestAuthority.Flaw)? =
      switch access {
      case .plain, .localhost, .proxy, .http2GoingAway: nil
      case .tls(let flaw): (try authority ?? TestAuthority(), flaw)
      case .http2: (try authority ?? TestAuthority(), .none)
      }
    let origin = try Origin(port: port, tls: tls.map { (authority: $0.0, flaw: $0.1) })
    self.origin = origin
    self.authority = tls?.0
    front = access == .http2 ? try tls.map { try HTTP2Front(of: origin, authority: $0.0) } : nil
    nginx = access == .http2GoingAway ? try Self.nginx(before: origin) : nil
    authorityFile = tls?.0.file ?? nginx?.certificate
    environment = access == .proxy ? ["http_proxy": "http://127.0.0.1:\(origin.port)"] : [:]
    base =
      switch access {
      case .plain: "http://127.0.0.1:\(origin.port)"
      case .localhost: "http://localhost:\(origin.port)"
      case .proxy: Self.behindProxy
      case .tls: "https://127.0.0.1:\(origin.port)"
      case .http2: "https://127.0.0.1:\(front?.port ?? 0)"
      case .http2GoingAway: "https://127.0.0.1:\(nginx?.port ?? 0)"
      }
  }

  package func url(_ path: String = Origin.defaultPath) -> String { base + path }

  private static func nginx(before origin: Origin) throws -> NginxServer {
    var options = NginxServer.Options()
    options.http2 = true
    options.workers = 1
    options.extra = """
      keepalive_requests 2;
      http2_max_concurrent_streams 1;
      location / { proxy_pass http://127.0.0.1:\(origin.port); proxy_buffering off; proxy_http_version 1.1; }
      """
    return try NginxServer(options: options)
  }
}
