import Testing

@testable import Sheaf

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The loop's ear: who is ready, and nobody else.
@Suite("Poller")
struct PollerTests {
  /// Two ends of a stream.
  private final class Pair {
    let near: Int32
    let far: Int32

    init() throws {
      var ends: [Int32] = [-1, -1]
      #if canImport(Glibc)
        let kind = Int32(SOCK_STREAM.rawValue)
      #else
        let kind = SOCK_STREAM
      #endif
      try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
      (near, far) = (ends[0], ends[1])
    }

    func speak() { write(far, "x", 1) }

    deinit {
      close(near)
      close(far)
    }
  }

  private func found(_ poller: Poller, milliseconds: Int32) -> [Int32: SocketEvents] {
    var all: [Int32: SocketEvents] = [:]
    poller.wait(milliseconds: milliseconds)
    poller.drain { all[$0] = $1 }
    return all
  }

  @Test("names the sockets that are ready, every time until they are read")
  func levels() throws {
    let poller = try Poller()
    let (loud, silent) = (try Pair(), try Pair())
    poller.watch(loud.near, for: .readable)
    poller.watch(silent.near, for: .readable)
    loud.speak()
    #expect(found(poller, milliseconds: 1000) == [loud.near: .readable])
    #expect(found(poller, milliseconds: 1000) == [loud.near: .readable])
    var byte: UInt8 = 0
    read(loud.near, &byte, 1)
    #expect(found(poller, milliseconds: 0).isEmpty)
  }

  @Test("watches for what was asked last")
  func changes() throws {
    let poller = try Poller()
    let pair = try Pair()
    pair.speak()
    poller.watch(pair.near, for: [.readable, .writable])
    #expect(found(poller, milliseconds: 1000) == [pair.near: [.readable, .writable]])
    poller.watch(pair.near, for: .writable)
    #expect(found(poller, milliseconds: 1000) == [pair.near: .writable])
    poller.forget(pair.near)
    #expect(found(poller, milliseconds: 0).isEmpty)
  }

  @Test("a number that comes back with another socket is watched again")
  func reused() throws {
    let poller = try Poller()
    let (pair, other) = (try Pair(), try Pair())
    poller.watch(pair.near, for: .readable)
    // The kernel forgets a socket with its last descriptor; nobody has told the poller.
    try #require(dup2(other.near, pair.near) == pair.near)
    poller.watch(pair.near, for: .readable)
    other.speak()
    #expect(found(poller, milliseconds: 1000) == [pair.near: .readable])
  }

  @Test("forgetting what was never watched, or is closed, does no harm")
  func forgotten() throws {
    let poller = try Poller()
    let pair = try Pair()
    poller.forget(pair.near)
    poller.watch(pair.near, for: .readable)
    poller.forget(pair.near)
    poller.forget(pair.near)
    #expect(found(poller, milliseconds: 0).isEmpty)
  }

  @Test("a call to wake up ends one wait, even if it comes before")
  func wakesUp() throws {
    let poller = try Poller()
    poller.wakeUp()
    poller.wakeUp()
    #expect(found(poller, milliseconds: 60_000).isEmpty)
    let thread = JoinableThread(name: "waker")
    thread.start { poller.wakeUp() }
    #expect(found(poller, milliseconds: 60_000).isEmpty)
    thread.join()
    #expect(found(poller, milliseconds: 0).isEmpty)
  }
}
