/// What may be fetched ahead of a reader who takes the bytes in order: nothing at or behind the horizon.
///
/// The horizon is no end of the file: where it cuts a gap short, the rest will come, so nobody need hurry, and no lane gets
/// a sliver because the reader has moved a little.
package struct Window: Hashable, Sendable {
  /// Bytes, at least 1.
  package let length: Int64
  /// The reader has dealt with everything before this offset.
  package private(set) var consumed: Int64

  package init(length: Int64, consumed: Int64 = 0) {
    self.length = max(1, length)
    self.consumed = consumed
  }

  package var horizon: Int64 {
    let (sum, overflow) = consumed.addingReportingOverflow(length)
    return overflow ? .max : sum
  }

  package mutating func consume(upTo offset: Int64) { consumed = max(consumed, offset) }

  /// The least to hand out where the horizon cuts a gap short. With segments of this size, as many lanes as share the work
  /// fill half of the window; the other half is for those that are ahead of a slower one.
  package func least(lanes: Int, smallest: Int64) -> Int64 {
    let half = length / Int64(2 * max(1, lanes))
    return max(1, min(max(half, smallest), length / 4))
  }

  /// The most to hand out at once, where a long way to the server makes large segments worth it: a quarter is left for those
  /// that are ahead.
  package func most(lanes: Int) -> Int64 { max(1, length / 4 * 3 / Int64(max(1, lanes))) }

  /// How many of so many lanes find something to do in it.
  package func lanes(of most: Int, smallest: Int64) -> Int {
    Int(clamping: min(Int64(most), max(1, length / least(lanes: most, smallest: smallest))))
  }
}
