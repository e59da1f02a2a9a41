import SheafCore
import Simulation

/// A whole download with a simulated shell, disk, network and clock; one seed is one life.
struct Simulation {
  enum News {
    case answered(Verdict)
    case redirected(Location)
    case wrote(ByteRange)
    case advanced(Int64)
    case shrunk(Int64)
    case ended(TransferEnding)
  }

  private(set) var machine: DownloadMachine
  private(set) var outcome: DownloadMachine.Action?
  /// What was wrong; the first thing only.
  private(set) var complaint: String?
  private(set) var events = 0

  private var dice: Dice
  private var server: SimulatedServer
  private let settings: DownloadMachine.Settings
  private let isExisting: Bool
  /// News and orders arrive at once, as on one loop, or late, as between two.
  private let isPrompt: Bool
  private var now = Instant(nanoseconds: 0)
  private var wakeAt: Instant?

  private var transfers: [SimulatedTransfer] = []
  private var news: [(id: TransferID, event: News)] = []
  private var orders: [(id: TransferID, end: Int64)] = []

  private var budget = HostBudget()
  private let member = HostBudget.Member(1)
  private var budgeted: Int64 = 0
  private var isConsulting = false
  /// What was asked for twice on purpose.
  private var raced = RangeSet()

  /// The bytes in the part file and the one version that they are of.
  private var disk = RangeSet()
  private var version: Int?
  private var ledger: BlockLedger?
  private var checkpoints = 0
  private var isSealing = false
  private var isPublishing = false
  /// Blocks that an earlier run claims and that are still to be checked.
  private var audit: [(index: Int, isDamaged: Bool)]?

  /// What the reader of a stream has taken, and which version its bytes were of.
  private(set) var delivered: Int64 = 0
  private var deliveredVersion: Int?

  /// No download may need more than this.
  private let mostEvents: Int

  /// - Parameter isRead: a reader takes the bytes in order, and nothing is kept.
  init(seed: Int, isRead: Bool = false) {
    var dice = Dice(seed: seed)
    server = SimulatedServer(dice: &dice)
    let identity = server.versions[0]
    var settings = DownloadMachine.Settings(
      connections: dice.pick(from: [1, 2, 4, 16]), tries: dice.pick(from: [0, 2, 5, 5]), digest: dice.oneIn(4))
    settings.minimumSplitSize = dice.pick(from: [1, 2, 4, 8]) * mebibyte
    if isRead {
      settings.window = dice.pick(from: [1, 3, 8, 64]) * mebibyte + dice.bytes(-1000...1000)
      settings.start = dice.oneIn(3) ? dice.bytes(0...20 * mebibyte) : 0
    }
    delivered = settings.start
    mostEvents = isRead ? 50_000 : 5000
    var resumed: DownloadMachine.Resumed?
    if !isRead, let total = identity.total, total > 0, dice.oneIn(3) {
      let map = BlockMap(total: total)
      let odds = dice.pick(from: [1, 2, 4])
      let claims = (0..<map.count).filter { _ in dice.oneIn(odds) }
      resumed = DownloadMachine.Resumed(identity, total: total, present: claims)
      resumed?.isFromElsewhere = dice.oneIn(3)
      let damage = dice.pick(from: [2, 10, 1000])
      audit = claims.map { ($0, dice.oneIn(damage)) }
      for (index, isDamaged) in audit ?? [] where !isDamaged { disk.insert(map.range(of: index)) }
      version = 0
      if let resumed { ledger = Self.ledger(map, resumed.complete) }
    }
    isExisting = resumed == nil && !isRead && dice.oneIn(12)
    isPrompt = dice.oneIn(2)
    machine = DownloadMachine(.original, settings: settings, resumed: resumed, existing: isExisting ? identity : nil)
    self.settings = settings
    self.dice = dice
  }

  private static func ledger(_ map: BlockMap, _ complete: Bitmap) -> BlockLedger {
    BlockLedger(map: map, complete: complete, checksums: []) { first, second, _ in first &+ second }
  }

  // MARK: - Its life

  mutating func run() {
    budget.join(member, ceiling: settings.connections, isPinned: false)
    carryOut(machine.begin(now: now))
    while outcome == nil, complaint == nil {
      events += 1
      guard events < mostEvents else { return complain("does not end") }
      step()
      consult()
    }
    guard complaint == nil else { return }
    checkOutcome()
  }

