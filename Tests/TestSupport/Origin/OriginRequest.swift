/// A request as the origin read it.
package struct OriginRequest: Sendable {
  package var method: String
  /// What stood in the request line, with its query.
  package var target: String
  package var version: String
  package var headers: OriginHeaders

  package init(method: String, target: String, version: String = "HTTP/1.1", headers: OriginHeaders = [:]) {
    self.method = method
    self.target = target
    self.version = version
    self.headers = headers
  }

  /// The target without scheme, host and query.
  package var path: String {
    var rest = Substring(target)
    if let scheme = rest.firstRange(of: "://") {
      let afterScheme = rest[scheme.upperBound...]
      rest = afterScheme.firstIndex(of: "/").map { afterScheme[$0...] } ?? "/"
    }
    return String(rest.prefix { $0 != "?" })
  }

  /// The part of the target after the question mark.
  package var query: String? {
    target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) }
  }

  package var asksForRange: Bool { method == "GET" && headers["Range"] != nil }

  var wantsKeepAlive: Bool {
    let wish = headers["Connection"]?.lowercased()
    return version == "HTTP/1.1" ? wish != "close" : wish == "keep-alive"
  }
}
