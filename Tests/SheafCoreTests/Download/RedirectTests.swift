import SheafCore
import Testing

@Suite("RedirectPolicy")
struct RedirectPolicyTests {
  struct Hop: Sendable {
    var from: String
    var to: String
    var hops = 1
    var isAllowed: Bool
  }

  @Test(
    "follows twenty hops, over http and https, and never down",
    arguments: [
      Hop(from: "http", to: "http", isAllowed: true),
      Hop(from: "http", to: "https", isAllowed: true),
      Hop(from: "https", to: "https", isAllowed: true),
      Hop(from: "https", to: "http", isAllowed: false),
      Hop(from: "https", to: "ftp", isAllowed: false),
      Hop(from: "http", to: "file", isAllowed: false),
      Hop(from: "http", to: "HTTPS", isAllowed: false),
      Hop(from: "http", to: "http", hops: 20, isAllowed: true),
      Hop(from: "http", to: "http", hops: 21, isAllowed: false),
    ])
  func hops(_ hop: Hop) {
    let refusal = RedirectPolicy.refusal(from: .at(hop.from, "a"), to: .at(hop.to, "b"), hops: hop.hops)
    #expect((refusal == nil) == hop.isAllowed)
  }

  @Test("goes down where that is allowed, and nowhere else")
  func downgrade() {
    let refusal = { RedirectPolicy.refusal(from: .at("https", "a"), to: .at($0, "b"), hops: 1, allowsDowngrade: true) }
    #expect(refusal("http") == nil)
    #expect(refusal("ftp")?.kind == .redirects)
    #expect(refusal("file")?.kind == .redirects)
  }

  @Test("does not repeat a scheme that could move a cursor")
  func printableRefusal() {
    let refusal = RedirectPolicy.refusal(from: .original, to: .at("x\u{1B}[2J", "b"), hops: 1)
    #expect(refusal?.message.contains("\u{1B}") == false)
  }
}

@Suite("DownloadMachine: redirects")
struct RedirectTests {
  private let total = 400 * mebibyte

  @Test("the first request goes on where it is sent, and so do all others")
  func follows() {
    var story = Story(.init(connections: 3))
    story.begin()
    story.redirect(story.latest, to: .mirror)
    #expect(story.lastRequests.map(\.location) == [.mirror])
    #expect(story.lastRequests.map(\.question.isOpen) == [true])
    story.accept(story.latest, .strong(total))
    #expect(story.lastRequests.map(\.location) == [.mirror, .mirror])
    story.fetchAllAndPublish(.strong(total))
    #expect(story.outcome == .finish)
  }

  @Test("twenty in a row are followed, one more is the end", arguments: [false, true])
  func bounded(_ isResumed: Bool) {
    var story = Story(resumed: isResumed ? .init(.strong(total), total: total, present: [0]) : nil)
    story.begin()
    for hop in 1...20 {
      story.redirect(story.latest, to: .at("https", "mirror\(hop).example"))
      #expect(story.outcome == nil)
      #expect(story.machine.activeTransfers == 1)
    }
    var settled = story
    settled.accept(settled.latest, .strong(total))
    settled.fetchAllAndPublish(.strong(total))
    settled.happen { $0.audited(now: $1) }
    settled.seal()
    settled.publish()
    #expect(settled.outcome == .finish)

    story.redirect(story.latest, to: .mirror)
    #expect(story.failure?.kind == .redirects)
    #expect(story.transfers.isEmpty)
  }

  @Test("from https to http or elsewhere is refused", arguments: ["http", "ftp", "file"])
  func refused(_ scheme: String) {
    var story = Story()
    story.begin()
    story.redirect(story.latest, to: .at(scheme, "origin.example"))
    #expect(story.failure?.kind == .redirects)
  }

  @Test("without a usable target is the end before any answer")
  func noTarget() {
    var story = Story()
    story.begin()
    story.happen { $0.answered($0.activeTransfers == 1 ? TransferID(1) : TransferID(0), .redirect, now: $1) }
    #expect(story.last.isEmpty)
    story.fail(story.latest, .malformed)
    #expect(story.failure?.kind == .badResponse)
  }

  @Test(
    "private fields go to the original origin and nowhere else",
    arguments: [
      (Location.at("https", "origin.example", path: "/elsewhere"), true),
      (.at("https", "origin.example", port: 8443), false),
      (.at("https", "www.origin.example"), false),
      (.at("https", "mirror.example"), false),
    ])
  func privateFields(_ target: Location, _ expected: Bool) {
    var story = Story()
    story.begin()
    story.redirect(story.latest, to: target)
    #expect(story.lastRequests.map(\.carriesPrivateFields) == [expected])
    story.accept(story.latest, .strong(total))
    #expect(story.lastRequests.allSatisfy { $0.carriesPrivateFields == expected })
  }

