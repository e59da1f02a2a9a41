#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The sending side of a connection. Used by the connection's own thread only.
final class OriginWire {
  private enum State { case open, closing, resetting, gone }

  private let stream: OriginStream
  private let stop: StopSignal
  private var state = State.open
  private var bucket: TokenBucket?
  private var buffer: UnsafeMutableRawBufferPointer?

  static let bufferSize = 256 << 10

  /// Whether a connection that closes in order says so in TLS's own words too.
  var saysGoodbye = true

  private var socket: CInt { stream.socket }

  init(_ stream: OriginStream, stop: StopSignal) {
    self.stream = stream
    self.stop = stop
  }

  deinit {
    buffer?.deallocate()
  }

  var isOpen: Bool { state == .open }

  /// True when the client has left or the origin has been stopped.
  var isGone: Bool { state == .gone }

  /// Nothing is sent after this; the connection ends when the request is done.
  func close() {
    if isOpen { state = .closing }
  }

  func reset() {
    if isOpen { state = .resetting }
  }

  /// Silence. False when the origin stops or the client leaves meanwhile; the connection is over then.
  @discardableResult
  func wait(seconds: Double?) -> Bool {
    guard isOpen else { return false }
    if stop.wait(seconds: seconds, watching: socket) != .timedOut { state = .gone }
    return isOpen
  }

  /// Sends all of it and returns how much the system took: less only when the client has gone.
  ///
  /// `more` lets the system wait for what follows, so that a head and a small body share a packet.
  func send(_ bytes: UnsafeRawBufferPointer, more: Bool = false) -> Int {
    var sent = 0
    while isOpen, sent < bytes.count {
      if let count = stream.send(UnsafeRawBufferPointer(rebasing: bytes[sent...]), more: more) {
        sent += count
      } else {
        state = .gone
      }
    }
    return sent
  }

  /// How many of `wanted` bytes may be sent now under the rate; waits for it. Zero when the connection is over.
  func allowance(of wanted: Int, rate: Int64?) -> Int {
    guard let rate else { return isOpen ? wanted : 0 }
    if bucket?.rate != rate { bucket = TokenBucket(rate: rate, now: monotonicSeconds()) }
    while isOpen {
      switch bucket?.take(upTo: wanted, now: monotonicSeconds()) {
      case .send(let count)?: return count
      case .wait(let seconds)?: wait(seconds: seconds)
      case nil: return wanted
      }
    }
    return 0
  }

  /// The connection's own buffer, at least `count` bytes of it.
  func scratch(_ count: Int) -> UnsafeMutableRawBufferPointer {
    if let buffer, buffer.count >= count { return buffer }
    buffer?.deallocate()
    let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 4096)
    buffer = larger
    return larger
  }

  /// Ends the connection as it was asked to, short of closing the descriptor.
  func finish() {
    switch state {
    case .resetting:
      waitUntilTaken()
      var option = linger(l_onoff: 1, l_linger: 0)
      setsockopt(socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    case .open, .closing:
      if saysGoodbye { stream.sayGoodbye() }
      shutdown(socket, CInt(SHUT_WR))
      // Unread bytes would turn the close into a reset, which takes back what the client has not read.
      let space = scratch(4096)
      while recv(socket, space.baseAddress, space.count, CInt(MSG_DONTWAIT)) > 0 {}
    case .gone:
      break
    }
  }

  /// A reset throws away what has not been sent: waits, though not for ever, until nothing is left.
  private func waitUntilTaken() {
    #if os(Linux)
      let deadline = monotonicSeconds() + 10
      var queued: CInt = 0
      while ioctl(socket, UInt(TIOCOUTQ), &queued) == 0, queued > 0, monotonicSeconds() < deadline {
        if stop.wait(seconds: 0.001, watching: socket) != .timedOut { return }
      }
    #endif
  }
}
