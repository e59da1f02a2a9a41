import SheafCore
import Testing

private let tag = Validator.strongTag("\"v1\"")
private let modified = "Sun, 06 Nov 1994 08:49:37 GMT"
private let later = "Date: Sun, 06 Nov 1994 08:50:00 GMT"
private let pinned = Identity(total: 1000, validator: tag)

/// Bytes 100 to 199 of a file of 1000 that is known.
private let middle = RangeQuestion(range: ByteRange(100, 200), pinned: pinned)
/// The first request of a fresh download.
private let open = RangeQuestion(range: ByteRange(0, 4096), isOpen: true)
/// The whole file, nothing known.
private let plain = RangeQuestion(range: ByteRange(0, 0), isOpen: true, asksRange: false)
/// The whole file again, after ranges turned out to be of no use.
private let plainPinned = RangeQuestion(range: ByteRange(0, 1000), pinned: pinned, asksRange: false)

private func with(_ identity: Identity?, _ question: RangeQuestion = middle) -> RangeQuestion {
  var result = question
  result.pinned = identity
  return result
}

/// A 206 to `middle` that is right but for `lines`.
private func part(_ contentRange: String?, _ lines: String...) -> ResponseHead {
  var answer = head(206, "ETag: \"v1\"")
  if let contentRange { answer.fields.append(.init(name: "Content-Range", value: contentRange)) }
  for line in lines { answer.fields += head(206, line).fields }
  return answer
}

/// A verdict without its wording.
private enum Kind: String {
  case range, whole, empty, unchanged, redirect, changed, rangeIgnored, unsatisfiable, refused, rejected

  init(_ verdict: Verdict) {
    self =
      switch verdict {
      case .range: .range
      case .whole: .whole
      case .empty: .empty
      case .unchanged: .unchanged
      case .redirect: .redirect
      case .changed: .changed
      case .rangeIgnored: .rangeIgnored
      case .unsatisfiable: .unsatisfiable
      case .refused: .refused
      case .rejected: .rejected
      }
  }
}

struct ResponseCheckTests {
  private func kind(_ head: ResponseHead, _ question: RangeQuestion) -> Kind {
    Kind(judge(head, for: question, now: 0))
  }

  // MARK: 206

  @Test(
    "accepts a part that is what was asked, or its beginning, or more",
    arguments: [
      (part("bytes 100-199/1000"), ByteRange(100, 200)),
      (part("bytes 100-199/1000", "Content-Length: 100"), ByteRange(100, 200)),
      (part("Bytes 100-199/1000", "Content-Length: 100", "Content-Length: 100"), ByteRange(100, 200)),
      (part("bytes 100-199/1000", "Content-Encoding: identity"), ByteRange(100, 200)),
      (part("bytes 100-199/1000", "Content-Encoding:"), ByteRange(100, 200)),
      (part("bytes 100-199/1000", "Content-Type: multipart/related; boundary=x"), ByteRange(100, 200)),
      (part("bytes 100-199/1000", "Transfer-Encoding: chunked"), ByteRange(100, 200)),
      (part("bytes 100-199/1000", "Transfer-Encoding: chunked", "Content-Length: 100"), ByteRange(100, 200)),
      (part("bytes 100-199/*"), ByteRange(100, 200)),
      // Shorter.
      (part("bytes 100-149/1000", "Content-Length: 50"), ByteRange(100, 150)),
      (part("bytes 100-100/1000"), ByteRange(100, 101)),
      // Longer, to the end of the file: cut.
      (part("bytes 100-200/1000", "Content-Length: 101"), ByteRange(100, 200)),
      (part("bytes 100-999/1000", "Content-Length: 900"), ByteRange(100, 200)),
      (part("bytes 100-999/*"), ByteRange(100, 200)),
    ])
  func usableParts(head: ResponseHead, range: ByteRange) {
    #expect(judge(head, for: middle, now: 0) == .range(range, pinned))
  }

  @Test(
    "rejects a part that cannot be placed with certainty",
    arguments: [
      part(nil), part("bytes */1000"), part("bytes 0-99/1000"), part("bytes 0-999/1000", "Content-Length: 1000"),
      part("bytes 99-199/1000"), part("bytes 101-199/1000"), part("bytes 200-299/1000"), part("bytes 99-149/1000"),
      part("bytes 100-1000/*"), part("bytes 100-199/1000", "Content-Range: bytes 100-199/1000"),
      part("bytes 100-199/1000", "content-range: bytes 0-99/1000"),
    ])
  func misplacedParts(head: ResponseHead) {
    #expect(kind(head, middle) == .rejected)
  }

