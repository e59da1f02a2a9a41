import SheafCore
import TestSupport
import Testing

@testable import Sheaf

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Connections that are opened before anybody knows what to ask on them.
@Suite("SpareSockets")
struct SpareSocketsTests {
  /// A listener on loopback, closed with its connections at the end.
  private final class Listener {
    let socket: Int32
    let port: UInt16
    private var accepted: [Int32] = []

    init() throws {
      socket = try LoopbackSocket.listen()
      port = try LoopbackSocket.port(of: socket)
    }

    deinit {
      closeAccepted()
      close(socket)
    }

    func takeIn(_ count: Int) {
      for _ in 0..<count { accepted.append(accept(socket, nil, nil)) }
    }

    func closeAccepted() {
      for connection in accepted { close(connection) }
      accepted = []
    }
  }

  private func address(_ listener: Listener) throws -> SocketAddress {
    try #require(SocketAddress("127.0.0.1", port: Int(listener.port)))
  }

  @Test("gives each connection once, and only to its own address")
  func gives() throws {
    let listener = try Listener()
    let other = try Listener()
    let spares = SpareSockets()
    spares.open(2, to: "127.0.0.1", port: Int(listener.port), now: .now)
    listener.takeIn(2)
    #expect(spares.take(to: try address(other)) == nil)
    let taken = [spares.take(to: try address(listener)), spares.take(to: try address(listener))].compactMap { $0 }
    defer { for socket in taken { close(socket) } }
    #expect(Set(taken).count == 2)
    #expect(spares.take(to: try address(listener)) == nil)
    #expect(spares.isEmpty)
  }

  @Test("does not give a connection that the server has closed since")
  func closed() throws {
    let listener = try Listener()
    let spares = SpareSockets()
    spares.open(1, to: "127.0.0.1", port: Int(listener.port), now: .now)
    listener.takeIn(1)
    listener.closeAccepted()
    #expect(spares.take(to: try address(listener)) == nil)
  }

  @Test("closes what nobody wanted for a while")
  func old() throws {
    let listener = try Listener()
    let spares = SpareSockets()
    let start = Instant.now
    spares.open(1, to: "127.0.0.1", port: Int(listener.port), now: start)
    spares.closeOld(start.advanced(bySeconds: 1))
    #expect(!spares.isEmpty)
    spares.closeOld(start.advanced(bySeconds: 10))
    #expect(spares.isEmpty)
  }

  @Test("an address is numeric, of either family", arguments: ["files.example", "", "127.0.0.1.", "::1]", "1.2.3.4.5"])
  func numeric(text: String) {
    #expect(SocketAddress(text, port: 80) == nil)
    #expect(SocketAddress("::1", port: 80) != SocketAddress("127.0.0.1", port: 80))
    #expect(SocketAddress("127.0.0.1", port: 81) != SocketAddress("127.0.0.1", port: 80))
  }
}
