import CCurl
import CDeflate
import CSystem
import SheafCore

/// One request and its answer: judges the head, then writes the body into its place in the part file.
///
/// Confined to the thread of its loop. libcurl's callbacks find it through a pointer that is good for as long as the
/// loop holds the transfer.
final class Transfer {
  let request: TransferRequest
  let handle: EasyHandle
  /// Where the body goes; without a file the head alone is of interest. Let go at the end, before anybody hears of it:
  /// the file is locked while it is open.
  private var file: PartFile?
  let sink: TransferSink
  private let touched: TouchedTransfers
  /// Whether `touched` has it.
  var isTouched = false

  /// Where it must connect to; libcurl chooses without.
  private let route: TransferRoute?
  private let startedAt = Instant.now
  /// libcurl has a login for servers that ask.
  private let answersChallenges: Bool
  private let asksServerTime: Bool
  private var allowsConnection: (@Sendable (DownloadHooks.Connection) -> Bool)?

  private(set) var news: [TransferNews] = []
  private var heads = HeadParser()
  /// An answer that asks who is there: libcurl may ask again, with a login, and then there will be another.
  private var challenge: ResponseHead?
  private var body = Body.undecided
  private var blocks: BlockMap?

  /// The next byte to take.
  private var position: Int64
  /// The first byte to write; those before it are compared with what another transfer writes.
  private var start: Int64
  /// The end of the segment; others may have taken over what lies behind.
  private var end: Int64
  /// Bytes at or behind this offset are not taken yet.
  private var reach: Int64
  /// The end of what the server sends.
  private var answeredEnd: Int64 = 0
  private var reported: Int64
  private var piece: Int64
  private var checksum: UInt32 = 0
  private var failure: TransferFailure?
  private var storageFailure: Failure?
  private var measuredAt: Instant?
  /// What must be heard before the end of a body without a length is believed.
  private var farewell: Farewell?
  private var holds: Set<Hold> = []
  private var turns: Turns
  /// When its limits may let it go on; nil if they do not hold it.
  private(set) var resumesAt: Instant?
  /// libcurl keeps bytes that were not taken, and reads no more until it is told to.
  private var isPaused = false

  /// What becomes of bytes that libcurl has for the body.
  private enum Reception {
    case taken
    /// Not now: libcurl keeps them.
    case held
    /// The transfer ends here.
    case ended
  }

  /// What is done with the bytes of the answer's body.
  private enum Body {
    case undecided
    case written
    /// Small and worthless: read to its end, so that the connection can be used again.
    case swallowed(Int)
    case refused
  }

  /// Bodies of redirects and errors up to this size are read for the connection's sake.
  private static let largestSwallowed = 64 << 10

  /// Seconds between two looks at the round-trip time.
  private static let measureInterval = 0.25
  /// A connection that has not come about in this many seconds says something about the address.
  private static let longConnect = 1.0

  init(
    _ request: TransferRequest, route: TransferRoute?, handle: EasyHandle, file: PartFile?, settings: TransferSettings,
    touched: TouchedTransfers, sink: @escaping TransferSink
  ) {
    self.request = request
    self.route = route
    self.handle = handle
    self.file = file
    self.touched = touched
    self.sink = sink
    turns = Turns(file == nil ? [] : settings.limits)
    answersChallenges = settings.login != nil
    asksServerTime = settings.asksServerTime
    blocks = request.blocks
    position = request.question.range.lower
    start = position
    end = request.question.range.upper
    reach = request.reach
    reported = position
    piece = position
    waitForTurn(startedAt)
  }

  // MARK: - Setting up