  @Test("rejects the malformed set, also when all else is right", arguments: malformedContentRanges)
  func malformedContentRange(text: String) {
    let question = RangeQuestion(range: ByteRange(0, 100), pinned: pinned)
    #expect(kind(part(text), question) == .rejected)
    #expect(kind(part(text), open) == .rejected)
  }

  @Test(
    "rejects a part whose length contradicts its Content-Range",
    arguments: [
      "Content-Length: 99", "Content-Length: 101", "Content-Length: 0", "Content-Length: 1000", "Content-Length: -100",
      "Content-Length: 100, 101", "Content-Length: x", "Content-Length: 18446744073709551716", "Content-Length:",
    ])
  func partLengths(line: String) {
    #expect(kind(part("bytes 100-199/1000", line), middle) == .rejected)
    #expect(kind(part("bytes 100-199/1000", line, "Transfer-Encoding: chunked"), middle) == .rejected)
  }

  @Test(
    "rejects a body that is not the file's own bytes, whatever the status",
    arguments: [
      "Content-Encoding: gzip", "content-encoding: br", "Content-Encoding: identity, gzip", "Content-Encoding: GZIP",
      "Content-Encoding: aws-chunked", "Content-Type: multipart/byteranges; boundary=x",
      "Content-Type: Multipart/ByteRanges", "Content-Type: multipart/byteranges ; boundary=x",
      "Transfer-Encoding: gzip, chunked", "Transfer-Encoding: gzip",
    ])
  func codings(line: String) {
    #expect(kind(part("bytes 100-199/1000", line), middle) == .rejected)
    #expect(kind(head(200, "ETag: \"v1\"", "Content-Length: 1000", line), middle) == .rejected)
    #expect(kind(head(200, "Content-Length: 1000", line), open) == .rejected)
    #expect(kind(head(200, "Content-Length: 1000", line), plain) == .rejected)
  }

  @Test("rejects a part in answer to a request for the whole")
  func uninvitedPart() {
    #expect(kind(part("bytes 0-999/1000"), plain) == .rejected)
    #expect(kind(part("bytes 0-999/1000"), plainPinned) == .rejected)
  }

  @Test(
    "learns the total from the first part",
    arguments: [
      (part("bytes 0-4095/8192"), .range(ByteRange(0, 4096), Identity(total: 8192, validator: tag))),
      (part("bytes 0-999/1000", "Content-Length: 1000"), .range(ByteRange(0, 1000), pinned)),
      (part("bytes 0-0/1"), .range(ByteRange(0, 1), Identity(total: 1, validator: tag))),
      (part("bytes 0-8191/8192"), .range(ByteRange(0, 4096), Identity(total: 8192, validator: tag))),
      (
        part("bytes 0-4095/9223372036854775807"),
        .range(ByteRange(0, 4096), Identity(total: .max, validator: tag))
      ),
      (
        head(206, "Content-Range: bytes 0-99/1000"),
        .range(ByteRange(0, 100), Identity(total: 1000, validator: .none))
      ),
      (
        head(206, "Content-Range: bytes 0-99/1000", "Last-Modified: \(modified)", later),
        .range(ByteRange(0, 100), Identity(total: 1000, validator: .strongDate(modified)))
      ),
    ] as [(ResponseHead, Verdict)])
  func firstPart(head: ResponseHead, verdict: Verdict) {
    #expect(judge(head, for: open, now: 0) == verdict)
  }

  @Test("rejects a total of * while none is known")
  func unknownTotal() {
    #expect(kind(part("bytes 0-4095/*"), open) == .rejected)
    #expect(kind(part("bytes 100-199/*"), with(Identity(total: nil, validator: tag))) == .rejected)
    #expect(kind(part("bytes 100-199/*"), with(nil)) == .rejected)
  }

  // MARK: Identity

