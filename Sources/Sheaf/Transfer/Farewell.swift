import CCurl
import CTLS

/// Whether a server has said on its TLS connection that nothing is missing: close_notify (RFC 8446 section 6.1).
///
/// libcurl takes a connection that somebody cut for one that the server ended. OpenSSL tells each alert that it receives;
/// GnuTLS and others, which have no such word here, report the cut as an error. Confined to the loop's thread.
final class Farewell {
  private(set) var wasHeard = false

  /// Listens on a connection for as long as that lasts, which may be longer than the transfer. Nil if this process has
  /// another OpenSSL than libcurl.
  init?(of session: OpaquePointer) {
    guard Self.isLibcurls, Self.slot >= 0 else { return nil }
    let listener = Unmanaged.passRetained(self)
    // An earlier one of the same connection would never be let go.
    guard SSL_get_ex_data(session, Self.slot) == nil, SSL_set_ex_data(session, Self.slot, listener.toOpaque()) == 1
    else {
      listener.release()
      return nil
    }
    SSL_set_info_callback(session) { session, event, alert in
      // The alert's level is in the second byte; close_notify is one whatever its level.
      guard event & SSL_CB_READ_ALERT == SSL_CB_READ_ALERT, alert & 0xFF == SSL_AD_CLOSE_NOTIFY,
        let listener = SSL_get_ex_data(session, Farewell.slot)
      else { return }
      Unmanaged<Farewell>.fromOpaque(listener).takeUnretainedValue().wasHeard = true
    }
  }

  /// Where OpenSSL keeps the listener of a connection, which it lets go together with that.
  private static let slot = CRYPTO_get_ex_new_index(
    CRYPTO_EX_INDEX_SSL, 0, nil, nil, nil,
    { _, listener, _, _, _, _ in
      if let listener { Unmanaged<Farewell>.fromOpaque(listener).release() }
    })

  /// A libcurl with an OpenSSL of its own inside would hand out objects that ours cannot read.
  private static let isLibcurls: Bool = {
    guard let theirs = curl_version_info(CURLVERSION_FIRST)?.pointee.ssl_version,
      let ours = OpenSSL_version(OPENSSL_VERSION)
    else { return false }
    // "OpenSSL/3.0.17" and "OpenSSL 3.0.17 1 Jul 2025".
    let words = String(cString: ours).split(separator: " ")
    return words.count >= 2 && String(cString: theirs) == words.prefix(2).joined(separator: "/")
  }()
}
