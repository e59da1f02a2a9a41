#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A signal, given once, that wakes every thread waiting on it.
///
/// It is a pipe whose writing end is closed by `trigger`, so that a thread can wait for it and for a socket together.
final class StopSignal: Sendable {
  enum Wake { case stopped, hungUp, timedOut }

  let readEnd: CInt
  private let writeEnd: Monitor<CInt?>

  init() throws(SystemCallFailure) {
    let ends = try makePipe()
    readEnd = ends.read
    writeEnd = Monitor(ends.write)
  }

  deinit {
    trigger()
    close(readEnd)
  }

  func trigger() {
    writeEnd.withLock { end in
      if let open = end { close(open) }
      end = nil
    }
  }

  var isTriggered: Bool { writeEnd.read { $0 == nil } }

  /// Waits until the signal, until `seconds` are over, or until the peer of `socket` has gone.
  func wait(seconds: Double?, watching socket: CInt? = nil) -> Wake {
    let deadline = seconds.map { monotonicSeconds() + $0 }
    while true {
      var timeout: CInt = -1
      if let deadline {
        let left = deadline - monotonicSeconds()
        if left <= 0 { return isTriggered ? .stopped : .timedOut }
        timeout = CInt(min((left * 1000).rounded(.up), 3_600_000))
      }
      var watched = [
        pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0),
        pollfd(fd: socket ?? -1, events: hangUpEvent, revents: 0),
      ]
      if poll(&watched, 2, timeout) < 0, errno != EINTR { return .stopped }
      if watched[0].revents != 0 { return .stopped }
      if watched[1].revents != 0 { return .hungUp }
    }
  }
}

/// What poll reports when the peer has closed its side. Linux alone tells it apart from unread data.
#if os(Linux)
  let hangUpEvent: Int16 = 0x2000  // POLLRDHUP, which the module hides behind a feature macro
#else
  let hangUpEvent = Int16(POLLHUP)
#endif

/// Seconds on the monotonic clock.
package func monotonicSeconds() -> Double {
  var now = timespec()
  clock_gettime(CLOCK_MONOTONIC, &now)
  return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
}

/// A pipe that child processes do not inherit (`ChildProcess` closes the gap between the two calls).
func makePipe() throws(SystemCallFailure) -> (read: CInt, write: CInt) {
  var ends: [CInt] = [-1, -1]
  guard pipe(&ends) == 0 else { throw SystemCallFailure("pipe") }
  for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  return (ends[0], ends[1])
}
