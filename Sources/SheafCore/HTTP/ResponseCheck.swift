// The one place where an answer is accepted. libcurl checks nothing of this: a 206 for other bytes, without a
// Content-Range or of another file is "OK" to it. No byte is written that has not passed here.

/// Decides what the answer with this head is good for.
///
/// - Parameter now: Seconds since 1970, for a Retry-After date in an answer without Date.
package func judge(_ head: ResponseHead, for question: RangeQuestion, now: Int64) -> Verdict {
  switch head.status {
  case 206: judgePartial(head, for: question)
  case 200: judgeWhole(head, for: question)
  case 304: .unchanged
  case 301, 302, 303, 307, 308: judgeRedirect(head)
  case 416: judgeUnsatisfiable(head, for: question)
  case 412 where question.pinned != nil: .changed("the server says so (412)")
  default: .refused(status: head.status, retryAfter: retryAfter(of: head, now: now))
  }
}

/// RFC 9110 §15.3.7: a client MUST inspect the Content-Range of a 206.
private func judgePartial(_ head: ResponseHead, for question: RangeQuestion) -> Verdict {
  guard question.asksRange else { return .rejected("it is a part (206), though the whole file was asked for") }
  if let reason = reasonNotTheFilesBytes(head) { return .rejected(reason) }

  let fields = head.values("Content-Range")
  guard let field = fields.first else { return .rejected("it is a part (206) without a Content-Range") }
  guard fields.count == 1 else { return .rejected("it has \(fields.count) Content-Range fields") }
  guard let answer = ContentRange(parsing: field), let range = answer.range else {
    return .rejected("its Content-Range \(quoted(field)) is malformed")
  }
  guard range.lower == question.asked.lower else {
    return .rejected("it begins at byte \(range.lower) instead of \(question.asked.lower)")
  }
  guard range.upper > question.range.lower else {
    return .rejected("it ends at byte \(range.upper), before what was asked for")
  }

  // `*` says nothing about the total: good enough only while an earlier answer has told it.
  guard let total = answer.total ?? question.pinned?.total ?? question.total else {
    return .rejected("its Content-Range \(quoted(field)) does not tell the file's length")
  }
  guard range.upper <= total else {
    return .rejected("its Content-Range \(quoted(field)) goes beyond the file's \(total) bytes")
  }
  // Also beside a Transfer-Encoding, which would win (RFC 9112 §6.3): two lengths that disagree are no answer.
  switch contentLength(of: head) {
  case .absent: break
  case .invalid: return .rejected("its Content-Length is invalid")
  case .bytes(let length) where length == range.count: break
  case .bytes(let length):
    return .rejected("its Content-Length is \(length), but its Content-Range covers \(range.count) bytes")
  }

  let identity = Identity(total: total, validator: Validator(head: head))
  if let known = question.total, known != total { return .changed("it has \(total) bytes instead of \(known)") }
  if let pinned = question.pinned {
    if let known = pinned.total, known != total {
      return .changed(identity.difference(from: pinned) ?? "its length changed")
    }
    if let verdict = verdictOnDifference(of: identity, from: pinned) { return verdict }
  }
  // An answer that goes on beyond the asked end begins with what was asked; the rest belongs to other transfers.
  return .range(ByteRange(question.range.lower, min(range.upper, question.range.upper)), identity)
}

private func judgeWhole(_ head: ResponseHead, for question: RangeQuestion) -> Verdict {
  if let reason = reasonNotTheFilesBytes(head) { return .rejected(reason) }

  var total: Int64?
  // RFC 9112 §6.3: with a Transfer-Encoding, Content-Length means nothing.
  if head.values("Transfer-Encoding").isEmpty {
    switch contentLength(of: head) {
    case .absent: break
    case .invalid: return .rejected("its Content-Length is invalid")
    case .bytes(let length): total = length
    }
  }

  let identity = Identity(total: total, validator: Validator(head: head))
  if let pinned = question.pinned {
    if let verdict = verdictOnDifference(of: identity, from: pinned) { return verdict }
  }
  let isKnown = question.pinned != nil || question.total != nil
  if isKnown && question.asksRange { return .rangeIgnored(identity) }
  return total == 0 ? .empty(identity) : .whole(identity)
}

/// RFC 9110 §15.4: without one clear Location there is nowhere to go.
private func judgeRedirect(_ head: ResponseHead) -> Verdict {
  guard let location = head.value("Location"), !location.isEmpty else {
    return .rejected("it redirects (\(head.status)) without exactly one Location")
  }
  return .redirect
}

/// RFC 9110 §15.5.17. Whether a 416 means "complete", "changed" or "broken" depends on what is on disk: the engine's
/// question, except for an empty file, which no range can be asked of.
private func judgeUnsatisfiable(_ head: ResponseHead, for question: RangeQuestion) -> Verdict {
  let answer = head.value("Content-Range").flatMap { ContentRange(parsing: $0) }
  let total = answer?.range == nil ? answer?.total : nil
  if total == 0, question.isOpen, question.asksRange, question.range.lower == 0, question.pinned == nil {
    return .empty(Identity(total: 0, validator: Validator(head: head)))
  }
  return .unsatisfiable(total: total)
}

private func retryAfter(of head: ResponseHead, now: Int64) -> Int64? {
  head.value("Retry-After").flatMap {
    RetryAfter.seconds(parsing: $0, date: head.value("Date"), now: now)
  }
}

/// Why the body would be something other than the file's own bytes, if so.
private func reasonNotTheFilesBytes(_ head: ResponseHead) -> String? {
  // We ask for `identity`; ranges of a coded body are ranges of other bytes (RFC 9110 §8.4, §12.5.3).
  for coding in head.values("Content-Encoding").flatMap(listMembers)
  where !coding.isEmpty && !equalIgnoringCase(coding, "identity") {
    return "it is encoded (\(quoted(coding))), though that was not asked for"
  }
  // libcurl undoes `chunked` and, unless told to, nothing else (RFC 9112 §7).
  for coding in head.values("Transfer-Encoding").flatMap(listMembers)
  where !coding.isEmpty && !equalIgnoringCase(coding, "chunked") && !equalIgnoringCase(coding, "identity") {
    return "its transfer coding \(quoted(coding)) was not asked for"
  }
  // RFC 9110 §15.3.7.2 forbids it in answer to a single range; its part headers are not the file's bytes.
  for type in head.values("Content-Type") {
    let essence = Substring(type.utf8.prefix { $0 != UInt8(ascii: ";") })
    if equalIgnoringCase(trimmed(essence), "multipart/byteranges") { return "it is a multipart/byteranges body" }
  }
  return nil
}

/// What follows when the answer does not speak of the pinned bytes; nil when it may.
private func verdictOnDifference(of identity: Identity, from pinned: Identity) -> Verdict? {
  // An answer with no validator at all is far more often an error page or another host than a new version of the
  // file: no reason to throw away what is there, and none to write its bytes.
  if identity.validator == .none, pinned.validator.strength != .none {
    return .rejected("it has neither ETag nor Last-Modified, unlike the answers before it")
  }
  return identity.difference(from: pinned).map { .changed($0) }
}

/// A server's words, short and harmless enough for an error message.
private func quoted(_ text: String) -> String {
  let limit = 80
  let start = text.unicodeScalars.prefix(limit)
  return "\"" + printable(String(start)) + (start.endIndex < text.unicodeScalars.endIndex ? "…" : "") + "\""
}