  private mutating func complain(_ text: String) {
    if complaint == nil { complaint = "\(text) (event \(events), \(now.nanoseconds / 1_000_000) ms)" }
  }

  /// What the shell does after each event.
  private mutating func consult() {
    guard outcome == nil else { return }
    for index in ledger?.takeUnread() ?? [] { ledger?.read(index, checksum: 1) }
    _ = budget.look(now: now)
    budget.received(machine.receivedBytes - budgeted, now: now)
    budgeted = machine.receivedBytes
    let active = machine.activeTransfers
    let allowance = budget.ask(member, active: active, wanted: machine.wantedTransfers, now: now)
    carryOut(machine.allowed(allowance, at: machine.host, now: now))
  }

  private mutating func step() {
    now = now.advanced(bySeconds: 0.02 * dice.fraction())
    if isPrompt, !orders.isEmpty { return carryOutOrder() }
    if isPrompt, !news.isEmpty { return deliver() }
    if let wakeAt, wakeAt <= now {
      self.wakeAt = nil
      return carryOut(machine.woke(now: now))
    }
    if settings.window != nil, dice.oneIn(4) { return read() }
    switch dice.pick(0...9) {
    case 0 where !orders.isEmpty: carryOutOrder()
    case 1...4 where !news.isEmpty: deliver()
    case 5 where hasDiskWork: workOnDisk()
    case _ where !transfers.isEmpty: move(dice.pick(0...transfers.count - 1))
    case _ where !orders.isEmpty: carryOutOrder()
    case _ where !news.isEmpty: deliver()
    case _ where hasDiskWork: workOnDisk()
    default:
      // The host may want quiet, of which only the budget knows the end.
      now = max(now, wakeAt ?? now.advanced(bySeconds: 0.1))
    }
  }

  // MARK: - The reader

  /// Takes some or all of what is there, and sometimes lets go only later what was taken.
  private mutating func read() {
    let end = machine.presentEnd(from: delivered)
    if end > delivered {
      let upper = dice.oneIn(2) ? end : dice.bytes(delivered + 1...end)
      let range = ByteRange(delivered, upper)
      if !disk.contains(range) { complain("is said to have \(range), and has \(disk.intersection(in: range))") }
      if deliveredVersion == nil { deliveredVersion = version }
      if deliveredVersion != version { complain("hands out versions \(deliveredVersion ?? -1) and \(version ?? -1)") }
      delivered = upper
      machine.handedOut(upTo: upper)
    }
    if !dice.oneIn(4) { carryOut(machine.consumed(upTo: delivered, now: now)) }
  }

  // MARK: - The network

  private mutating func move(_ index: Int) {
    guard transfers[index].isAccepted else { return answer(index) }
    let transfer = transfers[index]
    let limit = min(transfer.end, transfer.sent, transfer.limit)
    if limit > transfer.position {
      let offset = dice.oneIn(2) ? limit : dice.bytes(transfer.position + 1...limit)
      write(index, to: offset)
    }
    let id = transfer.id
    if transfers[index].hasAll {
      end(index, .finished)
    } else if server.mischief.breaks > 0, dice.oneIn(server.mischief.breaks) {
      end(index, .failed(TransferFailure(dice.pick(from: [.cut, .timedOut]), "it broke")))
    } else if server.mischief.endsEarly > 0, transfer.end < .max, dice.oneIn(server.mischief.endsEarly) {
      // An answer of unknown length that ends in order has said all: nobody could see the difference.
      end(index, .finished)
    } else if dice.oneIn(2) {
      news.append((id, .advanced(transfers[index].position)))
    }
  }

  private mutating func answer(_ index: Int) {
    let request = transfers[index].request
    switch server.reply(to: request, dice: &dice) {
    case .failure(let kind):
      end(index, .failed(TransferFailure(kind, "no answer")))
    case .redirect(let target):
      transfers.remove(at: index)
      news.append((request.id, .answered(.redirect)))
      news.append((request.id, .redirected(target)))
    case .verdict(let verdict):
      switch verdict {
      case _ where isExisting:
        // There is no part file to write to: the head alone is of interest.
        transfers.remove(at: index)
      case .range(let range, let identity):
        let limit = min(transfers[index].end, range.upper)
        transfers[index].accept(range, of: server.current, upTo: limit, total: identity.total)
      case .whole(let identity):
        let all = ByteRange(0, server.total(of: server.current))
        transfers[index].accept(all, of: server.current, upTo: identity.total ?? .max, total: identity.total)
      default:
        transfers.remove(at: index)
      }
      news.append((request.id, .answered(verdict)))
    }
  }

