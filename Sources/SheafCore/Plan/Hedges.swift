/// Second requests for the rest of a laggard's segment, at the very end: whichever of the two is done first wins.
package struct Hedges: Sendable {
  package struct Hedge: Hashable, Sendable {
    /// The transfer whose rest is asked for a second time.
    package let victim: TransferID
    package var segment: Segment
    package var isAccepted = false
  }

  private var hedges: [TransferID: Hedge] = [:]
  /// Bytes asked for twice so far.
  package private(set) var bytes: Int64 = 0

  package init() {}

  package var count: Int { hedges.count }
  package var ids: [TransferID] { Array(hedges.keys) }
  package subscript(_ id: TransferID) -> Hedge? { hedges[id] }

  /// Whether transfer `id`'s rest has been asked for a second time.
  package func isHedged(_ id: TransferID) -> Bool { hedges.values.contains { $0.victim == id } }

  package mutating func add(_ id: TransferID, against victim: TransferID, for range: ByteRange) {
    hedges[id] = Hedge(victim: victim, segment: Segment(range))
    bytes += range.count
  }

  package mutating func accept(_ id: TransferID) { hedges[id]?.isAccepted = true }

  /// Returns where the hedge `id` was before; nil if it is none.
  package mutating func advance(_ id: TransferID, to offset: Int64) -> Int64? {
    guard let before = hedges[id]?.segment.position else { return nil }
    if offset > before { hedges[id]?.segment.advance(to: offset) }
    return min(before, offset)
  }

  package mutating func remove(_ id: TransferID) -> Hedge? { hedges.removeValue(forKey: id) }

  /// Takes away and returns the hedge against transfer `victim`.
  package mutating func remove(against victim: TransferID) -> (id: TransferID, hedge: Hedge)? {
    guard let (id, hedge) = hedges.first(where: { $0.value.victim == victim }) else { return nil }
    hedges[id] = nil
    return (id, hedge)
  }
}
