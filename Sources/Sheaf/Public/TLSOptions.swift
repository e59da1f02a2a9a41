/// What is shown to servers over TLS, and what is asked of them beyond a valid certificate.
public struct TLSOptions: Hashable, Sendable {
  /// The oldest version of TLS that a server may speak.
  public enum Version: String, Hashable, Sendable, CaseIterable {
    /// TLS 1.0 (RFC 2246).
    case tls10 = "TLSv1.0"
    /// TLS 1.1 (RFC 4346).
    case tls11 = "TLSv1.1"
    /// TLS 1.2 (RFC 5246).
    case tls12 = "TLSv1.2"
    /// TLS 1.3 (RFC 8446).
    case tls13 = "TLSv1.3"
  }

  /// A PEM file with the certificate that says who is asking. It is shown to the origin (scheme, host, port) of the
  /// download's URL and to nobody else.
  public var certificate: String?
  /// A PEM file with the key that belongs to it, if that is not in the same file.
  public var key: String?
  /// The public key that every server of the download must have: a PEM or DER file, or hashes in libcurl's form,
  /// `sha256//BASE64` with semicolons between them.
  public var pinnedPublicKey: String?
  /// Nil leaves it to libcurl and its TLS library.
  public var minimumVersion: Version?

  /// Nothing is shown, and a valid certificate is enough.
  public init() {}
}