  @Test("private fields do not go from http to https of the same host, and come back with the original")
  func privateFieldsByScheme() {
    let original = Location.at("http", "origin.example")
    var story = Story(at: original)
    story.begin()
    story.redirect(story.latest, to: .at("https", "origin.example"))
    #expect(story.lastRequests.map(\.carriesPrivateFields) == [false])
    story.answer(story.latest, .refused(status: 403, retryAfter: nil))
    #expect(story.lastRequests.map(\.location) == [original])
    #expect(story.lastRequests.map(\.carriesPrivateFields) == [true])
  }

  @Test("a link that expires is resolved again", arguments: [400, 401, 403, 404, 410])
  func resolvesAgain(_ status: Int) {
    var story = Story(.init(connections: 2))
    story.begin()
    story.redirect(story.latest, to: .mirror)
    story.accept(story.latest, .strong(total))
    let asked = story.lastRequests.first?.question.range
    story.answer(story.latest, .refused(status: status, retryAfter: nil))
    #expect(story.outcome == nil)
    #expect(story.lastRequests.map(\.location) == [.original])
    #expect(story.lastRequests.map(\.question.range) == [asked])
    let fresh = Location.at("https", "mirror.example", path: "/signed?key=2")
    story.redirect(story.latest, to: fresh)
    #expect(story.lastRequests.map(\.location) == [fresh])
    #expect(story.lastRequests.map(\.question.pinned) == [.strong(total)])
    #expect(story.lastRequests.map(\.question.range) == [asked])
    story.fetchAllAndPublish(.strong(total))
    #expect(story.outcome == .finish)
  }

  @Test("the same status from the original is the end")
  func original() {
    var story = Story()
    story.begin()
    story.redirect(story.latest, to: .mirror)
    story.answer(story.latest, .refused(status: 404, retryAfter: nil))
    #expect(story.outcome == nil)
    story.answer(story.latest, .refused(status: 404, retryAfter: nil))
    #expect(story.failure?.kind == .notFound)
  }

  @Test("a link that never works is not resolved for ever")
  func boundedResolutions() {
    var story = Story()
    story.begin()
    var steps = 0
    while story.outcome == nil, steps < 100 {
      steps += 1
      story.redirect(story.latest, to: .mirror)
      story.answer(story.latest, .refused(status: 403, retryAfter: nil))
    }
    #expect(story.failure?.kind == .authorization)
    #expect(steps == 6)
  }

  @Test("a link that expires under several requests is resolved once, and none of them is the end")
  func expiresUnderSeveral() {
    var story = Story(.init(connections: 8))
    story.begin()
    story.redirect(story.latest, to: .mirror)
    story.accept(story.latest, .strong(total))
    for transfer in story.transfers.dropFirst() {
      story.answer(transfer.id, .refused(status: 404, retryAfter: nil))
      #expect(story.outcome == nil)
      #expect(story.lastRequests.map(\.location) == [.original])
    }
    let fresh = Location.at("https", "mirror.example", path: "/signed?key=2")
    for transfer in story.transfers where !transfer.isAccepted { story.redirect(transfer.id, to: fresh) }
    #expect(story.machine.activeTransfers == 8)
    story.fetchAllAndPublish(.strong(total))
    #expect(story.outcome == .finish)
  }

  @Test("a mirror that bears one connection less is not asked again and again while the others work")
  func connectionTooMany() {
    var story = Story(.init(connections: 2))
    story.begin()
    story.redirect(story.latest, to: .mirror)
    let working = story.latest
    story.accept(working, .strong(total))
    for step in 1...100 {
      story.progress(working, to: Int64(step))
      guard story.machine.activeTransfers == 2 else { break }
      if story.transfers.last?.request.location == .original { story.redirect(story.latest, to: .mirror) }
      story.answer(story.latest, .refused(status: 403, retryAfter: nil))
    }
    #expect(story.outcome == nil)
    #expect(story.machine.activeTransfers == 1)
    #expect(story.all.requests.count < 20)
    story.fetchAllAndPublish(.strong(total))
    #expect(story.outcome == .finish)
  }

  @Test("each is judged from where its request went, not from where the next one would go")
  func judgedFromItsOwnRequest() {
    let original = Location.at("http", "origin.example")
    var story = Story(.init(connections: 3), at: original)
    story.begin()
    story.redirect(story.latest, to: .mirror)
    story.accept(story.latest, .strong(total))
    let (one, other) = (story.transfers[1].id, story.transfers[2].id)
    // The first sends the download back to its original, over http; the second was asked over https.
    story.answer(one, .refused(status: 403, retryAfter: nil))
    #expect(story.lastRequests.map(\.location) == [original])
    var downgraded = story
    downgraded.redirect(other, to: .at("http", "elsewhere.example"))
    #expect(downgraded.failure?.kind == .redirects)

    // And the other way round: the original may still send a request to http after another has gone to https.
    let again = story.latest
    story.redirect(other, to: .at("https", "elsewhere.example"))
    story.redirect(again, to: .at("http", "elsewhere.example"))
    #expect(story.outcome == nil)
  }
}