  private mutating func write(_ index: Int, to offset: Int64) {
    let transfer = transfers[index]
    let range = ByteRange(transfer.position, offset)
    if version == nil { version = transfer.version }
    if version != transfer.version { complain("mixes versions \(version ?? -1) and \(transfer.version ?? -1)") }
    // What the reader has had is written over by a stream that had to begin again.
    let isKept = settings.window == nil || offset > delivered
    if isKept, !isRaced(disk.intersection(in: range).filter { $0.upper > delivered || settings.window == nil }) {
      complain("writes \(range) twice")
    }
    disk.insert(range)
    for piece in transfers[index].write(to: offset) { news.append((transfer.id, .wrote(piece))) }
  }

  private mutating func end(_ index: Int, _ ending: TransferEnding) {
    let id = transfers[index].id
    if let piece = transfers[index].lastPiece() { news.append((id, .wrote(piece))) }
    if transfers[index].isAccepted { news.append((id, .advanced(transfers[index].position))) }
    news.append((id, .ended(ending)))
    transfers.remove(at: index)
  }

  private func isRaced(_ ranges: [ByteRange]) -> Bool {
    ranges.allSatisfy { raced.intersection(in: $0).reduce(0) { $0 + $1.count } == $0.count }
  }

  // MARK: - The shell

  private mutating func deliver() {
    let (id, event) = news.removeFirst()
    switch event {
    case .answered(let verdict): carryOut(machine.answered(id, verdict, now: now))
    case .redirected(let target): carryOut(machine.redirected(id, to: target, now: now))
    case .wrote(let range): if machine.counts(id) { ledger?.add(range, checksum: 1) }
    case .advanced(let offset): carryOut(machine.advanced(id, to: offset, now: now))
    case .shrunk(let end): carryOut(machine.shrunk(id, to: end, now: now))
    case .ended(let ending): carryOut(machine.ended(id, ending, now: now, random: dice.fraction()))
    }
    if machine.activeTransfers > settings.connections { complain("\(machine.activeTransfers) connections") }
    if let present = machine.presentBytes, present < 0 || present > machine.knownTotal ?? 0 {
      complain("\(present) bytes present")
    }
  }

  private mutating func carryOutOrder() {
    let (id, offset) = orders.removeFirst()
    guard let index = transfers.firstIndex(where: { $0.id == id }) else { return }
    let stop = transfers[index].shrink(to: offset)
    news.append((id, .shrunk(stop)))
    guard transfers[index].position == stop else { return }
    end(index, transfers[index].isAccepted ? .finished : .failed(TransferFailure(.cut, "given up")))
  }

  private mutating func carryOut(_ actions: [DownloadMachine.Action]) {
    for action in actions {
      if outcome != nil { complain("\(action) after the end") }
      switch action {
      case .request(let request): start(request)
      case .shrink(let id, let offset): orders.append((id, offset))
      case .abort(let id): transfers.removeAll { $0.id == id }
      case .extend(let id, let offset):
        guard let index = transfers.firstIndex(where: { $0.id == id }) else { continue }
        transfers[index].extend(to: offset)
      case .layOut(let layout):
        if layout.isResumed { continue }
        ledger = settings.window != nil ? nil : layout.blocks.map { Self.ledger($0, Bitmap(count: $0.count)) }
      case .prove(let indices):
        for index in indices {
          if let range = ledger?.map.range(of: index) { disk.remove(range) }
          ledger?.refute(index)
          audit?.removeAll { $0.index == index }
        }
      case .withdraw(let indices):
        for index in indices {
          if let range = ledger?.map.range(of: index) { disk.remove(range) }
          ledger?.refute(index)
        }
      case .strain(let strain, _):
        _ = budget.strained(member, strain, active: machine.activeTransfers, now: now)
      case .cover(let range): ledger?.cover(range)
      case .discard:
        raced = RangeSet()
        disk = RangeSet()
        version = nil
        ledger = nil
        audit = nil
      case .checkpoint:
        checkpoints += 1
        if checkpoints > 1 { complain("two checkpoints at once") }
      case .seal:
        isSealing = true
        if !transfers.isEmpty { complain("seals while transfers work") }
      case .publish: isPublishing = true
      case .wake(let moment): wakeAt = min(moment, wakeAt ?? moment)
      case .finish, .fail, .concludeAlreadyComplete: outcome = action
      case .report, .expect, .renew: break
      }
    }
  }

