import SheafCore

/// `url` without what may be secret: user information, the values of the query, the fragment.
///
/// It takes any text, a URL or not, for it is what errors about bad URLs print.
func redacted(_ url: String) -> String {
  let start = schemeSeparator(in: url)?.upperBound ?? url.startIndex
  let scheme = url[..<start]
  let rest = url[start...].prefix { $0 != "#" }
  let place = rest.prefix { $0 != "?" }
  var text = scheme + withoutUserInformation(place)
  if place.endIndex != rest.endIndex {
    let query = rest[rest.index(after: place.endIndex)...]
    text += "?" + query.split(separator: "&").map(withoutValue).joined(separator: "&")
  }
  return printable(text)
}

/// `user:password@host/path` without the part up to the at sign.
private func withoutUserInformation(_ place: Substring) -> Substring {
  let authority = place.prefix { $0 != "/" }
  if let at = authority.lastIndex(of: "@") { return place[place.index(after: at)...] }
  // A password with a slash that should have been %2F: what looks like a port is none, and an at sign follows.
  if let colon = authority.firstIndex(of: ":"), !authority.hasPrefix("["), let at = place.lastIndex(of: "@"),
    !authority[authority.index(after: colon)...].allSatisfy(\.isNumber)
  {
    return place[place.index(after: at)...]
  }
  return place
}

private func withoutValue(_ parameter: Substring) -> String {
  guard let equals = parameter.firstIndex(of: "=") else { return "*" }
  return "\(parameter[...equals])*"
}
