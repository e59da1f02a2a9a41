/// The connections to one host, shared by all downloads of the process.
///
/// The controller says how many there may be. Each download says how many it has and how many it could use; what it may
/// have is its fair share (max-min), the oldest first where something is left over. What has been granted counts as
/// taken, used or not, so two downloads can never both get the last one.
package struct HostBudget: Sendable {
  /// Names a download among those of the process.
  package struct Member: Hashable, Sendable {
    package let number: Int
    package init(_ number: Int) { self.number = number }
  }

  /// What a download may have.
  package struct Allowance: Hashable, Sendable {
    /// No request is started beyond this many.
    package var most: Int
    /// Transfers beyond this many are given up, for another download has none.
    package var keeping: Int

    package init(most: Int, keeping: Int = .max) {
      self.most = most
      self.keeping = keeping
    }
  }

  package private(set) var controller = ConnectionController()
  private var claims: [Member: Claim] = [:]
  /// No download may start anything before this: the host said so to one of them.
  private var quietUntil: Instant?
  /// Until then there are no more connections than work now.
  private var growsAfter: Instant?

  private struct Claim {
    let ceiling: Int
    let isPinned: Bool
    var active = 0
    var wanted = 0
    /// What it was told it may have.
    var granted = 0
    /// It was told less than it wants.
    var isWaiting: Bool { granted < wanted }
  }

  package init() {}

  /// No download uses this host now.
  package var isUnused: Bool { claims.isEmpty }

  /// The connections that each download may count on if all want as many.
  package var fairShare: Int { controller.level / max(1, claims.count) }

  // MARK: - Members

  package mutating func join(_ member: Member, ceiling: Int, isPinned: Bool) {
    claims[member] = Claim(ceiling: ceiling, isPinned: isPinned)
    updateCeiling()
  }

  package mutating func leave(_ member: Member) {
    claims[member] = nil
    updateCeiling()
  }

  private mutating func updateCeiling() {
    guard let most = claims.values.map(\.ceiling).max() else { return }
    controller.allow(most, isPinned: claims.values.contains { $0.isPinned && $0.ceiling == most })
  }

  // MARK: - Asking

  /// A download has `active` transfers and could use `wanted`. Returns what it may have.
  package mutating func ask(_ member: Member, active: Int, wanted: Int, now: Instant) -> Allowance {
    guard claims[member] != nil else { return Allowance(most: wanted) }
    claims[member]?.active = active
    claims[member]?.wanted = wanted
    let allowance = allowance(of: member, now: now)
    claims[member]?.granted = max(active, allowance.most)
    return allowance
  }

  package func includes(_ member: Member) -> Bool { claims[member] != nil }

  /// The downloads that were told less than they want and may have more now.
  package func served(now: Instant) -> [Member] {
    claims.filter { $0.value.isWaiting && allowance(of: $0.key, now: now).most > $0.value.granted }.map(\.key)
      .sorted { $0.number < $1.number }
  }

  private func allowance(of member: Member, now: Instant) -> Allowance {
    if let quietUntil, now < quietUntil { return Allowance(most: 0) }
    let limit = limit(now: now)
    let others = claims.reduce(0) { $1.key == member ? $0 : $0 + max($1.value.granted, $1.value.active) }
    let room = max(0, limit - others)
    // With enough for all, as when many small files want one each, there is nothing to divide.
    let shares = claims.values.reduce(0) { $0 + $1.wanted } <= limit ? nil : shares(of: limit)
    let share = { (member: Member, claim: Claim) in shares?[member] ?? claim.wanted }
    // Over its share it keeps what it has, as long as nobody has to go without.
    let isSomebodyStarving = claims.contains { other, claim in
      other != member && claim.active == 0 && claim.granted == 0 && share(other, claim) > 0
    }
    let own = claims[member].map { share(member, $0) } ?? 0
    return Allowance(most: min(own, room), keeping: isSomebodyStarving ? max(1, own) : .max)
  }

  private func limit(now: Instant) -> Int {
    guard let growsAfter, now < growsAfter else { return controller.level }
    return max(1, min(controller.level, claims.values.reduce(0) { $0 + $1.active }))
  }

  /// Divides `level` connections: nobody gets more than it wants, and nobody less than another who wants as much.
  private func shares(of level: Int) -> [Member: Int] {
    var shares: [Member: Int] = [:]
    var left = level
    // Those who want least are served first; of equals the older one comes last and so gets what rounding leaves.
    let order = claims.sorted { ($0.value.wanted, -$0.key.number) < ($1.value.wanted, -$1.key.number) }
    for (index, (member, claim)) in order.enumerated() {
      let share = min(claim.wanted, left / (order.count - index))
      shares[member] = share
      left -= share
    }
    return shares
  }

  // MARK: - What is seen

  package mutating func received(_ bytes: Int64, now: Instant) { controller.received(bytes, now: now) }
  package mutating func measured(roundTrip seconds: Double, floor: Double? = nil) {
    controller.measured(roundTrip: seconds, floor: floor)
  }

  /// Something that a download with `active` transfers left tells of the host. Returns a sentence if it lowered the level.
  package mutating func strained(_ member: Member, _ strain: HostStrain, active: Int, now: Instant) -> String? {
    claims[member]?.active = active
    claims[member]?.granted = active
    switch strain {
    case .broke:
      return controller.broke(working: working, now: now)
    case .refused(let retryAfter, let isRateLimit):
      if let retryAfter {
        let end = now.advanced(bySeconds: Double(retryAfter))
        if isRateLimit { quietUntil = max(end, quietUntil ?? end) } else { growsAfter = max(end, growsAfter ?? end) }
      }
      return controller.refused(working: working, now: now)
    }
  }

  /// To be called several times a second. Returns a sentence if the controller decided something.
  package mutating func look(now: Instant) -> String? { controller.look(active: working, now: now) }

  private var working: Int { claims.values.reduce(0) { $0 + $1.active } }
}
