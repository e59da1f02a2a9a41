import SheafCore
import Testing

@Suite("Repair plans")
struct RepairPlanTests {
  private static let mebi: Int64 = 1 << 20
  private let map = BlockMap(total: 100 * mebi + 5)

  private func plan(
    _ basis: RepairPlan.Basis, _ good: [ByteRange], zeros: [Int] = [], samples: Int? = nil, seed: UInt64 = 1
  ) -> RepairPlan {
    var unwritten = Bitmap(count: map.count)
    for index in zeros { unwritten[index] = true }
    var random = SeededNumbers(seed: seed)
    return RepairPlan(
      basis, of: map, good: RangeSet(good), unwritten: unwritten, mostSamples: samples, using: &random)
  }

  private func kept(_ plan: RepairPlan) -> [Int] { plan.kept.ranges(where: true).flatMap { $0 } }

  @Test("keeps the blocks whose every byte is good")
  func whole() {
    let plan = plan(.content, [ByteRange(1, 3 * Self.mebi), ByteRange(50 * Self.mebi, 52 * Self.mebi - 1)])
    #expect(kept(plan) == [1, 2, 50])
    #expect(self.plan(.content, [ByteRange(99 * Self.mebi, map.total)]).kept.setCount == 2)
  }

  @Test("zeros are kept only where something proves them")
  func zeros() {
    let all = [ByteRange(0, map.total)]
    #expect(kept(plan(.content, all, zeros: [3, 4])) == [Int](0...1) + [Int](6...100), "nor are their neighbours")
    #expect(kept(plan(.content, all, zeros: [0, 100])) == [Int](2...98))
    #expect(kept(plan(.controlFile, [ByteRange(0, 3 * Self.mebi)], zeros: [3])) == [0, 1, 2], "it says so itself")
    #expect(kept(plan(.pieces, all, zeros: [3, 4])).count == 101)
    #expect(kept(plan(.manifest, all, zeros: [3, 4])).count == 101)
  }

  @Test("proof needs no samples")
  func proof() {
    #expect(plan(.pieces, [ByteRange(0, map.total)]).samples.isEmpty)
    #expect(plan(.manifest, [ByteRange(0, map.total)]).samples.isEmpty)
  }

  @Test(
    "compares one block in sixteen, four to sixteen of them, as many as there are, or as many as asked for",
    arguments: [(0, nil, 0), (2, nil, 2), (10, nil, 4), (100, nil, 6), (100, 1, 1), (100, 40, 40), (7, 40, 7)]
      as [(Int64, Int?, Int)])
  func count(blocks: Int64, asked: Int?, expected: Int) {
    let plan = plan(.content, [ByteRange(0, blocks * Self.mebi)], samples: asked)
    #expect(plan.samples.count == expected)
    #expect(Set(plan.samples).count == expected)
    #expect(plan.samples.allSatisfy { plan.kept[$0] })
  }

  @Test("edges come first, the rest is spread and cannot be foreseen")
  func edges() {
    let good = [ByteRange(0, 30 * Self.mebi), ByteRange(60 * Self.mebi, 90 * Self.mebi)]
    let plans = (0..<20).map { plan(.controlFile, good, samples: 12, seed: $0) }
    for plan in plans {
      #expect(Set(plan.samples).isSuperset(of: [0, 29, 60, 89]))
      #expect(plan.samples.count { $0 < 30 } >= 5 && plan.samples.count { $0 >= 60 } >= 5)
    }
    #expect(Set(plans.map(\.samples)).count > 15)
  }

  @Test("many edges leave some room for the inside")
  func manyEdges() {
    let good = (0..<25).map { ByteRange($0 * 4 * Self.mebi, ($0 * 4 + 3) * Self.mebi) }
    let plan = plan(.controlFile, good, samples: 8)
    #expect(plan.samples.count == 8 && plan.samples.first == 0 && plan.samples.contains(98))
  }
}

@Suite("Sampling")
struct SamplingTests {
  private func sampling(_ samples: [Int], of kept: Range<Int> = 0..<100) -> Sampling {
    var bitmap = Bitmap(count: 100)
    for index in kept { bitmap[index] = true }
    return Sampling(samples, of: bitmap)
  }

  @Test("between samples that agree blocks are taken on trust")
  func agree() {
    var sampling = sampling([0, 50, 99])
    for index in [50, 0, 99] { #expect(sampling.compared(index, agrees: true).isEmpty) }
    #expect(sampling.isOver && sampling.agreed == 3 && sampling.trusted.setCount == 97)
  }

  @Test("a sample that differs takes the blocks up to its neighbours with it, in whatever order they come")
  func differ() {
    var sampling = sampling([0, 50, 70, 80, 90, 91, 92, 93])
    #expect(sampling.compared(70, agrees: false) == Array(51..<70) + Array(71..<80))
    #expect(sampling.compared(80, agrees: false) == Array(81..<90))
    #expect(sampling.compared(0, agrees: true).isEmpty)
    #expect(sampling.differed == 2 && !sampling.isOver)
    #expect(sampling.trusted.setCount == 49 + 6)
  }

  @Test("when more than a quarter differ nothing is trusted any more")
  func tooMany() {
    var sampling = sampling([0, 30, 60, 99])
    _ = sampling.compared(60, agrees: false)
    #expect(sampling.trusted.setCount == 29)
    _ = sampling.compared(99, agrees: false)
    #expect(sampling.trusted.setCount == 0)
  }

  @Test("only what is kept can lose its trust")
  func gaps() {
    var sampling = sampling([20, 29], of: 20..<30)
    #expect(sampling.compared(20, agrees: false) == Array(21..<29))
    #expect(sampling.trusted.setCount == 0)
  }
}
