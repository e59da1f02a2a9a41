import SheafCore
import Simulation
import Testing

/// Who has each byte of a small file, kept as plainly as possible.
private struct OwnerTable: Equatable {
  static let free: UInt8 = 0
  static let received: UInt8 = 255
  var owners: [UInt8]

  init(count: Int64, _ owner: UInt8) { owners = Array(repeating: owner, count: Int(count)) }

  /// What the planner says; bytes that it does not mention have been received.
  init(count: Int64, _ planner: Planner) {
    self.init(count: count, Self.received)
    for range in planner.unassigned.ranges { set(range, Self.free) }
    for (id, segment) in planner.segments { set(segment.remainder, UInt8(id.number)) }
  }

  mutating func set(_ range: ByteRange, _ owner: UInt8) {
    owners.replaceSubrange(Int(range.lower)..<Int(range.upper), with: repeatElement(owner, count: Int(range.count)))
  }

  func count(of owner: UInt8) -> Int64 { owners.reduce(0) { $0 + ($1 == owner ? 1 : 0) } }
}

@Suite("Planner, in any order of events")
struct PlannerSequenceTests {
  @Test("tiles what is missing, exactly", arguments: 0..<8)
  func tiles(_ group: Int) {
    for seed in group * 500..<(group + 1) * 500 {
      guard let complaint = Self.complaint(about: seed) else { continue }
      Issue.record("seed \(seed): \(complaint)")
      return
    }
  }

  /// Plays one random sequence; says what went wrong.
  private static func complaint(about seed: Int) -> String? {
    var dice = Dice(seed: seed)
    let total = dice.bytes(0...120)
    let smallest = dice.bytes(1...12)
    let largest = dice.oneIn(2) ? Int64.max : dice.bytes(1...40)
    let alignment = dice.bytes(1...20)
    var missing = RangeSet([ByteRange(0, total)])
    var table = OwnerTable(count: total, OwnerTable.free)
    if total > 0, dice.oneIn(2) {
      let lower = dice.bytes(0...total)
      let there = ByteRange(lower, dice.bytes(lower...total))
      missing.remove(there)
      table.set(there, OwnerTable.received)
    }
    var planner = Planner(
      missing: missing, policy: .init(smallest: smallest, largest: largest), alignment: alignment)
    var live: [TransferID] = []
    var number = 0

    for step in 0..<60 {
      let id = live.isEmpty ? nil : dice.pick(from: live)
      switch dice.pick(0...9) {
      case 0...2:
        number += 1
        let gap = planner.unassigned.first
        guard let range = planner.take(for: TransferID(number), lanes: dice.pick(1...8)) else {
          if gap != nil { return "step \(step): nothing given" }
          continue
        }
        guard let gap, gap.lower == range.lower, gap.contains(range), !range.isEmpty else {
          return "step \(step): \(range) is not the front of \(String(describing: gap))"
        }
        if range.count < min(smallest, gap.count) { return "step \(step): \(range) of \(gap) is too small" }
        if range.upper < gap.upper, gap.upper - range.upper < smallest {
          return "step \(step): \(range) leaves too little of \(gap)"
        }
        if max(largest, smallest) < .max, range.count > max(largest, smallest) + max(alignment, smallest) {
          return "step \(step): \(range) is too large"
        }
        table.set(range, UInt8(number))
        live.append(TransferID(number))
      case 3...5:
        guard let id, let remainder = planner.segments[id]?.remainder else { continue }
        let offset = dice.bytes(remainder.lower...remainder.upper)
        planner.advance(id, to: offset)
        table.set(ByteRange(remainder.lower, offset), OwnerTable.received)
      case 6...7:
        guard let theft = planner.theft(), case let (victim, at) = (theft.victim, theft.place) else {
          if planner.segments.values.contains(where: { $0.remainder.count >= 2 * smallest }) {
            return "step \(step): there was something to steal"
          }
          continue
        }
        guard let remainder = planner.segments[victim]?.remainder else { return "step \(step): robs nobody" }
        if at - remainder.lower < smallest || remainder.upper - at < smallest {
          return "step \(step): a theft at \(at) of \(remainder)"
        }
        // The victim has gone on in the meantime.
        let position = dice.oneIn(2) ? remainder.lower : dice.bytes(remainder.lower...remainder.upper)
        planner.advance(victim, to: position)
        table.set(ByteRange(remainder.lower, position), OwnerTable.received)
        let end = max(position, at)
        planner.shrink(victim, to: end)
        table.set(ByteRange(end, remainder.upper), OwnerTable.free)
      case 8:
        guard let id, let remainder = planner.segments[id]?.remainder else { continue }
        planner.release(id)
        live.removeAll { $0 == id }
        table.set(remainder, OwnerTable.free)
      default:
        guard total > 0, dice.oneIn(3) else { continue }
        // One received byte turns out to be damaged.
        guard let place = table.owners.firstIndex(of: OwnerTable.received) else { continue }
        let range = ByteRange(Int64(place), Int64(place) + 1)
        planner.lose(range)
        table.set(range, OwnerTable.free)
      }
      if OwnerTable(count: total, planner) != table { return "step \(step): the planner and the model disagree" }
      if planner.missingBytes != total - table.count(of: OwnerTable.received) {
        return "step \(step): \(planner.missingBytes) missing bytes"
      }
      if planner.isDone != (planner.missingBytes == 0 && live.isEmpty) { return "step \(step): done or not?" }
    }
    return nil
  }

  static let totals: [Int64] = [
    0, 1, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, (1 << 32) - 1, 1 << 32, (1 << 32) + 1, 1 << 40, (1 << 62) + 1,
    .max - 1, .max,
  ]

  @Test("ends, whatever the file's size and the connections' speeds", arguments: totals, [1, 3, 16])
  func ends(_ total: Int64, _ lanes: Int) {
    var dice = Dice(seed: lanes)
    let map = BlockMap(total: total)
    var planner = Planner(
      missing: RangeSet([ByteRange(0, total)]), policy: .init(smallest: max(1 << 20, total / 1000)),
      alignment: map.blockSize)
    var speeds: [TransferID: Int64] = [:]
    var number = 0
    var steps = 0
    while !planner.isDone {
      steps += 1
      guard steps < 20_000 else {
        Issue.record("\(planner.missingBytes) of \(total) bytes are still missing")
        return
      }
      while speeds.count < lanes {
        number += 1
        let id = TransferID(number)
        if planner.take(for: id, lanes: lanes) != nil {
          speeds[id] = max(1, total / Int64(lanes) / dice.pick(from: [5, 10, 20, 100] as [Int64]))
        } else if let theft = planner.theft() {
          planner.shrink(theft.victim, to: theft.place)
        } else {
          break
        }
      }
      for (id, speed) in speeds.sorted(by: { $0.key.number < $1.key.number }) {
        guard let remainder = planner.segments[id]?.remainder else { continue }
        planner.advance(id, to: remainder.lower + min(speed, remainder.count))
        if speed >= remainder.count {
          planner.release(id)
          speeds[id] = nil
        }
      }
    }
    #expect(planner.missingBytes == 0)
    // Guided self-scheduling: few segments, however large the file.
    #expect(number < 200 + lanes * 200)
  }
}
