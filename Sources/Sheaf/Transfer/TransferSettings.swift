/// What all transfers of a download have in common.
struct TransferSettings: Sendable {
  var userAgent: String
  /// Fields that only the origin they were given for may see.
  var privateFields: [HeaderField]
  var certificateAuthorityFile: String?
  var checksCertificate: Bool
  /// Seconds.
  var connectTimeout: Int
  /// Whether a request may go out over a connection; without it, over any.
  var allowsConnection: (@Sendable (DownloadHooks.Connection) -> Bool)?
  /// Seconds without a byte.
  var idleTimeout: Int
}
