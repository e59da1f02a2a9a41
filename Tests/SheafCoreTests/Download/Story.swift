import SheafCore

/// A download told event by event: hands events to a machine and keeps the books that the shell would keep.
struct Story {
  typealias Action = DownloadMachine.Action

  /// A transfer that has been requested and has neither ended nor been aborted.
  struct Transfer {
    let request: TransferRequest
    var position: Int64
    var end: Int64
    var isAccepted = false

    var id: TransferID { request.id }
  }

  private(set) var machine: DownloadMachine
  /// What the last event brought, what carrying out orders to shrink brought included.
  private(set) var last: [Action] = []
  private(set) var all: [Action] = []
  /// In the order in which they were requested.
  private(set) var transfers: [Transfer] = []
  var now = Instant(nanoseconds: 0)
  private(set) var budgets: [Location.Origin: HostBudget] = [:]
  private let member = HostBudget.Member(1)
  private var budgeted: [Location.Origin: Int64] = [:]

  init(
    _ settings: DownloadMachine.Settings = .init(), at location: Location = .original, mirrors: [Location] = [],
    resumed: DownloadMachine.Resumed? = nil, existing: Identity? = nil
  ) {
    machine = DownloadMachine(location, mirrors: mirrors, settings: settings, resumed: resumed, existing: existing)
  }

  // MARK: - What there is to see

  var outcome: Action? {
    all.first {
      switch $0 {
      case .finish, .fail, .concludeAlreadyComplete: true
      default: false
      }
    }
  }

  var failure: Failure? {
    guard case .fail(let failure) = outcome else { return nil }
    return failure
  }

  var warnings: [String] { all.compactMap { if case .report(.warning(let text)) = $0 { text } else { nil } } }
  var lastRequests: [TransferRequest] { last.requests }
  /// The latest transfer; the only one where a story has one.
  var latest: TransferID { transfers.last?.id ?? TransferID(-1) }

  func transfer(_ id: TransferID) -> Transfer? { transfers.first { $0.id == id } }

  // MARK: - Events

  mutating func happen(_ event: (inout DownloadMachine, Instant) -> [Action]) {
    last = []
    carryOut(event(&machine, now))
    consultBudget()
  }

  /// What the shell does after each event.
  private mutating func consultBudget() {
    guard outcome == nil else { return }
    for standing in machine.standings {
      var budget = budgets[standing.host] ?? HostBudget()
      if !budget.includes(member) { budget.join(member, ceiling: machine.settings.connections, isPinned: true) }
      budget.received(standing.received - (budgeted[standing.host] ?? 0), now: now)
      budgeted[standing.host] = standing.received
      _ = budget.look(now: now)
      let allowance = budget.ask(member, active: standing.active, wanted: standing.wanted, now: now)
      budgets[standing.host] = budget
      carryOut(machine.allowed(allowance, at: standing.host, now: now))
    }
  }

  var budget: HostBudget { budgets[machine.host] ?? HostBudget() }

  mutating func limit(_ standing: OwnLimit) { machine.limited(standing, now: now) }

  mutating func begin() { happen { $0.begin(now: $1) } }

  mutating func wait(_ seconds: Double) {
    now = now.advanced(bySeconds: seconds)
    happen { $0.woke(now: $1) }
  }

  /// The transfer is answered with what it asked for, or with `length` bytes of it.
  mutating func accept(_ id: TransferID, _ identity: Identity, length: Int64? = nil) {
    guard let index = index(of: id) else { return }
    let asked = transfers[index].request.question.range
    let answered = ByteRange(
      asked.lower, min(asked.upper, asked.lower + (length ?? .max - asked.lower), identity.total ?? .max))
    transfers[index].end = min(transfers[index].end, answered.upper)
    transfers[index].isAccepted = true
    happen { $0.answered(id, .range(answered, identity), now: $1) }
  }

  /// The transfer is answered with the whole file.
  mutating func acceptWhole(_ id: TransferID, _ identity: Identity) {
    guard let index = index(of: id) else { return }
    transfers[index].end = identity.total ?? .max
    transfers[index].isAccepted = true
    happen { $0.answered(id, .whole(identity), now: $1) }
  }

  /// The transfer is answered with something that has no use for its body.
  mutating func answer(_ id: TransferID, _ verdict: Verdict) {
    forget(id)
    happen { $0.answered(id, verdict, now: $1) }
  }

  mutating func redirect(_ id: TransferID, to target: Location) {
    happen { $0.answered(id, .redirect, now: $1) }
    forget(id)
    happen { $0.redirected(id, to: target, now: $1) }
  }

  mutating func progress(_ id: TransferID, to offset: Int64) {
    guard let index = index(of: id) else { return }
    transfers[index].position = offset
    happen { $0.advanced(id, to: offset, now: $1) }
  }

  /// The server ends the answer in order, after the last byte or before it.
  mutating func end(_ id: TransferID) {
    forget(id)
    happen { $0.ended(id, .finished, now: $1, random: 0.5) }
  }

  /// The transfer carries its segment to the end.
  mutating func finish(_ id: TransferID) {
    guard let transfer = transfer(id) else { return }
    progress(id, to: transfer.end)
    let before = last
    end(id)
    last = before + last
  }

  mutating func fail(_ id: TransferID, _ kind: TransferFailure.Kind) {
    forget(id)
    happen { $0.ended(id, .failed(TransferFailure(kind, "it broke")), now: $1, random: 0.5) }
  }

  mutating func seal() { happen { machine, _ in machine.sealed() } }
  mutating func publish() { happen { machine, _ in machine.published() } }

  /// Every request is answered well, until none is left.
  mutating func fetchAll(_ identity: Identity) {
    var steps = 0
    while let next = transfers.first, outcome == nil, steps < 10_000 {
      steps += 1
      if let unanswered = transfers.first(where: { !$0.isAccepted }) {
        accept(unanswered.id, identity)
      } else {
        finish(next.id)
      }
    }
  }

  mutating func fetchAllAndPublish(_ identity: Identity) {
    fetchAll(identity)
    seal()
    publish()
  }

  // MARK: - Orders

  private mutating func carryOut(_ actions: [Action]) {
    last += actions
    all += actions
    for action in actions {
      switch action {
      case .request(let request):
        let range = request.question.range
        transfers.append(Transfer(request: request, position: range.lower, end: range.upper))
      case .abort(let id):
        forget(id)
      case .strain(let strain, let host):
        _ = budgets[host]?.strained(member, strain, active: machine.activeTransfers(at: host), now: now)
      case .shrink(let id, let offset):
        guard let index = index(of: id) else { continue }
        let end = max(transfers[index].position, min(transfers[index].end, offset))
        transfers[index].end = end
        carryOut(machine.shrunk(id, to: end, now: now))
      default:
        break
      }
    }
  }

  private func index(of id: TransferID) -> Int? { transfers.firstIndex { $0.id == id } }
  private mutating func forget(_ id: TransferID) { transfers.removeAll { $0.id == id } }
}

extension [DownloadMachine.Action] {
  var requests: [TransferRequest] {
    compactMap { if case .request(let request) = $0 { request } else { nil } }
  }

  var shrinks: Int { count { if case .shrink = $0 { true } else { false } } }

  var layouts: [DownloadMachine.Layout] {
    compactMap { if case .layOut(let layout) = $0 { layout } else { nil } }
  }

  var wake: Instant? {
    for case .wake(let moment) in self { return moment }
    return nil
  }
}
