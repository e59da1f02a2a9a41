import CCurl
import SheafCore

@testable import Sheaf
@testable import SheafCommand

/// F6. A URL, or what somebody took for one, on its way to the screen.
///
/// Byte 1 of the input stands for a secret. If libcurl finds it in the user information, the query or the fragment,
/// and nowhere else, it must not be printed.
func fuzzPrintedURL(_ input: Input) {
  let secret = "SECRET"
  let text = String(
    decoding: input.rest.flatMap { $0 == 1 ? Array(secret.utf8) : [$0] }, as: UTF8.self)
  let printed = redactedURL(text)
  require(!printed.unicodeScalars.contains(where: isUnprintable), "unprintable")

  let isAccepted = isFetchable(text)
  guard let location = Location(text) else {
    require(!isAccepted, "'\(text)' is to be fetched, and nobody can read it")
    require(!text.unicodeScalars.contains("@") || printed == "…", "'\(printed)' may tell a password")
    return
  }
  let scheme = location.origin.scheme
  require(isAccepted == (scheme == "http" || scheme == "https"), "libcurl sees \(scheme) in '\(text)'")
  let parts = URLParts(text)
  let secrets = [parts[CURLUPART_USER], parts[CURLUPART_PASSWORD], parts[CURLUPART_QUERY], parts[CURLUPART_FRAGMENT]]
  let open = [parts[CURLUPART_SCHEME], parts[CURLUPART_HOST], parts[CURLUPART_PATH]]
  if secrets.joined().contains(secret), !open.joined(separator: " ").contains(secret) {
    require(!printed.contains(secret), "'\(printed)' tells the secret")
  }

  guard printable(location.url) == location.url else { return }
  let rest = URLParts(printed)
  for part in [CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_QUERY, CURLUPART_FRAGMENT] {
    require(rest[part].isEmpty, "'\(printed)' still has '\(rest[part])'")
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
