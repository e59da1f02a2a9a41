import SheafCore
import Testing

@Suite("LoopSpread")
struct LoopSpreadTests {
  private let spread = LoopSpread(most: 4)

  private func loads(_ pairs: (Double, Int)...) -> [LoopSpread.Load] {
    pairs.map { LoopSpread.Load(busy: $0.0, transfers: $0.1) }
  }

  @Test("a transfer goes home while that loop has time")
  func home() {
    #expect(spread.place(on: loads((0.3, 9), (0, 0)), warm: nil, home: 0) == 0)
    #expect(spread.place(on: loads((0, 0), (0.3, 9)), warm: nil, home: 1) == 1)
  }

  @Test("a busy home shares with the loop that has fewest")
  func shares() {
    #expect(spread.place(on: loads((0.6, 9), (0.6, 4), (0.6, 5)), warm: nil, home: 0) == 1)
    #expect(spread.place(on: loads((0.6, 4), (0.6, 4)), warm: nil, home: 1) == 1)
  }

  @Test("a warm connection is preferred unless its loop is saturated and another is not")
  func warm() {
    #expect(spread.place(on: loads((0.1, 1), (0.8, 9)), warm: 1, home: 0) == 1)
    #expect(spread.place(on: loads((0.1, 1), (0.9, 9)), warm: 1, home: 0) == 0)
    #expect(spread.place(on: loads((0.9, 1), (0.9, 9)), warm: 1, home: 0) == 1)
  }

  @Test("when all are saturated, the one with fewest takes it")
  func allSaturated() {
    #expect(spread.place(on: loads((1, 9), (0.9, 8)), warm: nil, home: 0) == 1)
  }

  @Test("another loop is opened only when all are saturated, cores are left and there is something to share")
  func opens() {
    #expect(spread.wantsAnother(than: loads((0.86, 2))))
    #expect(!spread.wantsAnother(than: loads((0.86, 1))))
    #expect(!spread.wantsAnother(than: loads((0.85, 16))))
    #expect(!spread.wantsAnother(than: loads((0.9, 8), (0.5, 8))))
    #expect(spread.wantsAnother(than: loads((0.9, 1), (0.9, 1))))
    #expect(!LoopSpread(most: 2).wantsAnother(than: loads((0.9, 8), (0.9, 8))))
  }

  @Test("a new loop gets half of a saturated one's transfers, and no loop gets more than makes both even")
  func moves() {
    #expect(spread.move(on: loads((1, 16), (0, 0)), own: [16, 0]) == .init(from: 0, to: 1, count: 8))
    #expect(spread.move(on: loads((1, 16), (0, 0)), own: [3, 0]) == .init(from: 0, to: 1, count: 3))
    #expect(spread.move(on: loads((1, 8), (0.5, 7)), own: [8, 7]) == nil)
    #expect(spread.move(on: loads((1, 8), (0.9, 0)), own: [8, 0]) == nil)
    #expect(spread.move(on: loads((0.5, 8), (0, 0)), own: [8, 0]) == nil)
    #expect(spread.move(on: loads((1, 8), (0, 0)), own: [0, 0]) == nil)
  }

  @Test("moving comes to an end: after a move there is nothing more to move between the same two")
  func settles() {
    for transfers in 1...40 {
      var loads = loads((1, transfers), (0, 0))
      guard let move = spread.move(on: loads, own: [transfers, 0]) else { continue }
      loads[0].transfers -= move.count
      loads[1].transfers += move.count
      #expect(spread.move(on: loads, own: [loads[0].transfers, loads[1].transfers]) == nil)
    }
  }

  @Test("a new download lives on the first loop that has time")
  func newHome() {
    #expect(spread.home(among: loads((0.2, 16), (0, 0))) == 0)
    #expect(spread.home(among: loads((0.9, 16), (0, 0))) == 1)
    #expect(spread.home(among: loads((0.9, 16), (1, 4))) == 1)
  }
}
