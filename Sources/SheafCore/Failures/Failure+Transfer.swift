extension Failure {
  /// What it means that the network or the server let a transfer down.
  package init(_ failure: TransferFailure) {
    let kind: Kind =
      switch failure.kind {
      case .timedOut: .timedOut
      case .nameResolution: .nameResolution
      case .malformed: .badResponse
      case .proxyLogin: .authorization
      case .notAllowed: .redirects
      case .connectionRefused, .tls, .cut, .endUnconfirmed, .other: .network
      }
    self.init(kind, failure.message)
  }
}
