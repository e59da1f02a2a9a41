/// Divides what is missing among transfers: guided self-scheduling (Polychronopoulos and Kuck, 1987).
///
/// Segments come from the front of what is missing and shrink as less remains, so that transfers of different
/// speed finish close together; when nothing is left to hand out, a part of the laggard's segment is taken over (`Theft`).
/// What is missing is always exactly tiled by `unassigned` and the segments' remainders.
package struct Planner: Sendable {
  package struct Policy: Hashable, Sendable {
    /// No segment is made smaller than this by choice, in bytes.
    package var smallest: Int64
    /// The same for a part that is taken over from another transfer, whose pace is known.
    package var smallestTheft: Int64
    /// No segment is made larger than this, but for what alignment, a small rest or a long way to the server adds; bounded
    /// where bytes should arrive nearly in order.
    package var largest: Int64

    package init(smallest: Int64, smallestTheft: Int64? = nil, largest: Int64 = .max) {
      self.smallest = max(1, smallest)
      self.smallestTheft = max(1, smallestTheft ?? smallest)
      self.largest = max(largest, self.smallest)
    }
  }

  /// A segment is the fair share of what is unassigned, divided by this. Less than the classical 2: every segment costs a
  /// round trip, and `Theft` mends what turns out uneven.
  private static let guide = 1.25
  /// The share of its time that a connection may spend waiting for answers.
  private static let idleShare = 0.03

  private var policy: Policy
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

  /// Has nothing to divide: before a plan is made, and where one stream brings all.
  package static let idle = Planner(missing: RangeSet(), policy: .init(smallest: 1), alignment: 1)

  /// Nothing is missing any more.
  package var isDone: Bool { unassigned.isEmpty && segments.isEmpty }

  /// Bytes not yet received.
  package var missingBytes: Int64 {
    segments.values.reduce(unassigned.byteCount) { $0 + $1.remainder.count }
  }

  /// Gives transfer `id` the next segment when `lanes` transfers share the work; nil when none is left to give.
  ///
  /// - Parameter rate: bytes per second of the connection that the transfer will go over, if it has a past.
  package mutating func take(
    for id: TransferID, lanes: Int, rate: Double? = nil, paces: Paces = Paces(), now: Instant = Instant(nanoseconds: 0)
  ) -> ByteRange? {
    guard let gap = unassigned.first else { return nil }
    let left = Double(unassigned.byteCount)
    let usual = paces.usual(now: now)
    // A faster connection gets more, so that all finish together.
    let weight = if let rate, let usual, usual > 0 { min(max(rate / usual, 1.0 / 16), 2) } else { 1.0 }
    let fair = left / Double(max(1, lanes)) * weight
    // Each segment costs a round trip in which its connection carries nothing.
    let busy = (rate ?? usual ?? 0) * (paces.latency ?? 0) / Self.idleShare
    let wanted = max(Int64(min(max(fair / Self.guide, min(busy, fair)), left)), policy.smallest)
    let range = ByteRange(gap.lower, end(of: min(wanted, max(policy.largest, Int64(min(busy, left)))), in: gap))
    unassigned.remove(range)
    assign(range, to: id)
    return range
  }

  /// From now on no segment is made larger than this, as far as the policy's `largest` goes.
  package mutating func limitSegments(to largest: Int64) { policy.largest = max(largest, policy.smallest) }

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

  /// Whose segment to split when a connection has run dry, and where; nil when nobody's is worth it.
  package func theft(
    paces: Paces = Paces(), sparing spared: Set<TransferID> = [], now: Instant = Instant(nanoseconds: 0)
  ) -> Theft? {
    let open = spared.isEmpty ? segments : segments.filter { !spared.contains($0.key) }
    return Theft.best(among: open, paces: paces, floor: policy.smallestTheft, blindFloor: policy.smallest, now: now)
  }

  package mutating func advance(_ id: TransferID, to offset: Int64) {
    segments[id]?.advance(to: offset)
  }

  /// Transfer `id` will stop at `end`; what lies behind, which is returned, is unassigned again.
  @discardableResult
  package mutating func shrink(_ id: TransferID, to end: Int64) -> ByteRange? {
    guard let released = segments[id]?.shrink(to: end), !released.isEmpty else { return nil }
    unassigned.insert(released)
    return released
  }

  /// Transfer `id` has ended; what it did not receive is unassigned again.
  package mutating func release(_ id: TransferID) {
    guard let segment = segments.removeValue(forKey: id), !segment.remainder.isEmpty else { return }
    unassigned.insert(segment.remainder)
  }

  /// Bytes thought to be there are missing after all.
  package mutating func lose(_ range: ByteRange) {
    var lost = RangeSet([range])
    // What a transfer has still to bring is missing already.
    for segment in segments.values { lost.remove(segment.remainder) }
    for range in lost.ranges { unassigned.insert(range) }
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
