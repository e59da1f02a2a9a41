/// What one request asked for, as far as its answer must match it.
package struct RangeQuestion: Hashable, Sendable {
  /// The bytes asked for. While the total is unknown, `upper` may lie beyond the file's end.
  package var range: ByteRange
  /// Bytes before `range` that are asked for as well, to be compared with those that another answer brought: where the
  /// identity is weak, only that shows whether the parts fit together.
  package var seam: Int64
  /// Whether the total is unknown yet: the first request of a fresh download.
  package var isOpen: Bool
  /// What earlier answers said; nil when nothing is known.
  package var pinned: Identity?
  /// The file's length, where another source has told it and this one has not answered yet.
  package var total: Int64?
  /// False for a plain GET, one without a Range field.
  package var asksRange: Bool

  package init(
    range: ByteRange, seam: Int64 = 0, isOpen: Bool = false, pinned: Identity? = nil, total: Int64? = nil,
    asksRange: Bool = true
  ) {
    self.range = range
    self.seam = seam
    self.isOpen = isOpen
    self.pinned = pinned
    self.total = total
    self.asksRange = asksRange
  }

  /// What the request says: the range with its seam.
  package var asked: ByteRange { ByteRange(range.lower - seam, range.upper) }
}
