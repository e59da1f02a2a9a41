/// Who is asking.
///
/// It goes to the origin (scheme, host, port) of the download's URL, and not to where a redirect or a mirror is. What comes
/// first counts: an `Authorization` field among the download's header fields, `bearerToken`, user information in the URL,
/// `name` and `password`, the netrc file.
public struct Authentication: Hashable, Sendable {
  /// How a password is shown to a server.
  public enum Scheme: String, Hashable, Sendable, CaseIterable {
    /// As it is, with the first request (RFC 7617).
    case basic
    /// Not at all: the server gets a hash over it and over what it asked (RFC 7616). Each request costs a round trip more.
    case digest
    /// As digest if the server offers that, else as it is; each request costs a round trip more.
    case any
  }

  /// Nil is nobody.
  public var name: String?
  /// What proves it.
  public var password = ""
  /// How the server is shown both.
  public var scheme = Scheme.basic
  /// A token that stands for all of that (RFC 6750).
  public var bearerToken: String?

  /// Nobody, unless the URL or a netrc file says.
  public init() {}
}

extension Authentication: CustomStringConvertible, CustomReflectable {
  /// Without the secrets: it may be printed by accident.
  public var description: String { "Authentication(\(scheme.rawValue))" }

  /// Nothing of it.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