  /// Gives libcurl the request. The transfer must stay alive until the handle is out of the multi handle.
  func prepare(_ settings: TransferSettings, spares: SpareSockets) throws(CurlFailure) {
    try handle.reset()
    try handle.set(CURLOPT_URL, request.location.url)
    try handle.set(CURLOPT_PROTOCOLS_STR, "http,https")
    try handle.set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
    try handle.set(CURLOPT_FOLLOWLOCATION, 0)
    try handle.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    try handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    try handle.set(CURLOPT_HTTP09_ALLOWED, 0)
    try handle.set(CURLOPT_HTTP_CONTENT_DECODING, 0)
    try handle.set(CURLOPT_BUFFERSIZE, settings.pieceSize(startedAt))
    try handle.set(CURLOPT_NOSIGNAL, 1)
    try handle.set(CURLOPT_NOPROGRESS, 1)
    try handle.set(CURLOPT_TCP_KEEPALIVE, 1)
    try handle.set(CURLOPT_CONNECTTIMEOUT, route?.connectTimeout ?? settings.connectTimeout)
    try prepareConnection(settings, connectTo: route)
    try handle.set(CURLOPT_LOW_SPEED_LIMIT, 1)
    try handle.set(CURLOPT_LOW_SPEED_TIME, settings.idleTimeout)
    try handle.set(CURLOPT_USERAGENT, settings.userAgent)
    try handle.set(CURLOPT_HTTPHEADER, fields(settings))
    allowsConnection = settings.allowsConnection
    let context = Unmanaged.passUnretained(self).toOpaque()
    try handle.set(CURLOPT_HEADERDATA, pointer: context)
    try handle.set(CURLOPT_HEADERFUNCTION) { line, _, count, context in
      let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
      return transfer.receive(headerLine: UnsafeRawBufferPointer(start: line, count: count)) ? count : count &+ 1
    }
    try handle.onConnected(context) { context, address, _, port, _ in
      guard let context, let address else { return CURL_PREREQFUNC_OK }
      let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
      let isAllowed = transfer.connected(to: String(cString: address), port: Int(port))
      return isAllowed ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
    }
    // Most of the time there are none, and libcurl's own way is the shortest. They come from whatever interface.
    if !spares.isEmpty, settings.addresses.interface == nil { try handle.useSockets(of: spares) }
    try handle.set(CURLOPT_WRITEDATA, pointer: context)
    try handle.set(CURLOPT_WRITEFUNCTION) { bytes, _, count, context in
      let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
      return switch transfer.receive(UnsafeRawBufferPointer(start: bytes, count: count)) {
      case .taken: count
      case .held: Int(CURL_WRITEFUNC_PAUSE)
      case .ended: count &+ 1
      }
    }
  }

  private func fields(_ settings: TransferSettings) -> [String] {
    var lines = ["Accept-Encoding: identity"]
    let question = request.question
    if question.asksRange {
      let asked = question.asked
      lines.append("Range: bytes=\(asked.lower)-\(asked.upper - 1)")
      if let validator = question.pinned?.validator.ifRange { lines.append("If-Range: \(validator)") }
    }
    switch request.unlessStill?.validator {
    case .strongTag(let tag): lines.append("If-None-Match: \(tag)")
    case .strongDate(let date): lines.append("If-Modified-Since: \(date)")
    case .weak, .none?, nil: break
    }
    if request.carriesPrivateFields {
      for field in settings.privateFields {
        // libcurl's form for a field with an empty value.
        lines.append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
      }
    }
    return lines
  }

  // MARK: - Callbacks

  /// Looks at the connection before the request goes out; false ends the transfer.
  private func connected(to address: String, port: Int) -> Bool {
    if let allowsConnection,
      !allowsConnection(.init(url: request.location.redacted, address: address, port: port))
    {
      touched.insert(self)
      failure = TransferFailure(.notAllowed, "a connection to \(address) port \(port) is not allowed")
      return false
    }
    guard let seconds = handle.handshake else { return true }
    touched.insert(self)
    news.append(.opened(to: address, port: port, seconds: seconds))
    return true
  }

  /// Takes a line of the answer's head; false ends the transfer.
  private func receive(headerLine line: UnsafeRawBufferPointer) -> Bool {
    touched.insert(self)
    do {
      guard case .complete(let head) = try heads.consume(line: Array(line)) else { return true }
      if mayAnswer(head) {
        challenge = head
        // The head of the next answer, if there is one, is a new one.
        heads = HeadParser()
        return true
      }
      challenge = nil
      return decide(head)
    } catch {
      failure = TransferFailure(.malformed, "the head of the answer is malformed or too long")
      return false
    }
  }

  /// Whether libcurl, which does not say, may answer by asking once more.
  private func mayAnswer(_ head: ResponseHead) -> Bool {
    head.status == 401 && challenge == nil && request.carriesPrivateFields && answersChallenges
  }

  /// There was no second answer: the first is the one.
  private func decideChallenge() {
    guard let head = challenge else { return }
    challenge = nil
    _ = decide(head)
  }

