import CTLS

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A certificate and its key, ready to answer handshakes. May be shared by threads.
final class TLSContext: @unchecked Sendable {
  // Unchecked: libssl locks its contexts itself; the pointer never changes.
  private let context: OpaquePointer

  init(certificate: String, key: String) throws {
    // libssl writes with write(2), which knows no flag against the signal for a client that has gone.
    signal(SIGPIPE, SIG_IGN)
    guard let context = SSL_CTX_new(TLS_server_method()) else {
      throw TestAuthority.Failure(description: "libssl gave no context")
    }
    guard SSL_CTX_use_certificate_chain_file(context, certificate) == 1,
      SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) == 1
    else {
      SSL_CTX_free(context)
      throw TestAuthority.Failure(description: "libssl refused \(certificate)")
    }
    self.context = context
  }

  deinit {
    SSL_CTX_free(context)
  }

  /// Shakes hands on a connected socket; nil when the client wants none of it.
  func accept(on socket: CInt) -> OpaquePointer? {
    guard let session = SSL_new(context) else { return nil }
    guard SSL_set_fd(session, socket) == 1, SSL_accept(session) == 1 else {
      SSL_free(session)
      return nil
    }
    return session
  }
}
