#if !os(Linux)
  import Darwin

  /// Waits for many sockets with poll(2), which every system has; kqueue can take this place.
  ///
  /// Unchecked: `wakeUp` is a write to a descriptor that never changes; all else belongs to the loop's thread.
  final class Poller: @unchecked Sendable {
    /// The pipe's end to read from is the first of them.
    private var watched: [pollfd] = []
    private var places: [Int32: Int] = [:]
    private let bell: FileDescriptor
    private let clapper: FileDescriptor
    private var isFresh = false

    init() throws(SystemError) {
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { throw SystemError("pipe") }
      bell = FileDescriptor(owning: ends[0])
      clapper = FileDescriptor(owning: ends[1])
      for end in ends {
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
      }
      watch(ends[0], for: .readable)
    }

    /// Watches a socket for `wanted` and nothing else.
    func watch(_ socket: Int32, for wanted: SocketEvents) {
      var events: Int32 = 0
      if wanted.contains(.readable) { events |= POLLIN }
      if wanted.contains(.writable) { events |= POLLOUT }
      let entry = pollfd(fd: socket, events: Int16(events), revents: 0)
      if let place = places[socket] {
        watched[place] = entry
      } else {
        places[socket] = watched.count
        watched.append(entry)
      }
    }

    /// Forgets a socket, which may have been closed already.
    func forget(_ socket: Int32) {
      guard let place = places.removeValue(forKey: socket) else { return }
      let last = watched.removeLast()
      guard last.fd != socket else { return }
      watched[place] = last
      places[last.fd] = place
    }

    /// Waits until a watched socket is ready, `wakeUp` is called, or `milliseconds` have passed.
    func wait(milliseconds: Int32) {
      isFresh = poll(&watched, nfds_t(watched.count), milliseconds) > 0
    }

    /// Hands out what the last wait has found, once. Sockets may be watched and forgotten meanwhile.
    func drain(_ body: (Int32, SocketEvents) -> Void) {
      guard isFresh else { return }
      isFresh = false
      for entry in watched where entry.revents != 0 {
        guard entry.fd != bell.number else {
          var rings: [UInt8] = Array(repeating: 0, count: 64)
          while Darwin.read(bell.number, &rings, rings.count) == rings.count {}
          continue
        }
        var ready: SocketEvents = []
        if Int32(entry.revents) & POLLIN != 0 { ready.insert(.readable) }
        if Int32(entry.revents) & POLLOUT != 0 { ready.insert(.writable) }
        if Int32(entry.revents) & (POLLERR | POLLHUP | POLLNVAL) != 0 { ready = [.readable, .writable] }
        body(entry.fd, ready)
      }
    }

    /// Ends the wait, from any thread; if nobody waits, the next wait returns at once.
    func wakeUp() {
      var ring: UInt8 = 1
      write(clapper.number, &ring, 1)
    }
  }
#endif
