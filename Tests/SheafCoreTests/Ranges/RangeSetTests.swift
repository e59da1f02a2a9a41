import SheafCore
import Testing

struct RangeSetTests {
  @Test("agrees with a set of numbers through random sequences", arguments: 0..<24)
  func model(seed: Int) {
    var numbers = SeededNumbers(seed: UInt64(seed))
    let universe = [12, 40, 100][seed % 3]
    var set = RangeSet()
    var model = Set<Int64>()
    for _ in 0..<300 {
      let range = randomRange(below: universe, using: &numbers)
      if Int.random(in: 0..<5, using: &numbers) < 3 {
        set.insert(range)
        model.formUnion(range.lower..<range.upper)
      } else {
        set.remove(range)
        model.subtract(range.lower..<range.upper)
      }
      #expect(set.ranges == runs(of: model))
      #expect(set.byteCount == Int64(model.count))
      #expect(set.isEmpty == model.isEmpty)
      #expect(set.first == runs(of: model).first)

      let probe = randomRange(below: universe, using: &numbers)
      let probed = Set(probe.lower..<probe.upper)
      #expect(set.contains(probe) == probed.isSubset(of: model))
      #expect(set.intersection(in: probe) == runs(of: model.intersection(probed)))
      #expect(set.gaps(in: probe) == runs(of: probed.subtracting(model)))
      #expect(RangeSet(set.ranges.shuffled(using: &numbers)) == set)
    }
  }

  private func randomRange(below universe: Int, using numbers: inout SeededNumbers) -> ByteRange {
    let lower = Int.random(in: 0...universe, using: &numbers)
    return ByteRange(Int64(lower), Int64(min(universe, lower + Int.random(in: 0...universe / 3, using: &numbers))))
  }

  private func runs(of model: Set<Int64>) -> [ByteRange] {
    var result: [ByteRange] = []
    for offset in model.sorted() {
      if let last = result.last, last.upper == offset {
        result[result.count - 1] = ByteRange(last.lower, offset + 1)
      } else {
        result.append(ByteRange(offset, offset + 1))
      }
    }
    return result
  }

  @Test("joins ranges that touch")
  func coalesces() {
    let set = RangeSet([ByteRange(0, 10), ByteRange(20, 30), ByteRange(10, 20)])
    #expect(set.ranges == [ByteRange(0, 30)])
  }

  @Test("keeps nothing of an empty range")
  func empty() {
    var set = RangeSet([ByteRange(5, 5)])
    #expect(set.isEmpty)
    #expect(set.contains(ByteRange(7, 7)))
    set.insert(ByteRange(0, 10))
    set.remove(ByteRange(5, 5))
    #expect(set.ranges == [ByteRange(0, 10)])
  }

  @Test("reaches to the largest offset without overflow")
  func largest() {
    var set = RangeSet([ByteRange(0, .max)])
    #expect(set.byteCount == .max)
    set.remove(ByteRange(1, .max - 1))
    #expect(set.ranges == [ByteRange(0, 1), ByteRange(.max - 1, .max)])
    #expect(set.gaps(in: ByteRange(0, .max)) == [ByteRange(1, .max - 1)])
    set.insert(ByteRange(0, .max))
    #expect(set.byteCount == .max)
  }
}