  @Test(
    "notices that a part belongs to other bytes",
    arguments: [
      (part("bytes 100-199/1001"), pinned, "its length changed from 1000 to 1001 bytes"),
      (part("bytes 100-199/500"), pinned, "its length changed from 1000 to 500 bytes"),
      (head(206, "Content-Range: bytes 100-199/999"), pinned, "its length changed from 1000 to 999 bytes"),
      (head(206, "Content-Range: bytes 100-199/1000", "ETag: \"v2\""), pinned, "its ETag changed"),
      (head(206, "Content-Range: bytes 100-199/*", "ETag: \"v2\""), pinned, "its ETag changed"),
      (head(206, "Content-Range: bytes 100-199/1000", "ETag: W/\"v1\""), pinned, "its ETag changed"),
      (head(206, "Content-Range: bytes 100-199/1000", "Last-Modified: \(modified)"), pinned, "its ETag is gone"),
      (
        head(206, "Content-Range: bytes 100-199/1000", "Last-Modified: \(modified)"),
        Identity(total: 1000, validator: .strongDate("Sun, 06 Nov 1994 08:00:00 GMT")), "its Last-Modified changed"
      ),
      (
        head(206, "Content-Range: bytes 100-199/1000", "ETag: W/\"b\""),
        Identity(total: 1000, validator: .weak(tag: "W/\"a\"", date: nil)), "its ETag changed"
      ),
      (
        part("bytes 100-199/1000"), Identity(total: 1000, validator: .none),
        "it has an ETag now and had none before"
      ),
    ] as [(ResponseHead, Identity, String)])
  func changedParts(head: ResponseHead, identity: Identity, sentence: String) {
    #expect(judge(head, for: with(identity), now: 0) == .changed(sentence))
  }

  @Test(
    "accepts a part whose validator agrees with the pinned one",
    arguments: [
      (head(206, "Content-Range: bytes 100-199/1000"), .none),
      // The Date of this answer makes the same Last-Modified weak.
      (head(206, "Content-Range: bytes 100-199/1000", "Last-Modified: \(modified)"), .strongDate(modified)),
      (
        head(206, "Content-Range: bytes 100-199/1000", "Last-Modified: \(modified)", later),
        .weak(tag: nil, date: modified)
      ),
      (head(206, "Content-Range: bytes 100-199/1000", "ETag: W/\"a\""), .weak(tag: "W/\"a\"", date: nil)),
      (head(206, "Content-Range: bytes 100-199/1000", "ETag: \"v1\"", "Last-Modified: whenever"), tag),
    ] as [(ResponseHead, Validator)])
  func agreeingParts(head: ResponseHead, validator: Validator) {
    #expect(kind(head, with(Identity(total: 1000, validator: validator))) == .range)
  }

  @Test(
    "rejects, rather than believes in a change, an answer that has lost every validator",
    arguments: [tag, .strongDate(modified), .weak(tag: "W/\"a\"", date: nil), .weak(tag: nil, date: modified)]
      as [Validator])
  func lostValidator(validator: Validator) {
    let question = with(Identity(total: 1000, validator: validator))
    #expect(kind(head(206, "Content-Range: bytes 100-199/1000"), question) == .rejected)
    // An error page.
    #expect(kind(head(200, "Content-Type: text/html", "Content-Length: 635"), question) == .rejected)
    #expect(kind(head(200, "Content-Length: 1000"), question) == .rejected)
  }

  @Test(
    "a part that begins early, to be compared, must begin there and bring something new",
    arguments: [
      ("90-199", .range(ByteRange(100, 200), pinned)), ("90-150", .range(ByteRange(100, 151), pinned)),
      ("100-199", .rejected("it begins at byte 100 instead of 90")),
      ("89-199", .rejected("it begins at byte 89 instead of 90")),
      ("90-99", .rejected("it ends at byte 100, before what was asked for")),
    ] as [(String, Verdict)])
  func seam(range: String, verdict: Verdict) {
    let question = RangeQuestion(range: ByteRange(100, 200), seam: 10, pinned: pinned)
    #expect(judge(head(206, "Content-Range: bytes \(range)/1000", "ETag: \"v1\""), for: question, now: 0) == verdict)
  }

  // MARK: 200

