#if os(Linux)
  import CSystem
  import Glibc

  /// Waits for many sockets at a cost that does not grow with those that are silent: epoll, level-triggered.
  ///
  /// Unchecked: `wakeUp` is a write to a descriptor that never changes; all else belongs to the loop's thread.
  final class Poller: @unchecked Sendable {
    private static let capacity = 128

    private let epoll: FileDescriptor
    private let bell: FileDescriptor
    private let events = UnsafeMutablePointer<epoll_event>.allocate(capacity: capacity)
    private var count = 0

    init() throws(SystemError) {
      let epoll = epoll_create1(CInt(EPOLL_CLOEXEC))
      guard epoll >= 0 else { throw SystemError("epoll_create1") }
      self.epoll = FileDescriptor(owning: epoll)
      let bell = eventfd(0, CInt(EFD_CLOEXEC | EFD_NONBLOCK))
      guard bell >= 0 else { throw SystemError("eventfd") }
      self.bell = FileDescriptor(owning: bell)
      watch(bell, for: .readable)
    }

    deinit { events.deallocate() }

    /// Watches a socket for `wanted` and nothing else.
    func watch(_ socket: Int32, for wanted: SocketEvents) {
      var event = epoll_event()
      event.data.fd = socket
      if wanted.contains(.readable) { event.events |= EPOLLIN.rawValue }
      if wanted.contains(.writable) { event.events |= EPOLLOUT.rawValue }
      // A number comes back with another socket behind it, which the kernel has not heard of: no books are kept here.
      if epoll_ctl(epoll.number, EPOLL_CTL_MOD, socket, &event) != 0 && errno == ENOENT {
        epoll_ctl(epoll.number, EPOLL_CTL_ADD, socket, &event)
      }
    }

    /// Forgets a socket, which may have been closed already.
    func forget(_ socket: Int32) {
      var event = epoll_event()
      epoll_ctl(epoll.number, EPOLL_CTL_DEL, socket, &event)
    }

    /// Waits until a watched socket is ready, `wakeUp` is called, or `milliseconds` have passed.
    func wait(milliseconds: Int32) {
      count = Int(max(0, epoll_wait(epoll.number, events, Int32(Self.capacity), milliseconds)))
    }

    /// Hands out what the last wait has found, once. Sockets may be watched and forgotten meanwhile.
    func drain(_ body: (Int32, SocketEvents) -> Void) {
      let found = count
      count = 0
      for event in UnsafeBufferPointer(start: events, count: found) {
        guard event.data.fd != bell.number else {
          var rings: UInt64 = 0
          read(bell.number, &rings, MemoryLayout.size(ofValue: rings))
          continue
        }
        var ready: SocketEvents = []
        if event.events & EPOLLIN.rawValue != 0 { ready.insert(.readable) }
        if event.events & EPOLLOUT.rawValue != 0 { ready.insert(.writable) }
        if event.events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { ready = [.readable, .writable] }
        body(event.data.fd, ready)
      }
    }

    /// Ends the wait, from any thread; if nobody waits, the next wait returns at once.
    func wakeUp() {
      var ring: UInt64 = 1
      write(bell.number, &ring, MemoryLayout.size(ofValue: ring))
    }
  }
#endif
