import SheafCore
import Synchronization

/// The connection budgets of all hosts, shared by the downloads of the process.
final class HostBudgets: Sendable {
  typealias Member = HostBudget.Member

  private struct State {
    var budgets: [Location.Origin: HostBudget] = [:]
    var wakers: [Member: @Sendable () -> Void] = [:]
    var members = 0
  }

  /// What a download tells when it asks.
  struct Question {
    var host: Location.Origin
    var active: Int
    var wanted: Int
    /// Bytes received since it last asked.
    var received: Int64
    /// Seconds.
    var roundTrip: Double?
    var roundTripFloor: Double?
    /// A limit of the user's makes it as slow as it is, which says nothing about the host.
    var isHeldBack = false
  }

  struct Answer {
    var allowance: HostBudget.Allowance
    /// What the controller decided, if it did.
    var decision: String?
  }

  /// Budgets of hosts that nobody uses are kept for what they learnt, up to this many hosts in all.
  private static let mostHosts = 1024

  private let state = Mutex(State())

  /// Makes a member for a download; `wake` is called, on any thread, when it may have more than it was told.
  func newMember(wake: @escaping @Sendable () -> Void) -> Member {
    state.withLock { state in
      state.members += 1
      let member = Member(state.members)
      state.wakers[member] = wake
      return member
    }
  }

  /// The download goes on without connections to `host`.
  func leave(_ member: Member, _ host: Location.Origin, now: Instant) {
    wake { state in
      state.budgets[host]?.leave(member)
      return state.budgets[host]?.served(now: now) ?? []
    }
  }

  func end(_ member: Member) {
    state.withLock { $0.wakers[member] = nil }
  }

  func ask(_ member: Member, _ question: Question, ceiling: Int, isPinned: Bool, now: Instant) -> Answer {
    wake { state in
      Self.makeRoom(in: &state.budgets)
      // In place: a copy of the budget for each question would cost more than the question.
      let answer = state.budgets[question.host, default: HostBudget()].answer(
        member, question, ceiling: ceiling, isPinned: isPinned, now: now)
      return (answer, state.budgets[question.host]?.served(now: now) ?? [])
    }
  }

  /// Returns what the controller decided, if it did.
  func strained(_ member: Member, _ host: Location.Origin, _ strain: HostStrain, active: Int, now: Instant) -> String? {
    state.withLock { $0.budgets[host]?.strained(member, strain, active: active, now: now) }
  }

  /// What the host's controller has seen, its level and its ceiling.
  func controller(of host: Location.Origin) -> ConnectionController? {
    state.withLock { $0.budgets[host]?.controller }
  }

  /// The connections that each download may count on if all want as many.
  func fairShare(of host: Location.Origin) -> Int {
    state.withLock { $0.budgets[host]?.fairShare ?? 0 }
  }

  private static func makeRoom(in budgets: inout [Location.Origin: HostBudget]) {
    if budgets.count > mostHosts { budgets = budgets.filter { !$0.value.isUnused } }
  }

  private func wake(_ change: (inout State) -> [Member]) {
    wake { state in ((), change(&state)) }
  }

  /// Changes the state, then wakes whom that serves, outside the lock.
  private func wake<Result>(_ change: (inout State) -> (Result, [Member])) -> Result {
    let (result, wakers) = state.withLock { state in
      let (result, served) = change(&state)
      return (result, served.compactMap { state.wakers[$0] })
    }
    for wake in wakers { wake() }
    return result
  }
}

extension HostBudget {
  fileprivate mutating func answer(
    _ member: Member, _ question: HostBudgets.Question, ceiling: Int, isPinned: Bool, now: Instant
  ) -> HostBudgets.Answer {
    if !includes(member) { join(member, ceiling: ceiling, isPinned: isPinned) }
    received(question.received, now: now)
    var decision: String?
    if !question.isHeldBack {
      if let roundTrip = question.roundTrip { measured(roundTrip: roundTrip, floor: question.roundTripFloor) }
      decision = look(now: now)
    }
    return .init(
      allowance: ask(member, active: question.active, wanted: question.wanted, now: now), decision: decision)
  }
}
