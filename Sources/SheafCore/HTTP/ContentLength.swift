/// What an answer says about the length of its body (RFC 9110 §8.6).
package enum ContentLength: Hashable, Sendable {
  case absent
  /// Present and not to be believed: not a number, above `Int64.max`, or several that differ.
  case invalid
  case bytes(Int64)
}

/// Reads every Content-Length of `head`; the same value said more than once counts as said once (RFC 9110 §8.6).
package func contentLength(of head: ResponseHead) -> ContentLength {
  let members = head.values("Content-Length").flatMap(listMembers)
  guard !members.isEmpty else { return .absent }
  let lengths = members.map { decimal($0.utf8) }
  guard let length = lengths[0], lengths.allSatisfy({ $0 == length }) else { return .invalid }
  return .bytes(length)
}
