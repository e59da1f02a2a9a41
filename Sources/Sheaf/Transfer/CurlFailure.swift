import CCurl
import SheafCore

/// What libcurl says went wrong.
struct CurlFailure: Error {
  let code: CURLcode
  let message: String

  init(_ code: CURLcode, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension TransferFailure {
  /// All of libcurl's codes in the few kinds that decide what to do.
  init(_ code: CURLcode, _ message: String) {
    let kind: Kind =
      switch code {
      case CURLE_COULDNT_CONNECT: .connectionRefused
      case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .nameResolution
      case CURLE_OPERATION_TIMEDOUT: .timedOut
      case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
        CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS:
        .tls
      case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2_STREAM,
        CURLE_HTTP2:
        .cut
      case CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING,
        CURLE_TOO_MANY_REDIRECTS:
        .malformed
      default: .other
      }
    self.init(kind, message)
  }
}
