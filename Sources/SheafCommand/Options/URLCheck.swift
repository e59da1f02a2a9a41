import SheafCore

/// Refuses what cannot be fetched before anything is done. The library looks closer.
func checkURL(_ text: String) throws(UsageError) {
  guard !text.isEmpty else { throw UsageError("an empty URL was given") }
  guard !text.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
    throw UsageError(
      "the URL '\(redacted(text))' contains a control character", suggestion: "remove it or write it as %XX")
  }
  guard let separator = schemeSeparator(in: text) else {
    throw UsageError("'\(redacted(text))' is not a URL", suggestion: suggestion(for: text))
  }
  let scheme = text[..<separator.lowerBound].lowercased()
  guard scheme == "http" || scheme == "https" else {
    throw UsageError("cannot fetch '\(redacted(text))'", suggestion: "only http and https are supported")
  }
  let authority = text[separator.upperBound...].prefix { !"/?#".contains($0) }
  guard authority.split(separator: "@", omittingEmptySubsequences: false).last?.first.map({ $0 != ":" }) == true else {
    throw UsageError("the URL '\(redacted(text))' names no host", suggestion: "write https://HOST/PATH")
  }
}

/// The place of `://` behind a scheme (RFC 3986 section 3.1).
func schemeSeparator(in text: String) -> Range<String.Index>? {
  let scheme = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
  guard let first = scheme.first, first.isLetter, text[scheme.endIndex...].hasPrefix("://") else { return nil }
  return scheme.endIndex..<text.index(scheme.endIndex, offsetBy: 3)
}

private func suggestion(for text: String) -> String {
  if let subcommand = closest(to: text, among: Subcommand.allCases.map(\.rawValue)) {
    return "did you mean sheaf \(subcommand)?"
  }
  return "a URL begins with https:// or http://"
}