  private func decide(_ head: ResponseHead) -> Bool {
    if let address = handle.address { news.append(.connected(to: address)) }
    let verdict = judge(head, for: request.question, now: wallClockSeconds())
    if let name = suggestedName(in: head) { news.append(.named(name)) }
    if head.status == 401 { news.append(.challenged(head.values("WWW-Authenticate"))) }
    let claims = digestClaims(in: head)
    if !claims.isEmpty { news.append(.claimed(claims)) }
    let mirrors = mirrors(in: head).compactMap { Location($0, relativeTo: request.location) }
    if !mirrors.isEmpty { news.append(.offered(mirrors)) }
    if asksServerTime, let text = head.value("Last-Modified"),
      let time = HTTPDate.secondsSinceEpoch(parsing: text, now: wallClockSeconds())
    {
      news.append(.modified(at: time))
    }
    news.append(.answered(verdict))
    switch verdict {
    case .range(let range, let identity):
      return accept(range, upTo: min(end, range.upper), identity)
    case .whole(let identity):
      if identity.total == nil && head.values("Transfer-Encoding").isEmpty {
        // RFC 9112 section 6.3: nothing tells a whole body from one that was cut short.
        farewell = handle.session.flatMap { Farewell(of: $0) }
        if farewell == nil {
          news.append(
            .warning("the server tells neither length nor end: only a checksum could show that all of it came"))
        }
      }
      let all = ByteRange(0, identity.total ?? .max)
      return accept(all, upTo: all.upper, identity)
    case .redirect:
      guard let text = head.value("Location"), let target = Location(text, relativeTo: request.location) else {
        failure = TransferFailure(.malformed, "redirect without a usable Location")
        return false
      }
      news.append(.redirected(target))
      return swallow(head)
    case .refused, .unsatisfiable, .unchanged, .empty:
      return swallow(head)
    case .changed, .rangeIgnored, .rejected:
      body = .refused
      return false
    }
  }

  private func accept(_ answered: ByteRange, upTo wantedEnd: Int64, _ identity: Identity) -> Bool {
    guard file != nil else {
      let isShort = answered.count <= Self.largestSwallowed
      body = isShort ? .swallowed(Self.largestSwallowed) : .refused
      return isShort
    }
    body = .written
    start = answered.lower
    position = start - request.question.seam
    reported = start
    piece = start
    end = wantedEnd
    answeredEnd = answered.upper
    if blocks == nil, let total = identity.total { blocks = BlockMap(total: total) }
    return true
  }

  private func swallow(_ head: ResponseHead) -> Bool {
    guard case .bytes(let length) = contentLength(of: head), length <= Self.largestSwallowed else {
      // A 304 has no body whatever its fields say (RFC 9110 section 15.4.5).
      body = head.status == 304 ? .swallowed(0) : .refused
      return head.status == 304
    }
    body = .swallowed(Self.largestSwallowed)
    return true
  }

  /// Takes bytes of the body.
  private func receive(_ bytes: UnsafeRawBufferPointer) -> Reception {
    guard holds.isEmpty else {
      isPaused = true
      return .held
    }
    touched.insert(self)
    decideChallenge()
    switch body {
    case .undecided, .refused:
      return .ended
    case .swallowed(let left):
      guard bytes.count <= left else { return .ended }
      body = .swallowed(left - bytes.count)
      return .taken
    case .written:
      guard position < reach else {
        hold(for: .consumer)
        isPaused = true
        return .held
      }
      let room = end - position
      let wanted = UnsafeRawBufferPointer(rebasing: bytes.prefix(Int(min(room, Int64(bytes.count)))))
      let new = position < start ? withoutSeam(wanted) : wanted
      do {
        try file?.write(new, at: position)
      } catch {
        storageFailure = error
        return .ended
      }
      account(for: new)
      charge(bytes.count)
      // At the end of a segment that was made shorter, waiting for the server's end would waste a connection.
      return wanted.count == bytes.count && (position < end || end == answeredEnd) ? .taken : .ended
    }
  }

  private func charge(_ bytes: Int) {
    guard !turns.isEmpty else { return }
    let now = Instant.now
    turns.take(bytes, now: now)
    waitForTurn(now)
  }

  private func waitForTurn(_ now: Instant) {
    resumesAt = turns.next(now)
    if resumesAt != nil { hold(for: .limit) }
  }

  /// Takes from the front of `bytes` what only serves to be compared; returns the rest.
  private func withoutSeam(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let count = Int(min(start - position, Int64(bytes.count)))
    checksum = crc32(checksum, UnsafeRawBufferPointer(rebasing: bytes.prefix(count)))
    position += Int64(count)
    if position == start {
      news.append(.seam(ByteRange(start - request.question.seam, start), checksum: checksum))
      checksum = 0
    }
    return UnsafeRawBufferPointer(rebasing: bytes.dropFirst(count))
  }

