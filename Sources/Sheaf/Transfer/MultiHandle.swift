import CCurl

/// The libcurl multi handle of one loop.
///
/// Unchecked: everything but `wakeUp` and `wait` is called on the loop's thread only; `curl_multi_wakeup` is the one
/// function that libcurl allows from others.
final class MultiHandle: @unchecked Sendable {
  private let pointer: OpaquePointer

  init() throws(CurlFailure) {
    guard let pointer = curl_multi_init() else { throw CurlFailure(CURLE_OUT_OF_MEMORY, "curl_multi_init failed") }
    self.pointer = OpaquePointer(pointer)
    // Ranges go over connections of their own, and as many stay open as a download may use.
    try set(CURLMOPT_PIPELINING, Int(CURLPIPE_NOTHING))
    try set(CURLMOPT_MAXCONNECTS, 512)
  }

  deinit { curl_multi_cleanup(raw) }

  private var raw: UnsafeMutableRawPointer { UnsafeMutableRawPointer(pointer) }

  func set(_ option: CURLMoption, _ value: Int) throws(CurlFailure) {
    try check(CCurl_setMultiLong(raw, option, value))
  }

  func add(_ handle: EasyHandle) throws(CurlFailure) {
    try check(curl_multi_add_handle(raw, handle.pointer))
  }

  func remove(_ handle: EasyHandle) {
    curl_multi_remove_handle(raw, handle.pointer)
  }

  /// Lets every transfer do what it can without waiting; runs the callbacks.
  func perform() {
    var running: Int32 = 0
    curl_multi_perform(raw, &running)
  }

  /// The next transfer that libcurl has finished with.
  func nextDone() -> (handle: UnsafeMutableRawPointer, result: CURLcode)? {
    var left: Int32 = 0
    while let message = curl_multi_info_read(raw, &left) {
      if message.pointee.msg == CURLMSG_DONE { return (message.pointee.easy_handle, CCurl_messageResult(message)) }
    }
    return nil
  }

  /// Waits for network traffic, a wake-up, or the end of `milliseconds`.
  func wait(milliseconds: Int32) {
    curl_multi_poll(raw, nil, 0, milliseconds, nil)
  }

  /// Ends `wait`, from any thread; if nobody waits, the next wait returns at once.
  func wakeUp() {
    curl_multi_wakeup(raw)
  }

  private func check(_ code: CURLMcode) throws(CurlFailure) {
    guard code == CURLM_OK else {
      throw CurlFailure(CURLE_FAILED_INIT, String(cString: curl_multi_strerror(code)))
    }
  }
}
