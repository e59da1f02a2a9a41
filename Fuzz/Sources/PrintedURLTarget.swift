import CCurl
import SheafCore

@testable import Sheaf
@testable import SheafCommand

/// F6. A URL, or what somebody took for one, on its way to the screen.
///
/// Byte 1 of the input stands for a secret. If libcurl finds it in the user information, in a query or in the fragment,
/// and nowhere else, it must not be printed.
func fuzzPrintedURL(_ input: Input) {
  let secret = "SECRET"
  let text = String(
    decoding: input.rest.flatMap { $0 == 1 ? Array(secret.utf8) : [$0] }, as: UTF8.self)
  let printed = redactedURL(text)
  require(!printed.unicodeScalars.contains(where: isUnprintable), "unprintable")
  require(!printed.utf8.contains(UInt8(ascii: "#")), "'\(printed)' has a fragment")
  // A control character is printed as a question mark, which looks like the beginning of a query.
  if printable(text) == text, let query = printed.utf8.firstIndex(of: UInt8(ascii: "?")) {
    for parameter in printed.utf8[query...].dropFirst().split(separator: UInt8(ascii: "&")) {
      require(parameter.elementsEqual("*".utf8) || parameter.suffix(2).elementsEqual("=*".utf8), "'\(printed)' shows")
    }
  }

  let isAccepted = isFetchable(text)
  guard let location = Location(text) else { return }
  let scheme = location.origin.scheme
  if isAccepted { require(scheme == "http" || scheme == "https", "libcurl sees \(scheme) in '\(text)'") }
  let parts = URLParts(text)
  let secrets = [parts[CURLUPART_USER], parts[CURLUPART_PASSWORD], parts[CURLUPART_FRAGMENT], values(parts)]
  let open = [parts[CURLUPART_SCHEME], parts[CURLUPART_HOST], parts[CURLUPART_PATH], names(parts)]
  if secrets.joined().contains(secret), !open.joined(separator: " ").contains(secret) {
    require(!printed.contains(secret), "'\(printed)' tells the secret")
  }

  let shown = location.redacted
  require(!shown.unicodeScalars.contains(where: isUnprintable), "unprintable")
  guard printable(location.url) == location.url else { return }
  let rest = URLParts(shown)
  for part in [CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_QUERY, CURLUPART_FRAGMENT] {
    require(rest[part].isEmpty, "'\(shown)' still has '\(rest[part])'")
  }
}

private func isFetchable(_ text: String) -> Bool {
  do throws(UsageError) {
    try checkURL(text)
    return true
  } catch {
    for part in [error.message, error.suggestion] {
      require(!part.unicodeScalars.contains(where: isUnprintable), "an unprintable usage error")
    }
    return false
  }
}

private func values(_ parts: borrowing URLParts) -> String {
  parts[CURLUPART_QUERY].unicodeScalars.split(separator: "&").map { String($0.drop { $0 != "=" }) }.joined()
}

private func names(_ parts: borrowing URLParts) -> String {
  parts[CURLUPART_QUERY].unicodeScalars.split(separator: "&").map { String($0.prefix { $0 != "=" }) }.joined()
}

/// libcurl's own view of a URL; a part that is not there is empty.
private struct URLParts: ~Copyable {
  private let handle = curl_url()

  init(_ text: String) {
    _ = curl_url_set(handle, CURLUPART_URL, text, UInt32(CURLU_URLENCODE) | UInt32(CURLU_NON_SUPPORT_SCHEME))
  }

  deinit { curl_url_cleanup(handle) }

  subscript(part: CURLUPart) -> String {
    var text: UnsafeMutablePointer<CChar>?
    guard curl_url_get(handle, part, &text, 0) == CURLUE_OK, let text else { return "" }
    defer { curl_free(text) }
    return String(cString: text)
  }
}
