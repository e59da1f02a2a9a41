#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import SheafCore

extension Instant {
  /// Now, on the system's monotonic clock.
  static var now: Instant {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Instant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
  }

  /// Milliseconds from `earlier` to this moment, rounded up: 0 if it has passed, a minute at most.
  func milliseconds(since earlier: Instant) -> Int32 {
    Int32(min(60_000, max(0, (seconds(since: earlier) * 1000).rounded(.up))))
  }
}

/// Seconds of processor time that the calling thread has used.
func processorSecondsOfThisThread() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Seconds since the epoch on the clock of the wall, which may jump: only for dates in header fields.
func wallClockSeconds() -> Int64 {
  var time = timespec()
  clock_gettime(CLOCK_REALTIME, &time)
  return Int64(time.tv_sec)
}
