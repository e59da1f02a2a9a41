/// Who may run next: a limited number at once, the more important first, then in order.
///
/// A download that is paused stays in the line without a place among those that run, and goes to the end when it wants
/// to run again.
package struct WaitingLine<Member: Hashable & Sendable>: Sendable {
  package enum Standing: Hashable, Sendable {
    /// Has just come; wants to run at its place in the order as soon as it says so.
    case new
    /// Wants to run.
    case waiting
    /// Has a place.
    case active
    /// Neither: paused.
    case idle
  }

  package struct Entry: Sendable {
    package let member: Member
    /// Higher ones go first.
    package var priority: Int
    package var standing: Standing
  }

  /// In the order in which those of the same priority run.
  package private(set) var entries: [Entry] = []
  /// How many may be active at once; fewer than one means none.
  package var limit: Int
  /// Nobody else becomes active while it is.
  package var isSuspended = false

  package init(limit: Int) { self.limit = limit }

  package var activeCount: Int { entries.count { $0.standing == .active } }

  package func index(of member: Member) -> Int? { entries.firstIndex { $0.member == member } }

  /// Adds a member, unless it is there, before the one at `index`; an index beyond the end means the end.
  package mutating func add(_ member: Member, priority: Int, at index: Int? = nil) {
    guard self.index(of: member) == nil else { return }
    let place = min(max(index ?? entries.count, 0), entries.count)
    entries.insert(Entry(member: member, priority: priority, standing: .new), at: place)
  }

  package mutating func remove(_ member: Member) {
    entries.removeAll { $0.member == member }
  }

  /// Moves a member so that it is then at `index`, or at the end if there is no such place.
  package mutating func move(_ member: Member, to index: Int) {
    guard let old = self.index(of: member) else { return }
    let entry = entries.remove(at: old)
    entries.insert(entry, at: min(max(index, 0), entries.count))
  }

  package mutating func setPriority(_ priority: Int, of member: Member) {
    guard let index = index(of: member) else { return }
    entries[index].priority = priority
  }

  /// Says how things stand with a member. One that wants to run again goes to the end of the line.
  package mutating func note(_ standing: Standing, of member: Member) {
    guard let index = index(of: member), entries[index].standing != standing else { return }
    let isNew = entries[index].standing == .new
    entries[index].standing = standing
    if standing == .waiting, !isNew { entries.append(entries.remove(at: index)) }
  }

  /// The next one that may run now, if there is one; `note` says what came of it.
  package var next: Member? {
    guard !isSuspended, activeCount < limit else { return nil }
    var best: Entry?
    for entry in entries where entry.standing == .waiting && entry.priority > best?.priority ?? .min { best = entry }
    return best?.member
  }
}
