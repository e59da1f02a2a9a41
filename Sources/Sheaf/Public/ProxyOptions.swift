/// The proxies that requests go through.
///
/// A proxy is a URL such as `http://proxy.example:3128` or `socks5h://NAME:PASSWORD@127.0.0.1:1080`. Its scheme is `http`
/// (also without one), `https`, `socks4`, `socks4a`, `socks5` or `socks5h`; the two with a letter at the end have the proxy
/// look names up. User information in it is for the proxy alone. What is nil is left to the environment: `http_proxy`,
/// `https_proxy`, `all_proxy` and `no_proxy`, as libcurl reads them. An empty text means no proxy, whatever that says.
public struct ProxyOptions: Hashable, Sendable {
  /// For all URLs that nothing below is for.
  public var all: String?
  /// For http URLs.
  public var http: String?
  /// For https URLs. They go through a tunnel: the proxy sees the host's name and nothing else.
  public var https: String?
  /// Hosts that are asked without a proxy, with commas between them: names, which stand for their subdomains too, addresses,
  /// networks such as `10.0.0.0/8`, or `*` for all.
  public var exceptions: String?

  /// As the environment says.
  public init() {}
}