  private mutating func start(_ request: TransferRequest) {
    let transfer = SimulatedTransfer(request)
    checkWindow(request)
    if transfers.contains(where: { $0.id == request.id }) { complain("\(request.id) twice") }
    if machine.isRacing(request.id) {
      raced.insert(transfer.reach)
    } else if let other = transfers.first(where: { other in
      other.reach.intersection(transfer.reach).map { !isRaced([$0]) } ?? false
    }) {
      complain("\(transfer.reach) overlaps \(other.reach) of another transfer")
    }
    if request.question.range.isEmpty { complain("asks for nothing") }
    if request.carriesPrivateFields != (request.location.origin == Location.original.origin) {
      complain("private fields to \(request.location.url)")
    }
    transfers.append(transfer)
  }

  /// Nothing is asked for, or taken, that the reader's window has no room for.
  private mutating func checkWindow(_ request: TransferRequest) {
    guard let window = settings.window else { return }
    if request.question.asksRange, request.question.range.upper > delivered + window {
      complain("asks for \(request.question.range), and the reader is at \(delivered)")
    }
    if request.reach > delivered + window { complain("may take bytes up to \(request.reach) of \(delivered)") }
    // It begins again where the reader is, and what it had fetched ahead is fetched once more.
    if request.question.isOpen, let lost = disk.ranges.last, lost.upper > delivered {
      disk.remove(ByteRange(delivered, lost.upper))
      if delivered == settings.start { version = nil }
    }
  }

  // MARK: - The disk

  private var hasDiskWork: Bool { checkpoints > 0 || isSealing || isPublishing || audit != nil }

  private mutating func workOnDisk() {
    if checkpoints > 0 {
      checkpoints -= 1
      carryOut(machine.checkpointed(now: now))
    } else if let block = audit?.first {
      audit?.removeFirst()
      if block.isDamaged { ledger?.refute(block.index) }
      carryOut(machine.refuted(block.isDamaged ? [block.index] : [], now: now))
    } else if audit != nil {
      audit = nil
      carryOut(machine.audited(now: now))
    } else if isSealing {
      isSealing = false
      carryOut(machine.sealed())
    } else {
      isPublishing = false
      carryOut(machine.published())
    }
  }

  // MARK: - The end

  private mutating func checkOutcome() {
    if machine.activeTransfers != 0 || !transfers.isEmpty { complain("ends with transfers under way") }
    switch outcome {
    case .finish:
      let total = server.total(of: version ?? server.current)
      if !disk.contains(ByteRange(min(settings.start, total), total)) || disk.ranges.last?.upper ?? 0 > total {
        complain("finishes with \(disk.ranges) of \(total) bytes")
      }
      if machine.knownTotal != total || machine.presentBytes != total { complain("finishes without knowing all") }
      if let version, machine.identityInForce?.validator != server.versions[version].validator {
        complain("finishes under another identity")
      }
      if let ledger, !ledger.isComplete { complain("finishes with incomplete blocks") }
      if isExisting { complain("replaces an existing file") }
    case .concludeAlreadyComplete(let identity):
      if !isExisting || identity != server.versions[0] { complain("nothing was complete") }
      if !disk.isEmpty { complain("writes beside a complete file") }
    case .fail(let failure):
      if isExisting, !disk.isEmpty { complain("writes beside an existing file: \(failure)") }
    default:
      complain("no outcome")
    }
    // Whatever comes late finds nobody.
    while !news.isEmpty, complaint == nil { deliver() }
    carryOut(machine.woke(now: now.advanced(bySeconds: 1000)))
    carryOut(machine.checkpointed(now: now))
    carryOut(machine.sealed())
    carryOut(machine.published())
  }
}
