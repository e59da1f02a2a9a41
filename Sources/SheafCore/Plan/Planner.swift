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
  /// Where somebody reads the bytes as they come: how far ahead of them to go.
  package private(set) var window: Window?
  /// What somebody waits for, the most urgent first: it is given before all else.
  package var urgent: [ByteRange] = []

  /// - Parameter alignment: segments end on multiples of this where they can, so that a block has one writer.
  package init(missing: RangeSet, policy: Policy, alignment: Int64, window: Window? = nil) {
    unassigned = missing
    self.policy = policy
    self.alignment = alignment
    self.window = window
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
    guard let gap = nextGap(lanes: lanes) else { return nil }
    let smallest = smallest(lanes: lanes)
    let left = Double(unassigned.byteCount)
    let usual = paces.usual(now: now)
    // A faster connection gets more, so that all finish together.
    let weight = if let rate, let usual, usual > 0 { min(max(rate / usual, 1.0 / 16), 2) } else { 1.0 }
    let fair = left / Double(max(1, lanes)) * weight
    // Each segment costs a round trip in which its connection carries nothing.
    let busy = (rate ?? usual ?? 0) * (paces.latency ?? 0) / Self.idleShare
    let wanted = max(Int64(min(max(fair / Self.guide, min(busy, fair)), left)), smallest)
    var most = max(policy.largest, Int64(min(busy, left)))
    if let window {
      let least = window.least(lanes: lanes, smallest: policy.smallest)
      most = min(most, max(least, min(Int64(min(busy, left)), window.most(lanes: lanes))))
      // What a slow one holds, the reader will wait for.
      if weight < 1 { most = max(smallest, Int64(Double(most) * weight)) }
    }
    if let share = urgentShare(at: gap.lower, lanes: lanes) { most = min(most, max(smallest, share)) }
    let range = ByteRange(gap.lower, end(of: min(wanted, most), in: gap, smallest: smallest))
    unassigned.remove(range)
    assign(range, to: id)
    return range
  }

  // MARK: - Readers

  /// The reader has dealt with everything before `offset`.
  package mutating func consume(upTo offset: Int64) { window?.consume(upTo: offset) }

  /// Whether `take` has something to give.
  package func canGive(lanes: Int) -> Bool { nextGap(lanes: lanes) != nil }

  /// The first byte at or behind `offset` that is not there yet, in whosever hands it is; nil if there is none.
  package func firstMissing(from offset: Int64) -> Int64? {
    let open = unassigned.ranges.first { $0.upper > offset }.map { max($0.lower, offset) }
    return segments.values.reduce(open) { first, segment in
      let rest = segment.remainder
      guard !rest.isEmpty, rest.upper > offset else { return first }
      return min(first ?? .max, max(rest.lower, offset))
    }
  }

  /// The transfer that the byte at `offset` is expected from.
  package func holder(of offset: Int64) -> (id: TransferID, segment: Segment)? {
    segments.first { $0.value.position <= offset && offset < $0.value.range.upper }.map {
      (id: $0.key, segment: $0.value)
    }
  }

  /// Where the next segment is to be cut from: what is urgent, else the first that is missing, as far as the window goes.
  private func nextGap(lanes: Int) -> ByteRange? {
    guard let gap = urgentGap ?? unassigned.first else { return nil }
    guard let window, gap.upper > window.horizon else { return gap }
    let room = window.horizon - gap.lower
    guard room >= window.least(lanes: lanes, smallest: policy.smallest) else { return nil }
    return ByteRange(gap.lower, window.horizon)
  }

  private var urgentGap: ByteRange? {
    for range in urgent {
      guard let part = unassigned.intersection(in: range).first else { continue }
      // Going on behind it costs nothing.
      return unassigned.ranges.first { $0.contains(part) }.map { ByteRange(part.lower, $0.upper) }
    }
    return nil
  }

  /// The share of each lane where several can bring an urgent range together.
  private func urgentShare(at offset: Int64, lanes: Int) -> Int64? {
    guard let range = urgent.first(where: { $0.lower <= offset && offset < $0.upper }) else { return nil }
    return unassigned.intersection(in: range).reduce(0) { $0 + $1.count } / Int64(max(1, lanes))
  }

  /// No segment is made smaller than this by choice.
  private func smallest(lanes: Int) -> Int64 {
    window.map { min(policy.smallest, $0.least(lanes: lanes, smallest: policy.smallest)) } ?? policy.smallest
  }

  // MARK: - Books

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
  private func end(of wanted: Int64, in gap: ByteRange, smallest: Int64) -> Int64 {
    // A rest too small to stand alone goes along.
    guard gap.count - wanted >= smallest else { return gap.upper }
    let room = gap.count - wanted - smallest
    let cut = gap.lower + wanted
    let down = cut % alignment
    let up = alignment - down
    let mayGoDown = wanted - down >= smallest
    // Far up, evenness matters more than alignment.
    let mayGoUp = up <= min(room, wanted)
    if mayGoDown && (down < up || !mayGoUp) { return cut - down }
    return mayGoUp ? cut + up : cut
  }
}
