/// The address that a transfer is told to connect to, in place of one that libcurl would choose.
struct TransferRoute: Hashable, Sendable {
  /// Numeric, without brackets.
  let address: String
  /// Seconds that connecting may take, TLS included, at most.
  let connectTimeout: Int

  /// libcurl's form for any host and port, with the port kept: the name in the certificate and in `Host` stay.
  var connectTo: String { address.contains(":") ? "::[\(address)]:" : "::\(address):" }
}
