/// Where a request goes: a URL and the origin that credentials given for it belong to.
package struct Location: Hashable, Sendable {
  /// Scheme, host and port (RFC 9110 section 4.3.1); the scheme and host are in lower case.
  package struct Origin: Hashable, Sendable {
    package let scheme: String
    package let host: String
    package let port: Int

    package init(scheme: String, host: String, port: Int) {
      self.scheme = scheme
      self.host = host
      self.port = port
    }
  }

  package let url: String
  package let origin: Origin

  /// Host, port and path: enough to know it by, and without what may be secret, the user information and the query.
  package var name: String {
    let isUsual = (origin.scheme, origin.port) == ("https", 443) || (origin.scheme, origin.port) == ("http", 80)
    let rest = url.utf8.split(separator: UInt8(ascii: "/"), maxSplits: 3, omittingEmptySubsequences: false)
    let path = rest.count == 4 ? rest[3].prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") } : ""[...].utf8
    return "\(origin.host)\(isUsual ? "" : ":\(origin.port)")/\(String(decoding: path, as: UTF8.self))"
  }

  package init(url: String, origin: Origin) {
    self.url = url
    self.origin = origin
  }
}

/// Which redirects are followed.
package enum RedirectPolicy {
  package static let mostHops = 20

  /// Why going from `source` to `target` is not allowed; nil if it is.
  package static func refusal(
    from source: Location, to target: Location, hops: Int, allowsDowngrade: Bool = false
  ) -> Failure? {
    let suggestion = "check the URL, or give the final one"
    if hops > mostHops { return Failure(.redirects, "more than \(mostHops) redirects", suggestion: suggestion) }
    if target.origin.scheme != "http" && target.origin.scheme != "https" {
      let scheme = printable(target.origin.scheme)
      return Failure(.redirects, "redirect to \(scheme), which is not http or https", suggestion: suggestion)
    }
    if source.origin.scheme == "https" && target.origin.scheme == "http" && !allowsDowngrade {
      return Failure(
        .redirects, "redirect from https to http, where anybody on the way can read and change the file",
        suggestion: "give the final URL, or use --allow-downgrade")
    }
    return nil
  }
}
