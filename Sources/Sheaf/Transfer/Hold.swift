/// Why the bytes of a transfer are not taken: each reason comes and goes by itself, and the bytes flow only while there is
/// none.
enum Hold: Hashable, Sendable {
  /// Whoever the bytes are for has not dealt with those before yet.
  case consumer
  /// More has come lately than may come.
  case limit
}
