/// How servers' names become addresses, and from where they are connected to.
public struct AddressOptions: Hashable, Sendable {
  /// The kinds of addresses there are.
  public enum Family: String, Hashable, Sendable, CaseIterable {
    /// Addresses such as 192.0.2.1.
    case ipv4
    /// Addresses such as 2001:db8::1.
    case ipv6
  }

  /// Nothing but addresses of this kind is connected to; nil is both. A proxy's own address is meant where there is one.
  public var family: Family?
  /// The interface, or the address or name of this machine, that connections come from: in libcurl's form, such as `eth0` or
  /// `if!eth0` or `192.0.2.7`.
  public var interface: String?
  /// Other places to connect to instead of a host and port, in curl's form `HOST1:PORT1:HOST2:PORT2`, of which any part may be
  /// empty. Certificates are checked against the first host's name.
  public var connectTo: [String] = []
  /// The https URL of a server that is asked for names' addresses (RFC 8484) in place of the system.
  public var dohURL: String?

  /// As the system does it.
  public init() {}
}
