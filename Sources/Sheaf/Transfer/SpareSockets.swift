import CCurl
import SheafCore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Connections that were opened before anybody knew what to ask on them, so that the next transfers save a round trip.
///
/// Confined to the thread of its loop. Which connection serves which transfer does not matter: what counts is the address.
final class SpareSockets {
  private struct Spare {
    let socket: Int32
    let address: SocketAddress
    let openedAt: Instant
  }

  private var spares: [Spare] = []
  /// The one that libcurl was just given and asks about next.
  private var given: Int32?

  /// Seconds after which a spare connection has missed its purpose.
  private static let patience = 3.0

  deinit {
    for spare in spares { close(spare.socket) }
  }

  var isEmpty: Bool { spares.isEmpty }

  /// Begins to open `count` connections. One that fails is not missed: libcurl opens its own in its place.
  func open(_ count: Int, to address: String, port: Int, now: Instant) {
    guard let address = SocketAddress(address, port: port) else { return }
    for _ in 0..<count {
      guard let socket = address.connect() else { return }
      spares.append(Spare(socket: socket, address: address, openedAt: now))
    }
  }

  /// Closes those that nobody wanted.
  func closeOld(_ now: Instant) {
    spares.removeAll { spare in
      guard now.seconds(since: spare.openedAt) >= Self.patience else { return false }
      close(spare.socket)
      return true
    }
  }

  /// A connection to `address` that stands.
  func take(to address: SocketAddress) -> Int32? {
    guard let index = spares.firstIndex(where: { $0.address == address && Self.stands($0.socket, to: address) }) else {
      return nil
    }
    given = spares.remove(at: index).socket
    return given
  }

  /// Whether the connection has come about and the other end has not closed it since.
  private static func stands(_ socket: Int32, to address: SocketAddress) -> Bool {
    var state = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    return poll(&state, 1, 0) == 0 && SocketAddress(peerOf: socket) == address
  }

  /// libcurl wants a socket.
  static let open: curl_opensocket_callback = { context, purpose, wanted in
    guard let context, let wanted else { return CURL_SOCKET_BAD }
    let (family, type, number) = (wanted.pointee.family, wanted.pointee.socktype, wanted.pointee.protocol)
    let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) ?? 0
    let address = SocketAddress(UnsafeRawPointer(wanted) + offset, length: socklen_t(wanted.pointee.addrlen))
    let spares = Unmanaged<SpareSockets>.fromOpaque(context).takeUnretainedValue()
    return spares.take(to: address) ?? makeSocket(family, type, number)
  }

  /// libcurl has got a socket and wants to know whether it is to connect it.
  static let configure: curl_sockopt_callback = { context, socket, _ in
    guard let context else { return Int32(CURL_SOCKOPT_OK) }
    let spares = Unmanaged<SpareSockets>.fromOpaque(context).takeUnretainedValue()
    guard spares.given == socket else { return Int32(CURL_SOCKOPT_OK) }
    spares.given = nil
    return Int32(CURL_SOCKOPT_ALREADY_CONNECTED)
  }
}
