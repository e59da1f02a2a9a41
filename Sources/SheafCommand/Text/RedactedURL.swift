import SheafCore

/// `url` without what may be secret: user information, the values of the query, the fragment.
///
/// It takes any text, a URL or not, for it is what errors about bad URLs print.
func redacted(_ url: String) -> String {
  // By scalars: to a `Character`, an at sign under an accent is none, but libcurl ends the password there.
  let url = url.unicodeScalars
  let start = placeStart(in: url[...])
  let rest = url[start...].prefix { $0 != "#" }
  let place = rest.prefix { $0 != "?" }
  var text = String(url[..<start]) + String(withoutUserInformation(place))
  if place.endIndex != rest.endIndex {
    let query = rest[place.endIndex...].dropFirst()
    text += "?" + query.split(separator: "&").map(withoutValue).joined(separator: "&")
  }
  return printable(text)
}

private typealias Scalars = Substring.UnicodeScalarView

/// Where user information would begin: behind the scheme and any number of slashes, for libcurl takes one to three.
private func placeStart(in url: Scalars) -> String.Index {
  let scheme = url.prefix { $0.isASCII && ($0.properties.isAlphabetic || "0123456789+-.".unicodeScalars.contains($0)) }
  let rest = url[scheme.endIndex...]
  let slashes = rest.starts(with: ":/".unicodeScalars) ? rest.dropFirst() : url
  return slashes.drop { $0 == "/" }.startIndex
}

/// `user:password@host/path` without the part up to the at sign.
private func withoutUserInformation(_ place: Scalars) -> Scalars {
  var place = place
  // Again, for what a slash in a password leaves may look like user information once more.
  while let end = endOfUserInformation(in: place) { place = place[end...] }
  return place
}

private func endOfUserInformation(in place: Scalars) -> String.Index? {
  let authority = place.prefix { $0 != "/" }
  if let at = authority.lastIndex(of: "@") { return place.index(after: at) }
  // A password with a slash that should have been %2F: what looks like a port is none, and an at sign follows.
  guard let colon = authority.firstIndex(of: ":"), authority.first != "[",
    case let port = authority[colon...].dropFirst(), port.isEmpty || !port.allSatisfy({ ("0"..."9").contains($0) })
  else { return nil }
  return place.lastIndex(of: "@").map { place.index(after: $0) }
}

private func withoutValue(_ parameter: Scalars) -> String {
  guard let equals = parameter.firstIndex(of: "=") else { return "*" }
  return "\(String(parameter[...equals]))*"
}
