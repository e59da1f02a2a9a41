/// What a download's transfers tell of how much their host bears.
package enum HostStrain: Hashable, Sendable {
  /// A request was turned away.
  /// - Parameters:
  ///   - retryAfter: seconds for which the host wants to be left alone.
  ///   - isRateLimit: it counts requests (429), so that even those in place of finished ones are unwelcome.
  case refused(retryAfter: Int64?, isRateLimit: Bool)
  /// A connection broke when it had hardly begun to bring something.
  case broke
}
