import CCurl

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// libcurl's cookies, shared by handles on several threads.
///
/// Unchecked: libcurl guards the cookies with the mutex, by the two functions given to it; the pointers never change. It must
/// outlive every handle that uses it, which holds it for that.
final class CookieShare: @unchecked Sendable {
  let pointer: UnsafeMutableRawPointer
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>

  init() throws(CurlFailure) {
    guard let pointer = curl_share_init() else { throw CurlFailure(CURLE_OUT_OF_MEMORY, "curl_share_init failed") }
    self.pointer = pointer
    mutex = .allocate(capacity: 1)
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    // libcurl may lock the share and then the cookies.
    pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
    pthread_mutex_init(mutex, &attributes)
    pthread_mutexattr_destroy(&attributes)
    let code = CCurl_shareCookies(
      pointer,
      { _, _, _, context in
        if let context { pthread_mutex_lock(context.assumingMemoryBound(to: pthread_mutex_t.self)) }
      },
      { _, _, context in
        if let context { pthread_mutex_unlock(context.assumingMemoryBound(to: pthread_mutex_t.self)) }
      }, mutex)
    // Everything is initialized: the end of this object frees it.
    guard code == CURLSHE_OK else {
      throw CurlFailure(CURLE_FAILED_INIT, String(cString: curl_share_strerror(code)))
    }
  }

  deinit {
    curl_share_cleanup(pointer)
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Adds a cookie, as a line in the format of Netscape.
  func add(_ line: String) throws(CurlFailure) {
    let handle = try EasyHandle()
    try handle.use(self)
    try handle.set(CURLOPT_COOKIELIST, line)
  }

  /// All cookies that have not expired, as such lines.
  func all() -> [String] {
    guard let handle = try? EasyHandle(), (try? handle.use(self)) != nil else { return [] }
    return handle.cookies
  }
}
