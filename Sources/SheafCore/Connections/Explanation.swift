/// What kept a download from being faster, from what was seen of it.
package struct Explanation: Hashable, Sendable {
  package enum Cause: Hashable, Sendable {
    /// Only one stream was possible, for this reason.
    case oneStream(String)
    /// The server turned requests away; it bears about this many connections.
    case throttled(refusals: Int, level: Int)
    /// The loops' threads were computing nearly all the time.
    case processor
    /// The loops' threads waited for the disk, or everything waited for its syncs.
    case disk
    /// All connections were equally fast, bytes per second each, and none had to queue: the server caps each.
    case connectionCap(rate: Double)
    /// The ceiling the user set, or the default, was reached while more connections still paid.
    case ceiling(Int)
    /// More connections brought no more, or round trips grew: the line, or the server as a whole.
    case line
    /// It was over before the connections had come up to speed.
    case tooShort
  }

  /// What was seen.
  package struct Evidence: Hashable, Sendable {
    /// Seconds from the start to the published file.
    package var duration = 0.0
    /// Why there was but one stream, if so.
    package var singleStream: String?
    package var findings = ConnectionController.Findings()
    package var level = 1
    package var ceiling = 1
    package var connectionsPeak = 1
    /// The share of samples in which all connections were about equally fast; nil without samples.
    package var evenness: Double?
    /// Bytes per second of one connection, at the median.
    package var connectionRate = 0.0
    /// Seconds; nil if unknown.
    package var roundTrip: Double?
    /// Of the busiest loop's time: computing, and anything but waiting for the network.
    package var computingShare = 0.0
    package var busyShare = 0.0
    /// Seconds in which everything waited for the disk: sizing, discarding, publishing.
    package var diskWait = 0.0

    package init() {}
  }

  /// The most important one first; never empty.
  package let causes: [Cause]

  package init(_ evidence: Evidence) {
    causes = Self.causes(evidence)
  }

  private static func causes(_ seen: Evidence) -> [Cause] {
    var causes: [Cause] = []
    if let reason = seen.singleStream { causes.append(.oneStream(reason)) }
    if seen.findings.refusals > 0 && seen.level < seen.ceiling {
      causes.append(.throttled(refusals: seen.findings.refusals, level: seen.level))
    }
    if seen.computingShare > 0.8 {
      causes.append(.processor)
    } else if seen.busyShare > 0.8 || seen.diskWait > 0.3 * seen.duration {
      causes.append(.disk)
    }
    guard causes.isEmpty else { return causes }
    if seen.duration < 1 || seen.duration < 12 * (seen.roundTrip ?? 0) { return [.tooShort] }
    let isEven = seen.evenness.map { $0 > 0.6 } ?? false
    let isLine = seen.findings.wasInflated || seen.findings.moreDidNotPay
    if isEven && !isLine { causes.append(.connectionCap(rate: seen.connectionRate)) }
    if seen.connectionsPeak >= seen.ceiling && !isLine && (isEven || seen.findings.ceilingWasReached) {
      causes.append(.ceiling(seen.ceiling))
    }
    return causes.isEmpty ? [.line] : causes
  }
}
