#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A value behind a mutex whose changes can be waited for.
///
/// `Synchronization.Mutex` has no condition variable; tests need one to wait for progress without sleeping.
package final class Monitor<Value: Sendable>: @unchecked Sendable {
  // Unchecked: `value` is touched only while `mutex` is held.
  private var value: Value
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>

  package init(_ value: Value) {
    self.value = value
    mutex = .allocate(capacity: 1)
    condition = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Runs `body` with the value to itself, then wakes whoever waits for a change.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(condition)
      pthread_mutex_unlock(mutex)
    }
    return try body(&value)
  }

  /// Reads without waking anybody.
  package func read<Result>(_ body: (Value) -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body(value)
  }

  /// Blocks until `found` returns something or `seconds` are over; nil then. Nil `seconds` means no limit.
  package func wait<Result>(seconds: Double? = nil, until found: (Value) -> Result?) -> Result? {
    var deadline = timespec()
    if let seconds {
      clock_gettime(CLOCK_REALTIME, &deadline)
      let nanoseconds = Int64(deadline.tv_nsec) + Int64(seconds * 1e9)
      deadline.tv_sec += time_t(nanoseconds / 1_000_000_000)
      deadline.tv_nsec = Int(nanoseconds % 1_000_000_000)
    }
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = found(value) { return result }
      if seconds == nil {
        pthread_cond_wait(condition, mutex)
      } else if pthread_cond_timedwait(condition, mutex, &deadline) == ETIMEDOUT {
        return found(value)
      }
    }
  }
}
