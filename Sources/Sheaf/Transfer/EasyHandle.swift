import CCurl
import SheafCore

/// One libcurl easy handle and everything libcurl does not copy.
///
/// Confined to the thread of the loop that runs it.
final class EasyHandle {
  let pointer: UnsafeMutableRawPointer
  private var lists: [CURLoption.RawValue: UnsafeMutablePointer<curl_slist>] = [:]
  private let errorText: UnsafeMutablePointer<CChar>
  /// Kept for as long as libcurl uses it.
  private var cookieShare: CookieShare?

  init() throws(CurlFailure) {
    guard let pointer = curl_easy_init() else { throw CurlFailure(CURLE_OUT_OF_MEMORY, "curl_easy_init failed") }
    self.pointer = pointer
    errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit {
    curl_easy_cleanup(pointer)
    for list in lists.values { curl_slist_free_all(list) }
    errorText.deallocate()
  }

  /// Back to a new handle's options; connections and sessions stay.
  func reset() throws(CurlFailure) {
    curl_easy_reset(pointer)
    errorText[0] = 0
    try set(CURLOPT_ERRORBUFFER, pointer: errorText)
  }

  func set(_ option: CURLoption, _ value: Int) throws(CurlFailure) {
    try check(CCurl_setLong(pointer, option, value), option)
  }

  func set(_ option: CURLoption, _ value: String) throws(CurlFailure) {
    try check(CCurl_setString(pointer, option, value), option)
  }

  func set(_ option: CURLoption, pointer value: UnsafeMutableRawPointer?) throws(CurlFailure) {
    try check(CCurl_setPointer(pointer, option, value), option)
  }

  func set(_ option: CURLoption, _ callback: @escaping CCurl_DataCallback) throws(CurlFailure) {
    try check(CCurl_setDataCallback(pointer, option, callback), option)
  }

  /// Has `callback` called with `context` when a connection stands, before the request is sent.
  func onConnected(_ context: UnsafeMutableRawPointer, _ callback: @escaping curl_prereq_callback) throws(CurlFailure) {
    try check(CCurl_setConnectedCallback(pointer, callback, context), CURLOPT_PREREQFUNCTION)
  }

  /// Takes sockets from a `SpareSockets`, which must stay alive for as long as the handle may connect.
  func useSockets(of spares: SpareSockets) throws(CurlFailure) {
    let context = Unmanaged.passUnretained(spares).toOpaque()
    try check(
      CCurl_setSocketSource(pointer, SpareSockets.open, SpareSockets.configure, context), CURLOPT_OPENSOCKETFUNCTION)
  }

  /// Takes part in the share's cookies, or in none any more. Not while the handle is in a multi handle.
  func use(_ share: CookieShare?) throws(CurlFailure) {
    guard share !== cookieShare else { return }
    try set(CURLOPT_SHARE, pointer: share?.pointer)
    cookieShare = share
  }

  /// All cookies of its share, as lines in the format of Netscape.
  var cookies: [String] {
    var list: UnsafeMutablePointer<curl_slist>?
    guard CCurl_getList(pointer, CURLINFO_COOKIELIST, &list) == CURLE_OK else { return [] }
    defer { curl_slist_free_all(list) }
    var lines: [String] = []
    var next = list
    while let entry = next {
      if let text = entry.pointee.data { lines.append(String(cString: text)) }
      next = entry.pointee.next
    }
    return lines
  }

  /// Replaces a list of texts, such as the request's own header fields.
  func set(_ option: CURLoption, _ lines: [String]) throws(CurlFailure) {
    var list: UnsafeMutablePointer<curl_slist>?
    for line in lines {
      guard let longer = curl_slist_append(list, line) else {
        curl_slist_free_all(list)
        throw CurlFailure(CURLE_OUT_OF_MEMORY, "curl_slist_append failed")
      }
      list = longer
    }
    let code = CCurl_setList(pointer, option, list)
    curl_slist_free_all(lists[option.rawValue])
    lists[option.rawValue] = list
    try check(code, option)
  }

  /// Has a transfer go on that a callback has paused. What libcurl kept is handed over before this returns, and what the
  /// callback said of it comes back from here and nowhere else.
  func resume() -> CURLcode { curl_easy_pause(pointer, CURLPAUSE_CONT) }

  // MARK: - What libcurl knows of the transfer

  /// The numeric address of the other end.
  var address: String? {
    var text: UnsafePointer<CChar>?
    guard CCurl_getString(pointer, CURLINFO_PRIMARY_IP, &text) == CURLE_OK, let text else { return nil }
    let address = String(cString: text)
    return address.isEmpty ? nil : address
  }

  /// Seconds that the TCP handshake took; nil if the connection had been there before.
  var handshake: Double? {
    var resolved: curl_off_t = 0
    var connected: curl_off_t = 0
    guard CCurl_getOffset(pointer, CURLINFO_NAMELOOKUP_TIME_T, &resolved) == CURLE_OK,
      CCurl_getOffset(pointer, CURLINFO_CONNECT_TIME_T, &connected) == CURLE_OK, connected > resolved
    else { return nil }
    return Double(connected - resolved) / 1e6
  }

  /// OpenSSL's object for the connection that the transfer is using now; nil without TLS or with another library for it.
  var session: OpaquePointer? {
    var info: UnsafeMutablePointer<curl_tlssessioninfo>?
    guard CCurl_getTLSSession(pointer, &info) == CURLE_OK, let info, info.pointee.backend == CURLSSLBACKEND_OPENSSL
    else { return nil }
    return info.pointee.internals.map { OpaquePointer($0) }
  }

  /// What a proxy said to the last wish for a tunnel; 0 if there was none.
  var tunnelStatus: Int {
    var status = 0
    return CCurl_getLong(pointer, CURLINFO_HTTP_CONNECTCODE, &status) == CURLE_OK ? status : 0
  }

  /// Whether the transfer has got a connection, TLS included.
  var isConnected: Bool {
    var microseconds: curl_off_t = 0
    return CCurl_getOffset(pointer, CURLINFO_PRETRANSFER_TIME_T, &microseconds) == CURLE_OK && microseconds > 0
  }

  /// libcurl's words for the last failure; the general ones where the exact ones could repeat a proxy's URL with its
  /// password.
  func message(for code: CURLcode) -> String {
    let detail = String(cString: errorText)
    return printable(detail.isEmpty || detail.contains("@") ? String(cString: curl_easy_strerror(code)) : detail)
  }

  private func check(_ code: CURLcode, _ option: CURLoption) throws(CurlFailure) {
    guard code == CURLE_OK else { throw CurlFailure(code, "libcurl refuses option \(option.rawValue)") }
  }
}
