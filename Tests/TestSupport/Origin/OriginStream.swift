import CTLS

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The bytes of one connection, with or without TLS. Used by the connection's own thread only.
final class OriginStream {
  let socket: CInt
  private let session: OpaquePointer?

  var isEncrypted: Bool { session != nil }

  /// Takes the client's first byte for what it is: a TLS handshake, if there is a context for one, or plain text.
  ///
  /// Nil when the handshake fails or the client leaves before its first byte.
  init?(socket: CInt, tls: TLSContext?) {
    self.socket = socket
    guard let tls else {
      session = nil
      return
    }
    var first: UInt8 = 0
    // 22 is the type of a handshake record (RFC 8446 §5.1); no method of HTTP begins with it.
    guard recv(socket, &first, 1, CInt(MSG_PEEK)) == 1 else { return nil }
    guard first == 22 else {
      session = nil
      return
    }
    guard let session = tls.accept(on: socket) else { return nil }
    self.session = session
  }

  deinit {
    if let session { SSL_free(session) }
  }

  /// Waits for bytes; how many there were, or nil when the connection is over.
  func receive(_ buffer: UnsafeMutableRawBufferPointer) -> Int? {
    while true {
      let count: Int
      if let session {
        count = Int(SSL_read(session, buffer.baseAddress, CInt(buffer.count)))
      } else {
        count = recv(socket, buffer.baseAddress, buffer.count, 0)
        if count < 0, errno == EINTR { continue }
      }
      return count > 0 ? count : nil
    }
  }

  /// Hands over some of the bytes; how many, or nil when the client has gone.
  func send(_ bytes: UnsafeRawBufferPointer, more: Bool) -> Int? {
    while true {
      let count: Int
      if let session {
        count = Int(SSL_write(session, bytes.baseAddress, CInt(bytes.count)))
      } else {
        #if os(Linux)
          let flags = CInt(MSG_NOSIGNAL) | (more ? CInt(MSG_MORE) : 0)
        #else
          let flags: CInt = 0
        #endif
        #if canImport(Glibc)
          count = Glibc.send(socket, bytes.baseAddress, bytes.count, flags)
        #else
          count = Darwin.send(socket, bytes.baseAddress, bytes.count, flags)
        #endif
        if count < 0, errno == EINTR { continue }
      }
      return count > 0 ? count : nil
    }
  }

  /// Tells the peer that no byte is missing, as TLS has it (RFC 8446 §6.1); plain connections have no such word.
  func sayGoodbye() {
    if let session { SSL_shutdown(session) }
  }
}
