#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// TCP on 127.0.0.1 and its like, the only network that tests use.
///
/// The functions return plain descriptors; whoever asked closes them.
package enum LoopbackSocket {
  /// A listening socket on 127.0.0.`host`; port 0 lets the system choose a free one.
  package static func listen(port: UInt16 = 0, host: UInt8 = 1, backlog: CInt = 1024) throws(SystemCallFailure) -> CInt
  {
    let descriptor = try make()
    var one: CInt = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<CInt>.size))
    guard withAddress(port, host: host, { bind(descriptor, $0, $1) }) == 0 else {
      throw failure("bind to 127.0.0.\(host):\(port)", closing: descriptor)
    }
    #if canImport(Glibc)
      let listening = Glibc.listen(descriptor, backlog)
    #else
      let listening = Darwin.listen(descriptor, backlog)
    #endif
    guard listening == 0 else { throw failure("listen", closing: descriptor) }
    return descriptor
  }

  /// Fills the queue of a listening socket that nobody accepts from, until a further connection gets no answer. Returns
  /// the sockets that fill it.
  package static func fill(port: UInt16, host: UInt8) throws(SystemCallFailure) -> [CInt] {
    var sockets: [CInt] = []
    while sockets.count < 64 {
      let descriptor = try make()
      sockets.append(descriptor)
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
      #if canImport(Glibc)
        _ = withAddress(port, host: host) { Glibc.connect(descriptor, $0, $1) }
      #else
        _ = withAddress(port, host: host) { Darwin.connect(descriptor, $0, $1) }
      #endif
      // On loopback an answer is there at once, or never.
      var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      if poll(&state, 1, 100) == 0 { break }
    }
    return sockets
  }

  /// A blocking connection to `port`.
  package static func connect(port: UInt16) throws(SystemCallFailure) -> CInt {
    let descriptor = try make()
    #if canImport(Glibc)
      let status = withAddress(port) { Glibc.connect(descriptor, $0, $1) }
    #else
      let status = withAddress(port) { Darwin.connect(descriptor, $0, $1) }
    #endif
    guard status == 0 else { throw failure("connect to 127.0.0.1:\(port)", closing: descriptor) }
    prepare(descriptor)
    return descriptor
  }

  /// A port that was free a moment ago. Another process may take it first: be ready to ask again.
  package static func freePort() throws(SystemCallFailure) -> UInt16 {
    let descriptor = try listen()
    defer { close(descriptor) }
    return try port(of: descriptor)
  }

  /// The port that a socket is bound to.
  package static func port(of descriptor: CInt) throws(SystemCallFailure) -> UInt16 {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
    }
    guard status == 0 else { throw SystemCallFailure("getsockname") }
    return UInt16(bigEndian: address.sin_port)
  }

  /// The next connection, or nil when there is none after all.
  static func accept(from listener: CInt) -> CInt? {
    #if canImport(Glibc)
      let descriptor = Glibc.accept(listener, nil, nil)
    #else
      let descriptor = Darwin.accept(listener, nil, nil)
    #endif
    guard descriptor >= 0 else { return nil }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    prepare(descriptor)
    return descriptor
  }

  private static func make() throws(SystemCallFailure) -> CInt {
    #if os(Linux)
      let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    let descriptor = socket(AF_INET, kind, 0)
    guard descriptor >= 0 else { throw SystemCallFailure("socket") }
    return descriptor
  }

  private static func prepare(_ descriptor: CInt) {
    var one: CInt = 1
    setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<CInt>.size))
    #if !os(Linux)
      setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &one, socklen_t(MemoryLayout<CInt>.size))
    #endif
  }

  private static func withAddress(
    _ port: UInt16, host: UInt8 = 1, _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt
  ) -> CInt {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = (UInt32(0x7F00_0000) + UInt32(host)).bigEndian
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
  }

  private static func failure(_ call: String, closing descriptor: CInt) -> SystemCallFailure {
    let failure = SystemCallFailure(call)
    close(descriptor)
    return failure
  }
}
