import SheafCore

/// F10. Any sequence of what transfers do to the planner: what is missing stays tiled, exactly.
func fuzzPlanner(_ input: Input) {
  var bench = PlannerBench(input)
  bench.run()
}

private struct PlannerBench {
  private var input: Input
  private let total: Int64
  private let smallest: Int64
  private var planner: Planner
  private var paces = Paces()
  private var received = RangeSet()
  private var live: [TransferID] = []
  private var number = 0
  private var now = Instant(nanoseconds: 0)

  init(_ input: Input) {
    var input = input
    total = input.size(upTo: .max)
    let flags = input.byte()
    smallest = 1 + input.size(upTo: 1 << 62)
    let largest = flags & 1 == 0 ? Int64.max : 1 + input.size(upTo: 1 << 62)
    let alignment = flags & 2 == 0 ? 1 << Int64(input.byte() % 41) : 1 + input.size(upTo: 1 << 62)
    var missing = RangeSet([ByteRange(0, total)])
    for _ in 0..<flags >> 5 {
      let lower = input.size(upTo: total)
      let there = ByteRange(lower, lower + input.size(upTo: total - lower))
      missing.remove(there)
      received.insert(there)
    }
    planner = Planner(
      missing: missing,
      policy: .init(
        smallest: smallest, smallestTheft: flags & 4 == 0 ? nil : 1 + input.size(upTo: 1 << 62), largest: largest),
      alignment: alignment)
    self.input = input
  }

  mutating func run() {
    check()
    var steps = 0
    while !input.isEmpty, steps < 300 {
      step()
      check()
      steps += 1
    }
  }

  private mutating func step() {
    let kind = input.byte()
    now = now.advanced(bySeconds: Double(kind >> 4) * 0.07)
    let id = live.isEmpty ? nil : live[Int(input.byte()) % live.count]
    switch kind & 15 {
    case 0...3: take()
    case 4...7:
      guard let id, let remainder = planner.segments[id]?.remainder else { return }
      receive(id, upTo: remainder.lower + input.size(upTo: remainder.count))
    case 8: if let id { paces.answered(id, now: now) }
    case 9...11: steal()
    case 12: if let id { end(id) }
    case 13:
      guard let id, let remainder = planner.segments[id]?.remainder else { return }
      planner.shrink(id, to: remainder.lower + input.size(upTo: remainder.count))
    case 14:
      guard let there = received.ranges.first else { return }
      let lost = ByteRange(there.lower, there.lower + max(1, input.size(upTo: there.count)))
      received.remove(lost)
      planner.lose(lost)
    default:
      guard let gap = planner.unassigned.ranges.last else { return }
      let claimed = ByteRange(gap.lower, gap.lower + max(1, input.size(upTo: gap.count)))
      let id = newID()
      planner.claim(claimed, for: id)
    }
  }

  private mutating func newID() -> TransferID {
    number += 1
    let id = TransferID(number)
    live.append(id)
    paces.started(id, now: now)
    return id
  }

  private mutating func take() {
    let gap = planner.unassigned.first
    number += 1
    let id = TransferID(number)
    let rate = input.byte() & 1 == 0 ? nil : Double(input.size(upTo: .max))
    let range = planner.take(for: id, lanes: Int(input.byte()), rate: rate, paces: paces, now: now)
    guard let range, let gap else { return require(range == nil && gap == nil, "takes nothing of something") }
    live.append(id)
    paces.started(id, now: now)
    require(gap.lower == range.lower && gap.contains(range) && !range.isEmpty, "\(range) is not the front of \(gap)")
    require(range.count >= min(smallest, gap.count), "\(range) of \(gap) is smaller than \(smallest)")
    require(range.upper == gap.upper || gap.upper - range.upper >= smallest, "\(range) leaves too little of \(gap)")
  }

  private mutating func receive(_ id: TransferID, upTo offset: Int64) {
    guard let remainder = planner.segments[id]?.remainder else { return }
    planner.advance(id, to: offset)
    paces.received(offset - remainder.lower, by: id, now: now)
    received.insert(ByteRange(remainder.lower, offset))
  }

  private mutating func steal() {
    guard let theft = planner.theft(paces: paces, now: now) else { return }
    guard let remainder = planner.segments[theft.victim]?.remainder else { complain("robs nobody") }
    require(
      remainder.lower <= theft.place && theft.place < remainder.upper, "a theft at \(theft.place) of \(remainder)")
    // The victim has gone on in the meantime.
    receive(theft.victim, upTo: remainder.lower + input.size(upTo: remainder.count))
    let position = planner.segments[theft.victim]?.position ?? 0
    planner.shrink(theft.victim, to: max(position, theft.place))
  }

  private mutating func end(_ id: TransferID) {
    _ = paces.ended(id, now: now)
    planner.release(id)
    live.removeAll { $0 == id }
  }

  private func check() {
    var pieces = planner.unassigned.ranges + planner.segments.values.map(\.remainder) + received.ranges
    pieces = pieces.filter { !$0.isEmpty }.sorted { $0.lower < $1.lower }
    var position: Int64 = 0
    for piece in pieces {
      require(piece.lower == position, "\(piece) follows byte \(position)")
      position = piece.upper
    }
    require(position == total, "ends at \(position) of \(total)")
    require(planner.missingBytes == total - received.byteCount, "\(planner.missingBytes) missing bytes")
    require(planner.isDone == (planner.missingBytes == 0 && planner.segments.isEmpty), "done or not?")
  }
}
