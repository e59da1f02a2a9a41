/// Which proxy is for whom.
extension ProxyOptions {
  private static let schemes: Set<String> = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]

  /// For URLs of this scheme; empty for none, nil where the environment decides.
  func url(for scheme: String) -> String? { (scheme == "https" ? https : http) ?? all }

  /// Whether there may be one: then it is a proxy that is connected to, and that may look names up.
  var isInUse: Bool {
    ["http", "https"].contains { scheme in url(for: scheme).map { !$0.isEmpty } ?? environmentNamesProxy() }
  }

  /// The options themselves name one.
  var isGiven: Bool { [all, http, https].contains { $0?.isEmpty == false } }

  /// Those of the given texts that name no proxy.
  var hasNonsense: Bool {
    [all, http, https].contains { text in
      guard let text, !text.isEmpty else { return false }
      return proxyScheme(text).map { !Self.schemes.contains($0) } ?? true
    }
  }
}
