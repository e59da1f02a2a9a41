/// Bytes per second over the last few seconds, from samples of a growing count.
package struct RateMeter: Sendable {
  private static let window = 3.0
  private static let spacing = 0.1
  private var samples: [(at: Instant, bytes: Int64)] = []

  package init() {}

  /// Notes that `bytes` had been received by `now`. Samples closer together than a tenth of a second are merged.
  package mutating func sample(_ bytes: Int64, at now: Instant) {
    if samples.count > 1, now.seconds(since: samples[samples.count - 2].at) < Self.spacing {
      samples.removeLast()
    }
    samples.append((now, bytes))
    while samples.count > 2, now.seconds(since: samples[0].at) > Self.window { samples.removeFirst() }
  }

  /// Zero until two samples are there.
  package var bytesPerSecond: Double {
    guard let first = samples.first, let last = samples.last, first.at < last.at else { return 0 }
    return Double(last.bytes - first.bytes) / last.at.seconds(since: first.at)
  }
}
