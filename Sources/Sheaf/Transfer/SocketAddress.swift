#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// An address and a port in the system's form.
struct SocketAddress: Equatable {
  private let bytes: [UInt8]

  /// Of a numeric address without brackets; nil for anything else.
  init?(_ address: String, port: Int) {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(address, String(port), &hints, &list) == 0, let list else { return nil }
    defer { freeaddrinfo(list) }
    guard let first = list.pointee.ai_addr else { return nil }
    self.init(first, length: list.pointee.ai_addrlen)
  }

  /// Of the other end of a socket; nil while it is not connected, or no longer.
  init?(peerOf socket: Int32) {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let status = withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(socket, $0, &length) }
    }
    guard status == 0 else { return nil }
    bytes = withUnsafeBytes(of: storage) { Array($0.prefix(Int(length))) }
  }

  /// Copies what the system's or libcurl's call gave.
  init(_ pointer: UnsafeRawPointer, length: socklen_t) {
    bytes = Array(UnsafeRawBufferPointer(start: pointer, count: Int(length)))
  }

  /// Opens a stream socket that does not block and begins to connect it; nil if that cannot even begin.
  func connect() -> Int32? {
    bytes.withUnsafeBytes { bytes -> Int32? in
      guard let base = bytes.baseAddress else { return nil }
      let address = base.assumingMemoryBound(to: sockaddr.self)
      let socket = makeSocket(Int32(address.pointee.sa_family), streamType, 0)
      guard socket >= 0 else { return nil }
      _ = fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK)
      #if canImport(Glibc)
        let status = Glibc.connect(socket, address, socklen_t(bytes.count))
      #else
        let status = Darwin.connect(socket, address, socklen_t(bytes.count))
      #endif
      guard status == 0 || errno == EINPROGRESS else {
        close(socket)
        return nil
      }
      return socket
    }
  }
}

#if canImport(Glibc)
  private let streamType = Int32(SOCK_STREAM.rawValue)
#else
  private let streamType = SOCK_STREAM
#endif

/// A socket that programs started later do not inherit; -1 if there is none to be had.
func makeSocket(_ family: Int32, _ type: Int32, _ protocolNumber: Int32) -> Int32 {
  let number = socket(family, type, protocolNumber)
  if number >= 0 { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
  return number
}
