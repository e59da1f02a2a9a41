#if canImport(Glibc)
  import Glibc
#else
  import Darwin
  import Dispatch
#endif

/// A counting semaphore of the system.
///
/// Unchecked: the kernel's object may be used from any thread, and its address never changes.
final class Semaphore: @unchecked Sendable {
  #if canImport(Glibc)
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { sem_init(semaphore, 0, 0) }

    deinit {
      sem_destroy(semaphore)
      semaphore.deallocate()
    }

    func post() { sem_post(semaphore) }

    func wait() {
      while sem_wait(semaphore) != 0 && errno == EINTR {}
    }
  #else
    private let semaphore = DispatchSemaphore(value: 0)

    init() {}

    func post() { semaphore.signal() }

    func wait() { semaphore.wait() }
  #endif
}
