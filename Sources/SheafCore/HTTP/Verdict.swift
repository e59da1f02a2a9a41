/// What an answer is good for, decided before the first byte of its body is written.
package enum Verdict: Hashable, Sendable {
  /// A 206 to be used. The range is what to take from it: cut to what was asked, perhaps shorter; never empty if the
  /// question was not.
  case range(ByteRange, Identity)
  /// A 200 with everything from byte 0. The total is nil when only the end of the body will tell.
  case whole(Identity)
  /// There are no bytes: 200 with length 0, or 416 with `bytes */0` to an open question.
  case empty(Identity)
  /// 304.
  case unchanged
  /// 301, 302, 303, 307 or 308 with exactly one Location.
  case redirect
  /// The identity differs from the pinned one; a part of a sentence says how, such as "its ETag changed".
  case changed(String)
  /// A 200 to a question for a range of the pinned file: the same file, but from byte 0.
  case rangeIgnored(Identity)
  /// Any other 416, with the total that its Content-Range states.
  case unsatisfiable(total: Int64?)
  /// Any other status. `retryAfter` is in seconds, 0 to 300.
  case refused(status: Int, retryAfter: Int64?)
  /// Not to be used; a part of a sentence says why, such as "it has no Content-Range".
  case rejected(String)
}
