/// Divides what is missing among transfers: guided self-scheduling (Polychronopoulos and Kuck, 1987).
///
/// Segments come from the front of what is missing and shrink as less remains, so that transfers of different
/// speed finish close together; when nothing is left to hand out, the far half of the largest remainder is stolen.
/// What is missing is always exactly tiled by `unassigned` and the segments' remainders.
package struct Planner: Sendable {
  package struct Policy: Hashable, Sendable {
    /// No segment is made smaller than this by choice, in bytes.
    package var smallest: Int64
    /// No segment is made larger than this, but for what alignment or a small rest adds; bounded where bytes should
    /// arrive nearly in order.
    package var largest: Int64

    package init(smallest: Int64, largest: Int64 = .max) {
      self.smallest = max(1, smallest)
      self.largest = max(largest, self.smallest)
    }
  }

  private let policy: Policy
  private let alignment: Int64
  /// Missing bytes that no transfer works on.
  package private(set) var unassigned: RangeSet
  /// The transfers' segments.
  package private(set) var segments: [TransferID: Segment] = [:]

  /// - Parameter alignment: segments end on multiples of this where they can, so that a block has one writer.
  package init(missing: RangeSet, policy: Policy, alignment: Int64) {
    unassigned = missing
    self.policy = policy
    self.alignment = alignment
  }

  /// Nothing is missing any more.
  package var isDone: Bool { unassigned.isEmpty && segments.isEmpty }

  /// Bytes not yet received.
  package var missingBytes: Int64 {
    segments.values.reduce(unassigned.byteCount) { $0 + $1.remainder.count }
  }

  /// Gives transfer `id` the next segment when `lanes` transfers share the work; nil when none is left to give.
  package mutating func take(for id: TransferID, lanes: Int) -> ByteRange? {
    guard let gap = unassigned.first else { return nil }
    let share = unassigned.byteCount / Int64(2 * max(1, lanes))
    let wanted = min(max(share, policy.smallest), policy.largest)
    let range = ByteRange(gap.lower, end(of: wanted, in: gap))
    unassigned.remove(range)
    assign(range, to: id)
    return range
  }

  /// Makes `range`, which must not be in anybody's hands, the segment of transfer `id`.
  package mutating func assign(_ range: ByteRange, to id: TransferID) {
    precondition(segments[id] == nil, "transfer \(id) has a segment already")
    segments[id] = Segment(range)
  }

  /// Gives transfer `id` a range of its own choosing out of what is unassigned: the first answer decides it.
  package mutating func claim(_ range: ByteRange, for id: TransferID) {
    unassigned.remove(range)
    assign(range, to: id)
  }

  /// Whose segment to split when a connection has run dry, and where; nil when no remainder is worth it.
  package func theft() -> (victim: TransferID, at: Int64)? {
    // The lower number breaks ties, so that equal plans make equal decisions.
    guard
      let (victim, segment) = segments.max(by: {
        ($0.value.remainder.count, $1.key.number) < ($1.value.remainder.count, $0.key.number)
      }), segment.remainder.count / 2 >= policy.smallest
    else { return nil }
    return (victim, segment.position + segment.remainder.count / 2)
  }

  package mutating func advance(_ id: TransferID, to offset: Int64) {
    segments[id]?.advance(to: offset)
  }

  /// Transfer `id` will stop at `end`; what lies behind is unassigned again.
  package mutating func shrink(_ id: TransferID, to end: Int64) {
    guard let released = segments[id]?.shrink(to: end), !released.isEmpty else { return }
    unassigned.insert(released)
  }

  /// Transfer `id` has ended; what it did not receive is unassigned again.
  package mutating func release(_ id: TransferID) {
    guard let segment = segments.removeValue(forKey: id), !segment.remainder.isEmpty else { return }
    unassigned.insert(segment.remainder)
  }

  /// Bytes thought to be there are missing after all.
  package mutating func lose(_ range: ByteRange) {
    unassigned.insert(range)
  }

  /// Where a segment of about `wanted` bytes from the start of `gap` ends: on the nearest multiple of the alignment
  /// that leaves neither side smaller than the policy allows.
  private func end(of wanted: Int64, in gap: ByteRange) -> Int64 {
    // A rest too small to stand alone goes along.
    guard gap.count - wanted >= policy.smallest else { return gap.upper }
    let room = gap.count - wanted - policy.smallest
    let cut = gap.lower + wanted
    let down = cut % alignment
    let up = alignment - down
    let mayGoDown = wanted - down >= policy.smallest
    // Far up, evenness matters more than alignment.
    let mayGoUp = up <= min(room, wanted)
    if mayGoDown && (down < up || !mayGoUp) { return cut - down }
    return mayGoUp ? cut + up : cut
  }
}