  @Test(
    "takes a whole file, with or without a length",
    arguments: [
      (head(200, "Content-Length: 1000", "ETag: \"v1\""), .whole(pinned)),
      (head(200, "Content-Length: 1000"), .whole(Identity(total: 1000, validator: .none))),
      (head(200, "ETag: \"v1\""), .whole(Identity(total: nil, validator: tag))),
      (head(200, "Transfer-Encoding: chunked"), .whole(Identity(total: nil, validator: .none))),
      (head(200, "Transfer-Encoding: chunked", "Content-Length: 1000"), .whole(Identity(total: nil, validator: .none))),
      (head(200, "Transfer-Encoding: chunked", "Content-Length: x"), .whole(Identity(total: nil, validator: .none))),
      (
        head(200, "Content-Length: 1000", "Content-Range: bytes=0-999/1000"),
        .whole(Identity(total: 1000, validator: .none))
      ),
      (
        head(200, "Content-Length: 1000", "Content-Encoding: identity"), .whole(Identity(total: 1000, validator: .none))
      ),
      (head(200, "Content-Length: 9223372036854775807"), .whole(Identity(total: .max, validator: .none))),
      (head(200, "Content-Length: 0"), .empty(Identity(total: 0, validator: .none))),
      (head(200, "Content-Length: 0", "ETag: \"v1\""), .empty(Identity(total: 0, validator: tag))),
    ] as [(ResponseHead, Verdict)])
  func whole(head: ResponseHead, verdict: Verdict) {
    #expect(judge(head, for: open, now: 0) == verdict)
    #expect(judge(head, for: plain, now: 0) == verdict)
  }

  @Test(
    "rejects a whole file with an invalid length",
    arguments: ["-1", "x", "", "1, 2", "18446744073709551616", "9223372036854775808", "1e3"])
  func invalidLength(value: String) {
    for question in [open, plain, middle, plainPinned] {
      #expect(kind(head(200, "ETag: \"v1\"", "Content-Length: \(value)"), question) == .rejected)
    }
  }

  @Test(
    "tells an ignored range from a changed file",
    arguments: [
      (head(200, "ETag: \"v1\"", "Content-Length: 1000"), .rangeIgnored(pinned)),
      (head(200, "ETag: \"v1\"", "Transfer-Encoding: chunked"), .rangeIgnored(Identity(total: nil, validator: tag))),
      (head(200, "ETag: \"v1\""), .rangeIgnored(Identity(total: nil, validator: tag))),
      (head(200, "ETag: \"v2\"", "Content-Length: 1000"), .changed("its ETag changed")),
      (head(200, "ETag: \"v2\"", "Transfer-Encoding: chunked"), .changed("its ETag changed")),
      (head(200, "ETag: \"v1\"", "Content-Length: 999"), .changed("its length changed from 1000 to 999 bytes")),
      (head(200, "ETag: \"v1\"", "Content-Length: 0"), .changed("its length changed from 1000 to 0 bytes")),
    ] as [(ResponseHead, Verdict)])
  func ignored(head: ResponseHead, verdict: Verdict) {
    #expect(judge(head, for: middle, now: 0) == verdict)
  }

  @Test("takes the whole of the pinned file when it asked for that")
  func wholePinned() {
    let same = head(200, "ETag: \"v1\"", "Content-Length: 1000")
    #expect(judge(same, for: plainPinned, now: 0) == .whole(pinned))
    let other = head(200, "ETag: \"v2\"", "Content-Length: 1000")
    #expect(judge(other, for: plainPinned, now: 0) == .changed("its ETag changed"))
  }

  // MARK: 416, 412, 304, redirects and the rest

  @Test(
    "tells an empty file from a range that is not there",
    arguments: [
      (head(416, "Content-Range: bytes */0"), open, .empty(Identity(total: 0, validator: .none))),
      (head(416, "Content-Range: bytes */0", "ETag: \"v1\""), open, .empty(Identity(total: 0, validator: tag))),
      (head(416, "Content-Range: bytes */0"), middle, .unsatisfiable(total: 0)),
      (head(416, "Content-Range: bytes */0"), plain, .unsatisfiable(total: 0)),
      (head(416, "Content-Range: bytes */1000"), open, .unsatisfiable(total: 1000)),
      (head(416, "Content-Range: bytes */1000"), middle, .unsatisfiable(total: 1000)),
      (head(416, "Content-Range: bytes */500"), middle, .unsatisfiable(total: 500)),
      (head(416), middle, .unsatisfiable(total: nil)),
      (head(416, "Content-Range: bytes */*"), middle, .unsatisfiable(total: nil)),
      (head(416, "Content-Range: bytes 0-99/1000"), middle, .unsatisfiable(total: nil)),
      (head(416, "Content-Range: bytes */0", "Content-Range: bytes */0"), open, .unsatisfiable(total: nil)),
    ] as [(ResponseHead, RangeQuestion, Verdict)])
  func unsatisfiable(head: ResponseHead, question: RangeQuestion, verdict: Verdict) {
    #expect(judge(head, for: question, now: 0) == verdict)
  }

