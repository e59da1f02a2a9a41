/// A half-open interval of byte offsets, `lower..<upper`. Empty when both are equal.
///
/// The inclusive form of HTTP (`bytes=0-99`) exists only where a header is read or written.
package struct ByteRange: Hashable, Sendable {
  package let lower: Int64
  package let upper: Int64

  /// - Precondition: `0 <= lower <= upper`. What a server sends is checked before it gets here.
  package init(_ lower: Int64, _ upper: Int64) {
    precondition(0 <= lower && lower <= upper, "no byte range from \(lower) to \(upper)")
    self.lower = lower
    self.upper = upper
  }

  package var count: Int64 { upper - lower }
  package var isEmpty: Bool { lower == upper }

  package func contains(_ other: ByteRange) -> Bool {
    lower <= other.lower && other.upper <= upper
  }

  /// What both share; nil when that is nothing.
  package func intersection(_ other: ByteRange) -> ByteRange? {
    let start = max(lower, other.lower)
    let end = min(upper, other.upper)
    return start < end ? ByteRange(start, end) : nil
  }
}

extension ByteRange: CustomStringConvertible {
  package var description: String { "\(lower)..<\(upper)" }
}
