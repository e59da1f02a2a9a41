import SheafCore

/// F2. Raw lines through the parser, and what comes out through the judge.
///
/// The first bytes make the question; the rest is what a server sends, cut at line feeds.
func fuzzResponseHead(_ input: Input) {
  var input = input
  let question = question(&input)
  let now = Int64(truncatingIfNeeded: input.number(bytes: 5))
  var parser = HeadParser()
  var head: ResponseHead?
  for line in input.rest.split(separator: 10, omittingEmptySubsequences: false) {
    do throws(HeadParser.Problem) {
      let outcome = try parser.consume(line: line + [10])
      guard case .complete(let complete) = outcome else { continue }
      require(head == nil, "two final heads in one answer")
      head = complete
    } catch {
      var isAgain = false
      do throws(HeadParser.Problem) { _ = try parser.consume(line: []) } catch let again { isAgain = again == error }
      require(isAgain, "a failed parser goes on after \(error)")
      break
    }
  }
  guard let head else { return }
  require((200...999).contains(head.status), "status \(head.status)")
  for field in head.fields {
    require(!field.name.isEmpty, "a field without a name")
    for text in [field.name] + head.values(field.name) {
      require(!text.utf8.contains { $0 == 0 || $0 == 10 || $0 == 13 }, "a line break within a field")
      require(text.utf8.first != 32 && text.utf8.last != 32, "blanks around '\(text)'")
    }
  }
  check(judge(head, for: question, now: now), of: head, for: question)
}

private func question(_ input: inout Input) -> RangeQuestion {
  let flags = input.byte()
  let lower = input.size(upTo: 1 << 62)
  let range = ByteRange(lower, lower + 1 + input.size(upTo: 1 << 61))
  guard flags & 1 == 0 else { return RangeQuestion(range: range, isOpen: true, asksRange: flags & 2 == 0) }
  let validator: Validator =
    switch flags >> 2 & 3 {
    case 0: .strongTag("\"a\"")
    case 1: .strongDate("Sun, 06 Nov 1994 08:49:37 GMT")
    case 2: .weak(tag: "W/\"a\"", date: nil)
    default: .none
    }
  let total = flags & 16 == 0 ? range.upper + input.size(upTo: 1 << 60) : nil
  return RangeQuestion(
    range: range, pinned: Identity(total: total, validator: validator), asksRange: flags & 2 == 0)
}

/// What must hold of an answer whose body would be written or that would end the download.
private func check(_ verdict: Verdict, of head: ResponseHead, for question: RangeQuestion) {
  switch verdict {
  case .range(let range, let identity):
    require(head.status == 206 && question.asksRange, "\(head.status) accepted as a range")
    require(
      question.range.contains(range) && range.lower == question.range.lower && !range.isEmpty, "\(range) accepted")
    guard let total = identity.total else { complain("a range without a total") }
    require(range.upper <= total, "\(range) of \(total)")
    let fields = head.fields.filter { $0.name.lowercased() == "content-range" }
    require(fields.count == 1, "\(fields.count) Content-Range fields accepted")
    for name in ["content-length", "content-encoding", "transfer-encoding"] {
      let values = head.fields.filter { $0.name.lowercased() == name }.map(\.value)
      let mayBe: (Substring) -> Bool =
        switch name {
        case "content-length": { !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } }
        case "content-encoding": { $0.isEmpty || $0.lowercased() == "identity" }
        default: { $0.isEmpty || ["identity", "chunked"].contains($0.lowercased()) }
        }
      for member in values.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
        require(mayBe(withoutBlanks(member)), "\(name) '\(member)' accepted")
      }
    }
    checkPinned(identity, question)
  case .whole(let identity):
    require(head.status == 200 && identity.total != 0, "\(head.status) accepted as whole")
    require(!question.asksRange || question.pinned == nil, "a whole file in answer to a range of a known one")
    checkPinned(identity, question)
  case .rangeIgnored(let identity):
    require(head.status == 200 && question.asksRange && question.pinned != nil, "\(head.status) ignores a range")
    checkPinned(identity, question)
  case .empty(let identity):
    require(identity.total == 0, "empty with \(String(describing: identity.total)) bytes")
    require(head.status == 200 || head.status == 416, "\(head.status) accepted as empty")
    checkPinned(identity, question)
  case .redirect: require((300...308).contains(head.status), "\(head.status) redirects")
  case .unchanged: require(head.status == 304, "\(head.status) means unchanged")
  case .unsatisfiable(let total):
    require(head.status == 416 && total ?? 0 >= 0, "\(head.status) for an unsatisfiable range")
  case .refused(let status, let retryAfter):
    require(status == head.status && (0...RetryAfter.longest).contains(retryAfter ?? 0), "waits \(retryAfter ?? 0)")
  case .changed(let reason), .rejected(let reason):
    require(!reason.isEmpty && reason.utf8.count < 1000, "a reason of \(reason.utf8.count) bytes")
    require(!reason.unicodeScalars.contains(where: isUnprintable), "an unprintable reason")
  }
}

private func checkPinned(_ identity: Identity, _ question: RangeQuestion) {
  guard let pinned = question.pinned else { return }
  if let known = pinned.total, let total = identity.total {
    require(known == total, "\(total) bytes instead of \(known)")
  }
  require(identity.difference(from: pinned) == nil, "another identity accepted")
  if case .strongTag(let tag) = pinned.validator {
    require(identity.validator == .strongTag(tag), "\(identity.validator) accepted for \(tag)")
  }
}

private func withoutBlanks(_ text: Substring) -> Substring {
  var text = text
  while let first = text.utf8.first, first == 32 || first == 9 { text = text.unicodeScalars.dropFirst()[...].text }
  while let last = text.utf8.last, last == 32 || last == 9 { text = text.unicodeScalars.dropLast()[...].text }
  return text
}

extension Substring.UnicodeScalarView {
  fileprivate var text: Substring { Substring(self) }
}