  @Test("takes 412 as a change only of something pinned")
  func preconditionFailed() {
    #expect(kind(head(412), middle) == .changed)
    #expect(judge(head(412), for: open, now: 0) == .refused(status: 412, retryAfter: nil))
  }

  @Test("takes 304 for what it is")
  func notModified() {
    #expect(judge(head(304, "ETag: \"v1\""), for: plainPinned, now: 0) == .unchanged)
  }

  @Test("follows a redirect with exactly one Location", arguments: [301, 302, 303, 307, 308])
  func redirects(status: Int) {
    #expect(judge(head(status, "Location: /x"), for: open, now: 0) == .redirect)
    #expect(judge(head(status, "Location: /x"), for: middle, now: 0) == .redirect)
    #expect(kind(head(status), open) == .rejected)
    #expect(kind(head(status, "Location:"), open) == .rejected)
    #expect(kind(head(status, "Location: /x", "location: /y"), open) == .rejected)
  }

  @Test(
    "refuses every other status",
    arguments: [
      201, 202, 203, 204, 205, 207, 226, 300, 305, 306, 400, 401, 403, 404, 407, 408, 410, 425, 429, 451, 500, 501, 502,
      503, 504, 511, 600, 999,
    ])
  func others(status: Int) {
    let answer = head(status, "Content-Range: bytes 100-199/1000", "ETag: \"v1\"", "Location: /x")
    for question in [open, plain, middle, plainPinned] {
      #expect(judge(answer, for: question, now: 0) == .refused(status: status, retryAfter: nil))
    }
  }

  @Test(
    "passes Retry-After on",
    arguments: [
      (["Retry-After: 2"], 2), (["Retry-After: 1000000000"], 300), (["Retry-After: soon"], nil),
      (["Retry-After: 2", "Retry-After: 3"], nil),
      (["Retry-After: Sun, 06 Nov 1994 08:50:30 GMT", later], 30), (["Retry-After: \(modified)", later], 0),
      (["Retry-After: Sun, 06 Nov 1994 08:50:30 GMT"], 20),
    ] as [([String], Int64?)])
  func retryAfter(lines: [String], seconds: Int64?) {
    let answer = ResponseHead(status: 503, fields: lines.flatMap { head(503, $0).fields })
    #expect(judge(answer, for: middle, now: 784_111_810) == .refused(status: 503, retryAfter: seconds))
  }

  @Test("quotes a server's words short and harmless")
  func wording() {
    let hostile = "bytes \u{1B}[2J\u{202E}" + String(repeating: "9", count: 1000)
    guard case .rejected(let reason) = judge(part(hostile), for: middle, now: 0) else {
      Issue.record("accepted")
      return
    }
    #expect(!reason.unicodeScalars.contains(where: isUnprintable))
    #expect(reason.count < 200)
  }

  @Test("never lets a random answer out of the asked range")
  func randomAnswers() {
    var numbers = SeededNumbers(seed: 206)
    let lines = [
      "ETag: \"v1\"", "ETag: \"v2\"", "ETag: W/\"v1\"", "Content-Length: 100", "Content-Length: 1000",
      "Content-Length: x",
      "Transfer-Encoding: chunked", "Content-Encoding: gzip", "Content-Range: bytes 100-199/1000",
      "Content-Range: bytes 0-99/1000", "Content-Range: bytes 100-999/1000", "Content-Range: bytes 100-120/1000",
      "Content-Range: bytes 0-9/*", "Content-Range: bytes */0", "Content-Range: bytes 100-199/999",
      "Last-Modified: \(modified)", later, "Location: /", "Content-Type: multipart/byteranges",
    ]
    let statuses = [200, 206, 206, 206, 206, 416]
    for _ in 0..<20_000 {
      var answer = ResponseHead(status: statuses.randomElement(using: &numbers) ?? 206)
      for line in lines where Int.random(in: 0..<6, using: &numbers) == 0 { answer.fields += head(0, line).fields }
      for question in [middle, open, plain, plainPinned] {
        switch judge(answer, for: question, now: 0) {
        case .range(let range, let identity):
          #expect(answer.status == 206 && question.asksRange)
          #expect(question.range.contains(range) && range.lower == question.range.lower && !range.isEmpty)
          #expect(identity.total != nil)
          #expect(question.pinned == nil || identity == question.pinned)
        case .whole(let identity), .rangeIgnored(let identity):
          #expect(answer.status == 200)
          if let pinned = question.pinned { #expect(identity.difference(from: pinned) == nil) }
        default: break
        }
      }
    }
  }
}
