/// What a download asks of the program while it runs, each question off unless it has an answer here.
///
/// No answer can make a download break its promises: bytes of another file are noticed wherever they come from, and names go
/// through the same checks as those of servers.
public struct DownloadHooks: Sendable {
  /// Gives another URL when the server refuses the one it has, as signed links are refused when they have expired: the
  /// download goes on with what it has, if the new URL leads to the same file. Nil ends the download, or does without that
  /// source if there are others. Asked up to three times in a row without an answer that can be used.
  public var refresh: (@Sendable (ExpiredLink) async -> FreshLink?)?

  /// Gives a name and a password, or a token, when the server wants to know who is asking. Nil ends the download. It is
  /// asked again if they are wrong, up to three times in a row.
  public var authenticate: (@Sendable (AuthenticationChallenge) async -> Credentials?)?

  /// Says whether a request may be sent over a connection that has come about: it sees the address that a name or a
  /// redirect really led to. A refusal ends the request before anything is sent, and the download with `redirects`.
  /// Called on an event loop's thread for every request, so it must not block.
  public var allowsConnection: (@Sendable (Connection) -> Bool)?

  /// Gives the file its name in the directory where it goes, for a download whose destination is a directory. It goes
  /// through the same checks as a name that a server chooses.
  public var name: (@Sendable (SuggestedName) async -> String)?

  /// No questions.
  public init() {}

  /// The name that a file would have, and where that comes from.
  public struct SuggestedName: Sendable {
    /// The name, made safe.
    public let name: String
    /// The URL without user information and query; with `DownloadOptions.naming` by the server, where redirects led.
    public let url: String
    /// The server suggests it, by `Content-Disposition`; else it is the last part of the URL's path.
    public let isSuggestedByServer: Bool
  }

  /// A URL that the server refuses.
  public struct ExpiredLink: Sendable {
    /// The URL, with its secrets.
    public let url: String
    /// The HTTP status of the refusal: 400, 401, 403, 404 or 410.
    public let status: Int
  }

  /// What takes the place of an expired link.
  public struct FreshLink: Sendable {
    /// An absolute http or https URL.
    public let url: String
    /// The header fields to send to its origin from now on; nil for those that the download had, if the origin is the same,
    /// else none.
    public let headers: [HeaderField]?

    /// Makes a link.
    public init(url: String, headers: [HeaderField]? = nil) {
      self.url = url
      self.headers = headers
    }
  }

  /// A server wants to know who is asking.
  public struct AuthenticationChallenge: Sendable {
    /// The URL without user information and query.
    public let url: String
    /// The values of the answer's `WWW-Authenticate` fields, such as `Basic realm="files"`.
    public let fields: [String]
  }

  /// Who is asking.
  public enum Credentials: Sendable {
    /// A name and a password, sent as Basic (RFC 7617).
    case password(name: String, password: String)
    /// A token, sent as Bearer (RFC 6750).
    case bearer(String)
  }

  /// A connection over which a request is about to be sent.
  public struct Connection: Sendable {
    /// The request's URL without user information and query.
    public let url: String
    /// The address at the other end, as a number; with a proxy, the proxy's.
    public let address: String
    /// The port at the other end.
    public let port: Int
  }
}
