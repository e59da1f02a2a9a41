import TestSupport
import Testing

/// The origin is what other tests believe, so it is tested itself, with a client that shares no code with Sheaf.
@Suite(.timeLimit(.minutes(1)))
struct OriginTests {
  let entity = Entity(seed: 7, size: 100_000)

  // MARK: Right answers

  @Test(
    "answers a range with those bytes and their place",
    arguments: [
      ("0-0", 0..<1), ("0-99", 0..<100), ("4090-4110", 4090..<4111), ("99999-", 99_999..<100_000),
      ("50000-999999999", 50_000..<100_000), ("-5", 99_995..<100_000), ("-200000", 0..<100_000),
      ("7-99999999999999999999", 7..<100_000),
    ] as [(String, Range<Int64>)])
  func ranges(asked: String, range: Range<Int64>) throws {
    let origin = try Origin(entity: entity)
    let response = try PlainClient(origin).range(asked)
    #expect(response.status == 206)
    #expect(response["Content-Range"] == "bytes \(range.lowerBound)-\(range.upperBound - 1)/100000")
    #expect(response["Content-Length"] == "\(range.count)")
    #expect(response.body == entity.bytes(in: range))
  }

  @Test("ignores a Range header it cannot read", arguments: ["5-4", "-", "a-b", "1-2,4-5", "1", "+1-2", "1-2-3"])
  func unreadableRanges(asked: String) throws {
    let origin = try Origin(entity: entity)
    let response = try PlainClient(origin).range(asked)
    #expect(response.status == 200)
    #expect(response.body.count == 100_000)
  }

  @Test("refuses a range beyond the end and says the size", arguments: ["100000-", "100000-100001", "-0"])
  func unsatisfiable(asked: String) throws {
    let origin = try Origin(entity: entity)
    let response = try PlainClient(origin).range(asked)
    #expect(response.status == 416)
    #expect(response["Content-Range"] == "bytes */100000")
  }

  @Test("serves an empty file, and no range of it")
  func empty() throws {
    let origin = try Origin(entity: Entity(seed: 1, size: 0))
    let client = try PlainClient(origin)
    #expect(client.get().status == 200)
    #expect(client.range("0-0").status == 416)
  }

  @Test("answers HEAD with the head of GET and nothing after it")
  func head() throws {
    let origin = try Origin(entity: entity)
    let client = try PlainClient(origin)
    let head = client.get(method: "HEAD")
    #expect(head.status == 200)
    #expect(head["Content-Length"] == "100000")
    #expect(client.range("0-3").body.count == 4, "the connection must still be in step")
    #expect(client.get(method: "DELETE").status == 405)
    #expect(client.get(path: "/nothing").status == 404)
  }

