/// What the download has seen of its own speed.
extension DownloadMachine {
  /// Counts how often all transfers were about equally fast.
  struct Evenness: Sendable {
    /// Rates this close to each other, the slowest one's share of the fastest one's, are even.
    private static let close = 0.7
    private var even = 0
    private var samples = 0

    mutating func sample(_ evenness: Double?) {
      guard let evenness else { return }
      samples += 1
      if evenness > Self.close { even += 1 }
    }

    /// The share of samples in which the rates were even.
    var share: Double? { samples > 5 ? Double(even) / Double(samples) : nil }
  }

  /// Bytes that were received and are not part of the file: asked for twice, discarded or damaged.
  /// - Parameter resumed: bytes of the file that an earlier run had brought.
  package func wastedBytes(resumed: Int64) -> Int64 {
    presentBytes.map { max(0, received - max(0, $0 - resumed)) } ?? 0
  }

  /// The share of the transfers' time in which they waited for their answers.
  package var gapShare: Double { paces.gapShare }

  /// The machine's part of what explains the download's speed.
  package func evidence(now: Instant) -> Explanation.Evidence {
    var seen = Explanation.Evidence()
    seen.evenness = evenness.share
    seen.connectionRate = paces.usual(now: now) ?? 0
    seen.roundTrip = paces.latency
    if mode == .wholeOnly {
      seen.singleStream = "the server does not answer range requests"
    } else if strength == .none {
      seen.singleStream = "nothing identifies the file"
    }
    return seen
  }
}
