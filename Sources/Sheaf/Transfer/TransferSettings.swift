import SheafCore

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
  /// A login that libcurl is to show, as the server wants it, to the origin it was given for.
  var login: LoginAnswer?
  /// Cookies for the origin that secrets are for, besides those of the jar.
  var cookie: String?
  var cookies: CookieJar?
  var proxy = ProxyOptions()
  var tls = TLSOptions()
  var addresses = AddressOptions()
  /// All of them hold.
  var limits: [RateLimit] = []
  /// When the file was changed is of interest.
  var asksServerTime = false

  private static let largestPiece = 512 << 10

  /// Bytes that libcurl may read at once.
  func pieceSize(_ now: Instant) -> Int {
    OwnLimit(limits.map { $0.share(now: now) }).pieceSize(most: Self.largestPiece)
  }
}
