/// The range one transfer is working on, and how far it has come.
package struct Segment: Hashable, Sendable {
  package private(set) var range: ByteRange
  /// The offset of the next byte to receive.
  package private(set) var position: Int64

  package init(_ range: ByteRange) {
    self.range = range
    position = range.lower
  }

  /// What is still to be received.
  package var remainder: ByteRange { ByteRange(position, range.upper) }
  package var hasProgressed: Bool { position > range.lower }

  package mutating func advance(to offset: Int64) {
    precondition(position <= offset && offset <= range.upper, "segment \(range) at \(position) cannot go to \(offset)")
    position = offset
  }

  /// Gives up everything from `end` on.
  package mutating func shrink(to end: Int64) -> ByteRange {
    precondition(position <= end && end <= range.upper, "segment \(range) at \(position) cannot end at \(end)")
    defer { range = ByteRange(range.lower, end) }
    return ByteRange(end, range.upper)
  }
}

/// Names one transfer of a download; never used twice.
package struct TransferID: Hashable, Sendable {
  package let number: Int
  package init(_ number: Int) { self.number = number }
}
