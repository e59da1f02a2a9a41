/// What came of a simulated download.
package struct Outcome: Hashable, Sendable {
  /// Seconds until the last byte.
  package internal(set) var seconds = 0.0
  /// The file's bytes.
  package internal(set) var total: Int64 = 0
  /// Bytes that were written, twice the ones that were written twice.
  package internal(set) var received: Int64 = 0
  /// Bytes that came for transfers that had been ended.
  package internal(set) var dropped: Int64 = 0
  package internal(set) var requests = 0
  /// Connections opened in all, and transfers at once at most.
  package internal(set) var opened = 0
  package internal(set) var peakConnections = 0
  /// The share of the transfers' time in which they waited for their answers.
  package internal(set) var waitingShare = 0.0
  /// Events told to the machine, but for progress, and the CPU time of its answers, if there was a clock.
  package internal(set) var decisions = 0
  package internal(set) var decisionNanoseconds: UInt64 = 0
  /// Segments at once, and pieces of the file with gaps between them, at most.
  package internal(set) var peakSegments = 0
  package internal(set) var peakRanges = 0
  /// Bytes that the reader of a stream has taken.
  package internal(set) var read: Int64 = 0
  /// Moments at which something happened.
  package internal(set) var events = 0
  /// What was wrong; the first thing only.
  package internal(set) var complaint: String?

  package init() {}

  /// Bytes that came and were of no use.
  package var wasted: Int64 { received - total + dropped }
}
