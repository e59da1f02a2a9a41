/// What kept a download from being faster, from what was seen of it.
package struct Explanation: Hashable, Sendable {
  package enum Cause: Hashable, Sendable {
    /// The user's own limit held it back, for this share of the time.
    case ownLimit(share: Double)
    /// Only one stream was possible, for this reason.
    case oneStream(String)
    /// The server turned requests away; it bears about this many connections.
    case throttled(refusals: Int, level: Int)
    /// The loop's thread was computing nearly all the time.
    case processor
    /// Everything waited for the disk, for this share of the time.
    case disk(share: Double)
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
    /// The share of its time in which the loop's thread used a core.
    package var computingShare = 0.0
    /// Seconds in which everything waited for the disk: sizing, discarding, publishing.
    package var diskWait = 0.0
    /// Seconds in which a limit of the user's held the download back.
    package var limited = 0.0

    package init() {}
  }

  /// The most important one first; never empty.
  package let causes: [Cause]

  package init(_ evidence: Evidence) {
    causes = Self.causes(evidence)
  }

  private static func causes(_ seen: Evidence) -> [Cause] {
    if seen.limited > 0.5 * seen.duration { return [.ownLimit(share: seen.limited / seen.duration)] }
    var causes: [Cause] = []
    if let reason = seen.singleStream { causes.append(.oneStream(reason)) }
    if seen.findings.refusals > 0 && seen.level < seen.ceiling {
      causes.append(.throttled(refusals: seen.findings.refusals, level: seen.level))
    }
    if seen.computingShare > 0.8 {
      causes.append(.processor)
    } else if seen.diskWait > 0.3 * seen.duration {
      causes.append(.disk(share: seen.diskWait / seen.duration))
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

extension Explanation.Cause {
  /// The cause for people, and what could be tried, without a full stop.
  package var sentence: String {
    switch self {
    case .ownLimit(let share): "our own limit: it held the download back for \(Int(min(share, 1) * 100)) % of the time"
    case .oneStream(let reason): "one connection: \(reason)"
    case .throttled(let refusals, let level):
      "the server: it turned \(refusals) request\(refusals == 1 ? "" : "s") away and bears about \(level) at once"
    case .processor: "this machine's processor: the network thread was busy nearly all the time"
    case .disk(let share): "the disk: \(Int(share * 100)) % of the time went into syncing the file"
    case .connectionCap(let rate):
      "the server: it seems to cap each connection, at about \(Int(rate / 1e5) / 10).\(Int(rate / 1e5) % 10) MB/s"
    case .ceiling(let count): "the limit of \(count) connections: more may bring more (-x)"
    case .line: "the line, or the server as a whole: more connections would hardly bring more"
    case .tooShort: "the start: it was over before the connections came up to speed"
    }
  }
}