  /// Adds written bytes to the running CRC-32, block by block.
  private func account(for bytes: UnsafeRawBufferPointer) {
    guard let blocks else {
      position += Int64(bytes.count)
      return
    }
    var rest = bytes
    while !rest.isEmpty {
      let blockEnd = blocks.end(of: position)
      let part = rest.prefix(Int(min(Int64(rest.count), blockEnd - position)))
      checksum = crc32(checksum, UnsafeRawBufferPointer(rebasing: part))
      position += Int64(part.count)
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(part.count))
      if position == blockEnd { finishPiece() }
    }
  }

  private func finishPiece() {
    guard blocks != nil, position > piece else { return }
    news.append(.wrote(ByteRange(piece, position), checksum: checksum))
    piece = position
    checksum = 0
  }

  // MARK: - The loop's side

  /// Makes the transfer end at `offset`, or where it already is; returns the end.
  func shrink(to offset: Int64) -> Int64 {
    end = max(start, position, min(end, offset))
    return end
  }

  /// Takes the bytes before `offset`, too.
  /// - Returns: what `release` returns.
  func extend(to offset: Int64) -> CURLcode? {
    reach = max(reach, offset)
    return position < reach ? release(from: .consumer) : nil
  }

  /// From the next bytes on none are taken. Those that libcurl has read by then wait in its buffer, and the server's in the
  /// system's: the server is slowed down, and its silence is no timeout's business.
  func hold(for reason: Hold) { holds.insert(reason) }

  /// Takes bytes again if this was the last reason not to; those that were kept come at once.
  /// - Returns: what libcurl says of a transfer that has ended by that, which it tells nobody else; nil if it goes on.
  func release(from reason: Hold) -> CURLcode? {
    guard holds.remove(reason) != nil, holds.isEmpty, isPaused else { return nil }
    isPaused = false
    let code = handle.resume()
    return code == CURLE_OK ? nil : code
  }

  /// Looks whether it is the transfer's turn, which it has waited for, to be released from its limits.
  func isItsTurn(_ now: Instant) -> Bool {
    resumesAt = turns.next(now)
    return resumesAt == nil
  }

  /// Whether everything wanted has arrived, although the server may have more to say.
  var hasReachedEnd: Bool { position == end }

  /// The transfer is over: turns libcurl's result into news. libcurl's success is no evidence, and its failure is
  /// none either when the segment ended early on purpose.
  func finish(_ result: CURLcode?) {
    decideChallenge()
    finishPiece()
    file = nil
    if let storageFailure {
      news.append(.storageFailed(storageFailure))
      return
    }
    if let failure {
      news.append(.ended(.failed(failure)))
      return
    }
    switch body {
    case .written:
      if position > reported { news.append(.advanced(to: position)) }
      reported = position
      if hasReachedEnd || result == CURLE_OK {
        news.append(.ended(ending))
      } else {
        news.append(.ended(.failed(describe(result ?? CURLE_ABORTED_BY_CALLBACK))))
      }
    case .undecided:
      let code = result ?? CURLE_ABORTED_BY_CALLBACK
      let isLong = Instant.now.seconds(since: startedAt) >= Self.longConnect
      if route != nil, !handle.isConnected, result != nil || isLong {
        news.append(.unreached(isGivenUp: result == nil))
      }
      news.append(.ended(.failed(describe(code == CURLE_OK ? CURLE_GOT_NOTHING : code))))
    case .swallowed, .refused:
      // The verdict said it all.
      break
    }
  }

  /// How a transfer ended that libcurl has no complaint about.
  private var ending: TransferEnding {
    guard let farewell, !farewell.wasHeard else { return .finished }
    return .failed(TransferFailure(.endUnconfirmed, "the connection was cut, so the file may be as well"))
  }

  private func describe(_ code: CURLcode) -> TransferFailure {
    // libcurl has one code for all that a tunnel may be refused for.
    if handle.tunnelStatus == 407 { return TransferFailure(.proxyLogin, "the proxy refuses (status 407)") }
    return TransferFailure(code, handle.message(for: code))
  }

  /// Hands over what happened since the last call.
  func takeNews(_ now: Instant, socket: @autoclosure () -> Int32?) -> [TransferNews] {
    if case .written = body, position > reported {
      reported = position
      news.append(.advanced(to: position))
      measureRoundTrip(now, socket)
    }
    defer { news.removeAll(keepingCapacity: true) }
    return news
  }

  private func measureRoundTrip(_ now: Instant, _ socket: () -> Int32?) {
    if let measuredAt, now.seconds(since: measuredAt) < Self.measureInterval { return }
    measuredAt = now
    var times = CSystem_RoundTrip()
    guard let socket = socket(), CSystem_roundTrip(socket, &times) == 0 else { return }
    let current = times.receiver > 0 ? times.receiver : times.sender
    guard current > 0 else { return }
    news.append(.roundTrip(seconds: Double(current) / 1e6, least: times.least > 0 ? Double(times.least) / 1e6 : nil))
  }
}
