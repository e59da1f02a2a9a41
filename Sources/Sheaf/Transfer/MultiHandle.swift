import CCurl
import SheafCore

/// The libcurl multi handle of one loop, and the waiting for its sockets and timer.
///
/// Unchecked: everything but `wakeUp` is called on the loop's thread only.
final class MultiHandle: @unchecked Sendable {
  private let pointer: OpaquePointer
  private let watch: SocketWatch

  /// What libcurl's two callbacks reach: they come at any time until the multi handle has gone, this object's end
  /// included.
  private final class SocketWatch {
    let poller: Poller
    /// When libcurl wants to be called although no socket is ready.
    var deadline: Instant?
    /// The socket that each transfer was last said to wait for.
    var sockets: [UnsafeMutableRawPointer: Int32] = [:]

    init(_ poller: Poller) { self.poller = poller }
  }

  init() throws(CurlFailure) {
    guard let pointer = curl_multi_init() else { throw CurlFailure(CURLE_OUT_OF_MEMORY, "curl_multi_init failed") }
    self.pointer = OpaquePointer(pointer)
    do throws(SystemError) {
      watch = SocketWatch(try Poller())
    } catch {
      curl_multi_cleanup(pointer)
      throw CurlFailure(CURLE_OUT_OF_MEMORY, "\(error.call) failed: \(error.message)")
    }
    // Ranges go over connections of their own, and as many stay open as a download may use.
    try set(CURLMOPT_PIPELINING, Int(CURLPIPE_NOTHING))
    try set(CURLMOPT_MAXCONNECTS, 512)
    let context = Unmanaged.passUnretained(watch).toOpaque()
    try check(
      CCurl_setSocketCallback(
        raw,
        { easy, socket, what, context, _ in
          guard let context else { return 0 }
          let watch = Unmanaged<SocketWatch>.fromOpaque(context).takeUnretainedValue()
          let poller = watch.poller
          if what != CURL_POLL_REMOVE { watch.sockets[easy] = socket }
          switch what {
          case CURL_POLL_IN: poller.watch(socket, for: .readable)
          case CURL_POLL_OUT: poller.watch(socket, for: .writable)
          case CURL_POLL_INOUT: poller.watch(socket, for: [.readable, .writable])
          case CURL_POLL_REMOVE: poller.forget(socket)
          default: break
          }
          return 0
        }, context))
    try check(
      CCurl_setTimerCallback(
        raw,
        { _, milliseconds, context in
          guard let context else { return 0 }
          // Only noted: acting on it in here would be calling libcurl from its own callback.
          Unmanaged<SocketWatch>.fromOpaque(context).takeUnretainedValue().deadline =
            milliseconds < 0 ? nil : Instant.now.advanced(bySeconds: Double(milliseconds) / 1000)
          return 0
        }, context))
  }

  deinit { curl_multi_cleanup(raw) }

  private var raw: UnsafeMutableRawPointer { UnsafeMutableRawPointer(pointer) }

  func set(_ option: CURLMoption, _ value: Int) throws(CurlFailure) {
    try check(CCurl_setMultiLong(raw, option, value))
  }

  /// Adds a handle; libcurl asks by its timer to be called at once.
  func add(_ handle: EasyHandle) throws(CurlFailure) {
    try check(curl_multi_add_handle(raw, handle.pointer))
  }

  func remove(_ handle: EasyHandle) {
    curl_multi_remove_handle(raw, handle.pointer)
    watch.sockets[handle.pointer] = nil
  }

  /// The socket of a transfer whose answer has begun. `CURLINFO_ACTIVESOCKET` tells it only when the transfer is done.
  func socket(of handle: EasyHandle) -> Int32? { watch.sockets[handle.pointer] }

  /// Waits for network traffic, a wake-up, libcurl's timer, or the end of `milliseconds`.
  func wait(milliseconds: Int32) {
    watch.poller.wait(milliseconds: min(milliseconds, watch.deadline?.milliseconds(since: .now) ?? milliseconds))
  }

  /// Lets the transfers whose sockets are ready or whose time has come do what they can; runs the callbacks.
  func perform() {
    var running: Int32 = 0
    watch.poller.drain { socket, ready in
      var bits: Int32 = 0
      if ready.contains(.readable) { bits |= CURL_CSELECT_IN }
      if ready.contains(.writable) { bits |= CURL_CSELECT_OUT }
      curl_multi_socket_action(raw, socket, bits, &running)
    }
    guard let deadline = watch.deadline, deadline <= .now else { return }
    // It rings once. If this is a moment too early, libcurl sets it again.
    watch.deadline = nil
    CCurl_timeOut(raw, &running)
  }

  /// The next transfer that libcurl has finished with.
  func nextDone() -> (handle: UnsafeMutableRawPointer, result: CURLcode)? {
    var left: Int32 = 0
    while let message = curl_multi_info_read(raw, &left) {
      if message.pointee.msg == CURLMSG_DONE { return (message.pointee.easy_handle, CCurl_messageResult(message)) }
    }
    return nil
  }

  /// Ends `wait`, from any thread; if nobody waits, the next wait returns at once.
  func wakeUp() {
    watch.poller.wakeUp()
  }

  private func check(_ code: CURLMcode) throws(CurlFailure) {
    guard code == CURLM_OK else {
      throw CurlFailure(CURLE_FAILED_INIT, String(cString: curl_multi_strerror(code)))
    }
  }
}
