#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A thread that runs one closure and is joined, or detached, once.
final class JoinableThread: Sendable {
  #if canImport(Glibc)
    private let handle: pthread_t
  #else
    private nonisolated(unsafe) let handle: pthread_t
  #endif

  init(_ body: @escaping @Sendable () -> Void) throws(SystemCallFailure) {
    let box = Unmanaged.passRetained(Body(run: body))
    #if canImport(Glibc)
      var handle = pthread_t()
      let code = pthread_create(&handle, nil, { JoinableThread.enter($0) }, box.toOpaque())
    #else
      var handle: pthread_t?
      let code = pthread_create(&handle, nil, { JoinableThread.enter($0) }, box.toOpaque())
    #endif
    guard code == 0 else {
      box.release()
      throw SystemCallFailure("pthread_create", code: code)
    }
    #if canImport(Glibc)
      self.handle = handle
    #else
      self.handle = handle!
    #endif
  }

  /// Waits for the closure to return. Must be called exactly once, and not by the thread itself.
  func join() {
    pthread_join(handle, nil)
  }

  /// Lets the thread end unobserved, in place of joining it.
  func detach() {
    pthread_detach(handle)
  }

  private static func enter(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    // Released before the thread ends, so that joining also means that all it captured is free.
    Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
    return nil
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
