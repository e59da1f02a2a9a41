/// Sends one response: a whole answer, or raw bytes for what no answer can express.
///
/// Used by the connection's own thread only.
package final class ResponseWriter {
  package let exchange: OriginExchange
  private let wire: OriginWire
  private let place: Int

  init(exchange: OriginExchange, wire: OriginWire, place: Int) {
    self.exchange = exchange
    self.wire = wire
    self.place = place
  }

  /// False when the connection is over: nothing more can be sent.
  package var isOpen: Bool { wire.isOpen }

  /// Sends an answer as it says. False when the client has gone or the answer ended the connection.
  @discardableResult
  package func write(_ answer: OriginAnswer) -> Bool {
    if answer.latency > 0 { wire.wait(seconds: answer.latency) }
    exchange.core.update(place) { $0.status = answer.status }
    wire.saysGoodbye = answer.saysGoodbye
    let keepsAlive = answer.keepsAlive && exchange.request.wantsKeepAlive && !answer.endsWithConnection
    let sendsBody = exchange.request.method != "HEAD" && answer.hasBody
    let head = Array((answer.preamble + answer.head(keepingAlive: keepsAlive)).utf8)
    var cutAfter: Int64?
    switch answer.cut?.place {
    case .head(let count)?:
      let first = min(count, head.count)
      sendRaw(head[..<first])
      end(answer.cut?.ending)
      sendRaw(head[first...])
    case .body(let count)?:
      cutAfter = count
      sendRaw(head[...])
    case nil:
      sendRaw(head[...], more: sendsBody && answer.body.count > 0 && answer.rate == nil)
    }
    if sendsBody { sendBody(answer, cutAfter: cutAfter) }
    if !keepsAlive { wire.close() }
    return wire.isOpen
  }

  /// Sends text that is not counted as a body. False when the client has gone.
  @discardableResult
  package func send(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return sendRaw(bytes[...])
  }

  /// Sends and counts body bytes, without any framing.
  @discardableResult
  package func send(_ body: OriginBody, rate: Int64? = nil) -> Bool {
    var answer = OriginAnswer(status: 200, body: body)
    answer.rate = rate
    sendBody(answer, cutAfter: nil)
    return wire.isOpen
  }

  /// What the log shall say the status was, when raw bytes said it.
  package func note(status: Int) {
    exchange.core.update(place) { $0.status = status }
  }

  package func close() { wire.close() }

  package func reset() { wire.reset() }

  /// Leaves out TLS's farewell when the connection is closed, so that a cut looks like an attacker's.
  package func closeWithoutGoodbye() {
    wire.saysGoodbye = false
    wire.close()
  }

  /// Silence for a while, or with nil until the origin stops. False when the connection is over.
  @discardableResult
  package func pause(seconds: Double?) -> Bool { wire.wait(seconds: seconds) }

  private func end(_ ending: OriginAnswer.Ending?) {
    switch ending {
    case .close?: wire.close()
    case .reset?: wire.reset()
    case .stall?: wire.wait(seconds: nil)
    case .pause(let seconds)?: wire.wait(seconds: seconds)
    case nil: break
    }
  }

  @discardableResult
  private func sendRaw(_ bytes: ArraySlice<UInt8>, more: Bool = false) -> Bool {
    bytes.withUnsafeBytes { wire.send($0, more: more) == $0.count }
  }

  private func sendBody(_ answer: OriginAnswer, cutAfter: Int64?) {
    let total = answer.body.count
    var left = cutAfter.flatMap { $0 < total ? $0 : nil }
    // Room for a chunk's size line before the bytes and its line end after them.
    let room = 32
    let capacity = Int(max(0, min(total, Int64(OriginWire.bufferSize))))
    let scratch = wire.scratch(capacity + room + 2)
    for piece in answer.body.pieces {
      var offset: Int64 = 0
      while offset < piece.count, wire.isOpen {
        if left == 0 {
          end(answer.cut?.ending)
          left = nil
          continue
        }
        let wanted = min(piece.count - offset, Int64(capacity), left ?? .max)
        let count = wire.allowance(of: Int(wanted), rate: answer.rate)
        guard count > 0 else { return }
        let bytes = UnsafeMutableRawBufferPointer(rebasing: scratch[room..<(room + count)])
        piece.fill(bytes, at: offset)
        // Logged before it is sent, so that the log never knows less than the client has.
        exchange.core.update(place) { $0.add(piece, from: offset, count: Int64(count)) }
        let sent =
          answer.isChunked
          ? sendChunk(count, room: room, in: scratch) : wire.send(UnsafeRawBufferPointer(bytes))
        if sent < count { exchange.core.update(place) { $0.takeBack(Int64(count - sent), of: piece) } }
        offset += Int64(count)
        left = left.map { $0 - Int64(count) }
      }
    }
    if answer.isChunked, wire.isOpen { send("0\r\n\(answer.trailers.wireText)\r\n") }
  }

  /// Frames the bytes that lie at `room` and sends them; how many of them, without the frame, were taken.
  private func sendChunk(_ count: Int, room: Int, in scratch: UnsafeMutableRawBufferPointer) -> Int {
    let line = Array("\(String(count, radix: 16))\r\n".utf8)
    let start = room - line.count
    UnsafeMutableRawBufferPointer(rebasing: scratch[start..<room]).copyBytes(from: line)
    scratch[room + count] = UInt8(ascii: "\r")
    scratch[room + count + 1] = UInt8(ascii: "\n")
    let sent = wire.send(UnsafeRawBufferPointer(rebasing: scratch[start..<(room + count + 2)]))
    return min(max(sent - line.count, 0), count)
  }
}

extension OriginAnswer {
  fileprivate var isChunked: Bool { if case .chunked = framing { true } else { false } }

  fileprivate var endsWithConnection: Bool { if case .untilClose = framing { true } else { false } }
}
