import CCurl
package import SheafCore

/// URLs are taken apart by libcurl alone, so that no second parser can disagree about whose host it is.
extension Location {
  /// Reads an absolute URL; nil if libcurl does not understand it or it is one of http or https and names no host.
  init?(_ text: String) {
    self.init(text, relativeTo: nil)
  }

  /// Reads the URL of a download.
  /// - Throws: a usage failure that repeats nothing secret.
  package init(ofDownload text: String) throws(Failure) {
    guard !text.isEmpty else { throw Failure(.usage, "an empty URL was given") }
    guard !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
      throw Failure(
        .usage, "the URL '\(redactedURL(text))' contains a control character",
        suggestion: "remove it or write it as %XX")
    }
    guard let location = Location(text) else {
      throw Failure(.usage, "'\(redactedURL(text))' is not a URL", suggestion: "write https://HOST/PATH")
    }
    guard location.origin.scheme == "http" || location.origin.scheme == "https" else {
      throw Failure(.usage, "cannot fetch '\(location.redacted)'", suggestion: "only http and https are supported")
    }
    self = location
  }

  /// Reads a URL as a redirect from `base` gives it (RFC 9110 section 10.2.2).
  init?(_ text: String, relativeTo base: Location?) {
    guard !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else { return nil }
    guard let parts = URLParts() else { return nil }
    if let base {
      guard parts.set(base.url, flags: 0) else { return nil }
    }
    guard parts.set(text, flags: UInt32(CURLU_URLENCODE) | UInt32(CURLU_NON_SUPPORT_SCHEME)) else { return nil }
    guard let scheme = parts.get(CURLUPART_SCHEME)?.lowercased(), let url = parts.get(CURLUPART_URL) else { return nil }
    let host = parts.get(CURLUPART_HOST)?.lowercased()
    let port = parts.get(CURLUPART_PORT, flags: UInt32(CURLU_DEFAULT_PORT)).flatMap(Int.init)
    // Others, such as file:, have no use for them, and are told apart from what is no URL only to be refused.
    if scheme == "http" || scheme == "https" { guard host != nil, port != nil else { return nil } }
    self.init(url: url, origin: Origin(scheme: scheme, host: host ?? "", port: port ?? 0))
  }

  /// The URL for people, logs and JSON: no user information, no query, no fragment.
  var redacted: String {
    if isPlain { return printable(url) }
    let parts = URLParts()
    guard let parts, parts.set(url, flags: UInt32(CURLU_NON_SUPPORT_SCHEME)) else { return origin.host }
    for part in [CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_OPTIONS, CURLUPART_QUERY, CURLUPART_FRAGMENT] {
      parts.remove(part)
    }
    return printable(parts.get(CURLUPART_URL) ?? origin.host)
  }

  /// SHA-256 of the URL as it was given: tells URLs apart without keeping their secrets.
  var hash: [UInt8] {
    let digest = DigestContext(.sha256)
    Array(url.utf8).withUnsafeBytes { digest.update($0) }
    return digest.finish()
  }

  /// Whether there is nothing but scheme, host, port and path: libcurl made this URL, so without these three characters
  /// no other part is in it.
  private var isPlain: Bool {
    !url.utf8.contains { $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
  }

  /// Who is asking, if the URL itself says so.
  var login: Login? {
    if isPlain { return nil }
    let parts = URLParts()
    guard let parts, parts.set(url, flags: UInt32(CURLU_NON_SUPPORT_SCHEME)) else { return nil }
    guard let name = parts.get(CURLUPART_USER, flags: UInt32(CURLU_URLDECODE)) else { return nil }
    return Login(name: name, password: parts.get(CURLUPART_PASSWORD, flags: UInt32(CURLU_URLDECODE)) ?? "")
  }

  /// The path as the URL has it, percent-encoded.
  var path: String {
    if isPlain, let slashes = url.utf8.firstIndex(of: UInt8(ascii: "/")) {
      let host = url.utf8[slashes...].dropFirst(2)
      if let path = host.firstIndex(of: UInt8(ascii: "/")) { return String(url[path...]) }
    }
    let parts = URLParts()
    guard let parts, parts.set(url, flags: UInt32(CURLU_NON_SUPPORT_SCHEME)) else { return "" }
    return parts.get(CURLUPART_PATH) ?? ""
  }
}

/// `url` for people, logs and JSON, without user information, query and fragment.
///
/// It takes any text, for it is what errors about bad URLs print. Where libcurl cannot tell the parts, nothing is shown
/// that might be a secret.
package func redactedURL(_ url: String) -> String {
  if let location = Location(url) { return location.redacted }
  let text = url.unicodeScalars
  return text.contains("@") ? "…" : printable(String(text.prefix { $0 != "?" && $0 != "#" }))
}

/// The scheme of a proxy's URL, which is http where there is none; nil if it is no URL of a host.
func proxyScheme(_ text: String) -> String? {
  guard !text.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value == 0x7F }), let parts = URLParts(),
    parts.set(text.contains("://") ? text : "http://\(text)", flags: UInt32(CURLU_NON_SUPPORT_SCHEME)),
    parts.get(CURLUPART_HOST)?.isEmpty == false
  else { return nil }
  return parts.get(CURLUPART_SCHEME)?.lowercased()
}

/// One libcurl URL handle.
private final class URLParts {
  private let handle: OpaquePointer

  init?() {
    guard let handle = curl_url() else { return nil }
    self.handle = handle
  }

  deinit { curl_url_cleanup(handle) }

  func set(_ url: String, flags: UInt32) -> Bool {
    curl_url_set(handle, CURLUPART_URL, url, flags) == CURLUE_OK
  }

  func remove(_ part: CURLUPart) {
    _ = curl_url_set(handle, part, nil, 0)
  }

  func get(_ part: CURLUPart, flags: UInt32 = 0) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard curl_url_get(handle, part, &text, flags) == CURLUE_OK, let text else { return nil }
    defer { curl_free(text) }
    return String(cString: text)
  }
}