  @Test("keeps a connection for many requests, and closes it when asked to")
  func keepAlive() throws {
    let origin = try Origin(entity: entity)
    let client = try PlainClient(origin)
    for index in 0..<20 { #expect(client.range("\(index * 10)-\(index * 10 + 9)").body.count == 10) }
    #expect(origin.log.connectionsAccepted == 1)
    let last = client.get(["Connection": "close"])
    #expect(last["Connection"] == "close")
    #expect(last.body == entity.bytes(in: 0..<entity.size))
    #expect(client.isAtEnd())
  }

  @Test("serves each path its own entity")
  func paths() throws {
    let origin = try Origin(entity: entity)
    let other = Entity(seed: 8, size: 10)
    origin.serve(other, at: "/other")
    let client = try PlainClient(origin)
    #expect(client.get(path: "/other?query").body == other.bytes(in: 0..<10))
    #expect(client.get(path: "http://somewhere/other").body.count == 10)
    #expect(client.get().body.count == 100_000)
  }

  // MARK: Conditions

  @Test("honours If-Range only for the very same strong ETag")
  func ifRangeETag() throws {
    let origin = try Origin(entity: entity)
    let client = try PlainClient(origin)
    let etag = try #require(client.range("0-0")["ETag"])
    #expect(client.range("0-9", ["If-Range": etag]).status == 206)
    #expect(client.range("0-9", ["If-Range": "\"other\""]).status == 200)
    #expect(client.range("0-9", ["If-Range": "W/\(etag)"]).status == 200)
    origin.serve(entity, behaviour: .correct.weakETag())
    #expect(client.range("0-9", ["If-Range": "W/\(etag)"]).status == 200)
  }

  @Test("honours If-Range for the very same date")
  func ifRangeDate() throws {
    let origin = try Origin(entity: entity, behaviour: .correct.lastModifiedOnly(784_111_777))
    let client = try PlainClient(origin)
    let answer = client.range("0-9", ["If-Range": "Sun, 06 Nov 1994 08:49:37 GMT"])
    #expect(answer.status == 206)
    #expect(answer["ETag"] == nil)
    #expect(answer["Last-Modified"] == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(answer["Date"] == "Mon, 07 Nov 1994 08:49:37 GMT")
    #expect(client.range("0-9", ["If-Range": "Sun, 06 Nov 1994 08:49:38 GMT"]).status == 200)
  }

  @Test("answers 304 and 412 to the conditions that ask for them")
  func conditions() throws {
    let origin = try Origin(entity: entity)
    let client = try PlainClient(origin)
    let etag = Representation.etag(of: entity)
    #expect(client.get(["If-None-Match": "\"a\", W/\(etag)"]).status == 304)
    #expect(client.get(["If-None-Match": "\"a\""]).status == 200)
    #expect(client.range("0-0", ["If-Match": etag]).status == 206)
    #expect(client.range("0-0", ["If-Match": "\"a\""]).status == 412)
  }

  @Test(
    "writes and reads the dates of HTTP",
    arguments: [
      (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
      (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"),
    ] as [(Int64, String)])
  func dates(seconds: Int64, text: String) {
    #expect(HTTPDate.text(seconds) == text)
    #expect(HTTPDate.seconds(text) == seconds)
  }

  // MARK: Wrong answers

  @Test("ignores ranges, with and without claiming to have them")
  func ignoresRanges() throws {
    let origin = try Origin(entity: entity, behaviour: .correct.ignoringRanges())
    let client = try PlainClient(origin)
    let silent = client.range("5-9")
    #expect((silent.status, silent.body.count) == (200, 100_000))
    #expect(silent["Accept-Ranges"] == nil)
    origin.serve(entity, behaviour: .correct.ignoringRanges(claimingThem: true, on: .after(1)))
    #expect(client.range("5-9").status == 206)
    let claiming = client.range("5-9")
    #expect(claiming.status == 200)
    #expect(claiming["Accept-Ranges"] == "bytes")
  }

  @Test("mislabels ranges in each of the ways it offers")
  func mislabelledRanges() throws {
    let origin = try Origin(entity: entity)
    let client = try PlainClient(origin)
    func answer(_ behaviour: Behaviour) -> PlainClient.Response {
      origin.serve(entity, behaviour: behaviour)
      return client.range("1000-1999")
    }
    let whole = answer(.correct.answeringWholeFile())
    #expect(whole["Content-Range"] == "bytes 0-99999/100000")
    #expect(whole.body.count == 100_000)
    #expect(answer(.correct.omittingContentRange())["Content-Range"] == nil)
    #expect(answer(.correct.omittingContentRange()).body == entity.bytes(in: 1000..<2000))
    let short = answer(.correct.shorteningRanges(to: 100))
    #expect(short["Content-Range"] == "bytes 1000-1099/100000")
    #expect(short.body == entity.bytes(in: 1000..<1100))
    let late = answer(.correct.shiftingStart(by: 10))
    #expect(late["Content-Range"] == "bytes 1010-1999/100000")
    #expect(late.body == entity.bytes(in: 1010..<2000))
    let lie = answer(.correct.lyingAboutStart())
    #expect(lie["Content-Range"] == "bytes 1000-1999/100000")
    #expect(lie.body == entity.bytes(in: 0..<1000))
    #expect(answer(.correct.total(5))["Content-Range"] == "bytes 1000-1999/5")
    #expect(answer(.correct.total(nil))["Content-Range"] == "bytes 1000-1999/*")
    #expect(answer(.correct.lengtheningRangesToEnd()).body.count == 99_000)
  }

  @Test("sends a body in chunks, or until the connection ends")
  func unknownLength() throws {
    let origin = try Origin(entity: entity, behaviour: .correct.chunked())
    let client = try PlainClient(origin)
    let chunked = client.get()
    #expect(chunked["Content-Length"] == nil)
    #expect(chunked.body == entity.bytes(in: 0..<entity.size))
    #expect(client.get().body.count == 100_000, "the connection must still be in step")
    origin.serve(entity, behaviour: .correct.closeDelimited())
    let delimited = client.get()
    #expect(delimited["Content-Length"] == nil)
    #expect(delimited.body == entity.bytes(in: 0..<entity.size))
  }

  @Test("cuts the first bodies by closing, then serves the rest")
  func closes() throws {
    let origin = try Origin(entity: entity, behaviour: .correct.closing(after: 1234, on: .first(2)))
    for _ in 0..<2 {
      let cut = try PlainClient(origin).get()
      #expect(cut.isCut)
      #expect(!cut.isReset)
      #expect(cut.body == entity.bytes(in: 0..<1234))
    }
    #expect(try PlainClient(origin).get().body.count == 100_000)
    #expect(origin.log.requests.map(\.bodyBytes) == [1234, 1234, 100_000])
  }

  @Test("cuts a body with a reset after exactly the bytes it was told")
  func resets() throws {
    let origin = try Origin(entity: entity, behaviour: .correct.resetting(after: 50_000))
    let cut = try PlainClient(origin).get()
    #expect(cut.isReset)
    #expect(cut.body == entity.bytes(in: 0..<50_000))
  }

  @Test("cuts a chunked body so that the client can tell")
  func cutsChunks() throws {
    let origin = try Origin(entity: entity, behaviour: .correct.chunked().closing(after: 10))
    let cut = try PlainClient(origin).get()
    #expect(cut.isCut)
    #expect(cut.body.count == 10)
  }

  @Test("holds a stalled connection until it is stopped")
  func stalls() throws {
    let origin = try Origin(entity: entity, behaviour: .correct.stalling(after: 100))
    let client = try PlainClient(origin)
    client.send("GET /file.bin HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(client.readStart(100) == entity.bytes(in: 0..<100))
    #expect(!origin.log.requests[0].isFinished)
    origin.stop()
    #expect(origin.log.requests[0].isFinished)
    #expect(origin.log.bytesSent == 100)
  }

  @Test("lets a stalled connection go when the client leaves")
  func stalledClientLeaves() throws {
    let origin = try Origin(entity: entity, behaviour: .correct.cut(.head(after: 5), .stall))
    try PlainClient(origin).send("GET /file.bin HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(origin.wait { $0.requests.first?.isFinished == true })
  }

  @Test("refuses with a status, a page and Retry-After", arguments: [401, 403, 404, 410, 416, 429, 500, 503])
  func refuses(status: Int) throws {
    let origin = try Origin(
      entity: entity, behaviour: .correct.status(status, retryAfter: "7", on: .request(2)))
    let client = try PlainClient(origin)
    #expect(client.range("0-9").status == 206)
    let refusal = client.range("0-9")
    #expect(refusal.status == status)
    #expect(refusal["Retry-After"] == "7")
    #expect(refusal["Content-Type"] == "text/html")
    #expect(client.range("0-9").status == 206)
  }

  @Test("serves the oldest connections and turns the others away")
  func limitsConnections() throws {
    let origin = try Origin(entity: entity, behaviour: .correct.limitingConnections(to: 2))
    var clients = try (0..<3).map { _ in try PlainClient(origin) }
    #expect(origin.wait { $0.connectionsAccepted == 3 })
    #expect(clients.map { $0.range("0-9").status } == [206, 206, 503])
    clients.removeFirst()
    #expect(clients.map { $0.range("0-9").status } == [206, 206])
    #expect(origin.log.concurrentConnectionsPeak == 3)
  }

  @Test("does not count a connection that the client has closed")
  func peak() throws {
    let origin = try Origin(entity: entity)
    for _ in 0..<50 { #expect(try PlainClient(origin).range("0-9").status == 206) }
    #expect(origin.log.connectionsAccepted == 50)
    #expect(origin.log.concurrentConnectionsPeak == 1)
  }

  @Test("redirects along a chain and to elsewhere")
  func redirects() throws {
    let origin = try Origin(entity: entity, behaviour: .correct.redirecting(hops: 2))
    let client = try PlainClient(origin)
    #expect(client.get()["Location"] == origin.url("/file.bin?hop=1"))
    #expect(client.get(path: "/file.bin?hop=1")["Location"] == origin.url("/file.bin?hop=2"))
    #expect(client.get(path: "/file.bin?hop=2").status == 200)
    origin.serve(entity, behaviour: .correct.redirecting(to: "/b", status: 307))
    let elsewhere = client.get()
    #expect((elsewhere.status, elsewhere["Location"]) == (307, origin.url("/b")))
    origin.serve(entity, behaviour: .correct.redirectingInCircles())
    #expect(client.get()["Location"] == origin.url)
  }

  @Test("changes the entity and keeps the promise of If-Range")
  func changes() throws {
    let second = Entity(seed: 70, size: 100_000)
    let origin = try Origin(entity: entity, behaviour: .correct.changing(to: second, on: .after(1)))
    let client = try PlainClient(origin)
    let etag = try #require(client.range("0-9")["ETag"])
    let changed = client.range("10-19", ["If-Range": etag])
    #expect(changed.status == 200)
    #expect(changed.body == second.bytes(in: 0..<100_000))
    #expect(origin.log.coverage(of: entity) == [0..<10])
    #expect(origin.log.coverage(of: second) == [0..<100_000])
  }

  @Test("does what a closure says instead")
  func custom() throws {
    let origin = try Origin(
      entity: entity,
      behaviour: .custom { request, writer in
        guard request.asksForRange else { return false }
        writer.send("HTTP/1.1 206 Odd\r\nContent-Range: nonsense\r\nContent-Length: 3\r\n\r\n")
        writer.send(OriginBody("abc"))
        writer.note(status: 206)
        return true
      })
    let client = try PlainClient(origin)
    let odd = client.range("0-9")
    #expect(odd["Content-Range"] == "nonsense")
    #expect(odd.body == Array("abc".utf8))
    #expect(client.get().status == 200)
    #expect(origin.log.requests.map(\.status) == [206, 200])
  }

  @Test("answers under every name it lists", arguments: NamedBehaviour.all.filter { !$0.isSilent })
  func named(behaviour: NamedBehaviour) throws {
    let entity = Entity(seed: 7, size: behaviour.size ?? 100_000)
    let origin = try Origin()
    behaviour.serve(entity, on: origin)
    #expect(try PlainClient(origin).get(["Range": "bytes=0-0"], path: behaviour.path).status >= 100)
  }

  @Test("has each name once and each hazard at least once")
  func names() {
    let names = NamedBehaviour.all.map(\.name)
    #expect(Set(names).count == names.count)
    let hazards = Set(NamedBehaviour.all.map(\.hazard))
    #expect(hazards == Set((1...65).map { "O-\($0 < 10 ? "0" : "")\($0)" }))
  }

  // MARK: Counting

  @Test("knows what was asked, what was sent, and what was sent twice")
  func counts() throws {
    let origin = try Origin(entity: entity)
    let client = try PlainClient(origin)
    _ = client.range("0-9999", ["X-Note": "first"])
    _ = client.range("10000-19999")
    _ = client.range("5000-5099")
    _ = client.range("50000-50009")
    #expect(origin.wait { $0.requests.allSatisfy(\.isFinished) })
    let log = origin.log
    #expect(log.bytesSent == 20_110)
    #expect(log.coverage() == [0..<20_000, 50_000..<50_010])
    #expect(log.bytesSentAgain() == 100)
    #expect(log.bytesSent(in: 5050..<10_001) == 4950 + 1 + 50)
    #expect(log.requests[0].headers["x-note"] == "first")
    #expect(log.requests.map(\.rangeAsked)[2] == .between(5000, 5099))
    #expect(log.requests.map(\.connection) == [1, 1, 1, 1])
    origin.clearLog()
    #expect(origin.log.requests.isEmpty)
  }

  @Test("serves many clients at once, each the right bytes")
  func concurrency() async throws {
    let entity = Entity(seed: 5, size: 16 << 20)
    let origin = try Origin(entity: entity)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for part in 0..<16 as Range<Int64> {
        group.addTask {
          let range = (part << 20)..<((part + 1) << 20)
          let response = try PlainClient(origin).range("\(range.lowerBound)-\(range.upperBound - 1)")
          #expect(response.body == entity.bytes(in: range))
        }
      }
      try await group.waitForAll()
    }
    #expect(origin.log.coverage() == [0..<entity.size])
    #expect(origin.log.bytesSentAgain() == 0)
  }

  // MARK: Pace

  @Test(
    "spends a rate evenly over each second, even when it is woken late",
    arguments: [1, 50, 1000, 100_000, 4 << 20, 1 << 30] as [Int64])
  func bucket(rate: Int64) {
    var random = SplitMix(seed: 1)
    var now = 100.0
    var bucket = TokenBucket(rate: rate, now: now)
    var sent: [(time: Double, count: Int64)] = []
    while now < 110 {
      switch bucket.take(upTo: 256 << 10, now: now) {
      case .send(let count): sent.append((now, Int64(count)))
      case .wait(let seconds): now += seconds + Double.random(in: 0..<0.002, using: &random)
      }
    }
    let total = sent.reduce(0) { $0 + $1.count }
    #expect(abs(Double(total) - Double(rate) * 10) <= max(Double(rate) * 0.1, 1))
    for second in 100..<110 {
      let within = sent.filter { Int($0.time) == second }.reduce(0) { $0 + $1.count }
      #expect(Double(within) <= Double(rate) * 1.06 + 2)
    }
  }

  @Test("sends no faster than its rate, over all requests of a connection")
  func rate() throws {
    let origin = try Origin(entity: entity, behaviour: .correct.rate(400_000))
    let client = try PlainClient(origin)
    let start = monotonicSeconds()
    #expect(client.range("0-49999").body == entity.bytes(in: 0..<50_000))
    #expect(client.range("50000-99999").body == entity.bytes(in: 50_000..<100_000))
    // 0.25 s less what a bucket may save up; how much longer it takes is the machine's affair.
    #expect(monotonicSeconds() - start > 0.18)
  }
}
