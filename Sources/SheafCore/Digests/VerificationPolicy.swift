/// What is done with digests that others than the user offer.
package enum VerificationPolicy: String, Hashable, Sendable {
  /// Compare what there is.
  case auto
  /// The same, but a file with nothing to compare it with is not taken.
  case require
  /// Leave them alone.
  case off
}
