/// Second requests for what other transfers are working on.
///
/// A theft asks for the far part of its victim's segment; the victim gives that up when, and only when, the answer has
/// been accepted. A hedge asks for all that is left, at the very end: whichever of the two is done first wins.
package struct Races: Sendable {
  package enum Kind: Hashable, Sendable {
    case theft, hedge
  }

  package struct Race: Hashable, Sendable {
    package let kind: Kind
    /// The transfer whose bytes are asked for a second time.
    package let victim: TransferID
    package var segment: Segment
    package var isAccepted = false
    /// It has ended; what it has brought waits for the victim to give it up.
    package var isOver = false
  }

  private var races: [TransferID: Race] = [:]
  /// Bytes that hedges have asked for so far.
  package private(set) var hedgedBytes: Int64 = 0

  package init() {}

  package var count: Int { races.count }
  package var ids: [TransferID] { Array(races.keys) }
  package subscript(_ id: TransferID) -> Race? { races[id] }

  /// The transfers whose bytes, some or all, have been asked for a second time.
  package var victims: Set<TransferID> { Set(races.values.map(\.victim)) }

  /// Whether somebody has already asked for what transfer `id` has left, or a part of it.
  package func includes(victim id: TransferID) -> Bool { races.values.contains { $0.victim == id } }

  package mutating func add(_ id: TransferID, _ kind: Kind, against victim: TransferID, for range: ByteRange) {
    races[id] = Race(kind: kind, victim: victim, segment: Segment(range))
    if kind == .hedge { hedgedBytes += range.count }
  }

  package mutating func finish(_ id: TransferID) { races[id]?.isOver = true }
  package mutating func accept(_ id: TransferID) { races[id]?.isAccepted = true }

  /// Returns where the race `id` was before; nil if it is none.
  package mutating func advance(_ id: TransferID, to offset: Int64) -> Int64? {
    guard let before = races[id]?.segment.position else { return nil }
    if offset > before { races[id]?.segment.advance(to: offset) }
    return min(before, offset)
  }

  package mutating func remove(_ id: TransferID) -> Race? { races.removeValue(forKey: id) }

  /// Takes away and returns the theft that has been accepted against transfer `victim`.
  package mutating func removeTheft(against victim: TransferID) -> (id: TransferID, race: Race)? {
    guard let (id, race) = races.first(where: { $0.value.victim == victim }), race.kind == .theft, race.isAccepted
    else {
      return nil
    }
    races[id] = nil
    return (id, race)
  }

  /// Takes away and returns the race against transfer `victim`.
  package mutating func remove(against victim: TransferID) -> (id: TransferID, race: Race)? {
    guard let (id, race) = races.first(where: { $0.value.victim == victim }) else { return nil }
    races[id] = nil
    return (id, race)
  }
}
