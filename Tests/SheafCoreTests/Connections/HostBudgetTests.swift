import SheafCore
import Simulation
import Testing

@Suite("HostBudget")
struct HostBudgetTests {
  private let start = Instant(nanoseconds: 0)

  private func budget(_ members: Int, ceiling: Int = 16) -> HostBudget {
    var budget = HostBudget()
    for number in 0..<members { budget.join(.init(number), ceiling: ceiling, isPinned: false) }
    return budget
  }

  @Test("a download alone gets what it wants, up to the level", arguments: [0, 1, 5, 16, 99])
  func alone(_ wanted: Int) {
    var budget = budget(1)
    #expect(budget.ask(.init(0), active: 0, wanted: wanted, now: start) == .init(most: min(wanted, 16)))
  }

  @Test("what has been granted is taken, used or not")
  func granted() {
    var budget = budget(2)
    #expect(budget.ask(.init(0), active: 0, wanted: 16, now: start).most == 16)
    #expect(budget.ask(.init(1), active: 0, wanted: 16, now: start).most == 0)
  }

  @Test("who has none gets its share from those who have more")
  func starving() {
    var budget = budget(2)
    _ = budget.ask(.init(0), active: 0, wanted: 16, now: start)
    _ = budget.ask(.init(1), active: 0, wanted: 16, now: start)
    #expect(budget.ask(.init(0), active: 16, wanted: 16, now: start) == .init(most: 8, keeping: 8))
    // It has given up eight.
    #expect(budget.ask(.init(0), active: 8, wanted: 16, now: start).most == 8)
    #expect(budget.served(now: start) == [.init(1)])
    #expect(budget.ask(.init(1), active: 0, wanted: 16, now: start) == .init(most: 8))
    #expect(budget.served(now: start).isEmpty)
    // With both served nobody has to give up anything.
    #expect(budget.ask(.init(0), active: 8, wanted: 16, now: start) == .init(most: 8))
  }

  @Test("shares are fair, whatever is wanted", arguments: 0..<200)
  func fair(seed: Int) {
    var dice = Dice(seed: seed)
    let count = dice.pick(1...40)
    let ceiling = dice.pick(from: [1, 4, 16, 64])
    var budget = budget(count, ceiling: ceiling)
    let wants = (0..<count).map { _ in dice.pick(0...20) }
    var active = Array(repeating: 0, count: count)
    for _ in 0..<6 {
      for number in 0..<count {
        let allowance = budget.ask(.init(number), active: active[number], wanted: wants[number], now: start)
        active[number] = max(min(active[number], allowance.keeping), allowance.most)
        #expect(active[number] <= wants[number])
        #expect(active.reduce(0, +) <= budget.controller.level)
      }
    }
    // All that is wanted and can be had is had, and nobody goes without beside somebody with two.
    #expect(active.reduce(0, +) == min(wants.reduce(0, +), budget.controller.level))
    let isSomebodyWithout = zip(active, wants).contains { $0 == 0 && $1 > 0 }
    #expect(!isSomebodyWithout || active.allSatisfy { $0 <= 1 })
  }

  @Test("who leaves makes room")
  func leaves() {
    var budget = budget(2)
    _ = budget.ask(.init(0), active: 0, wanted: 16, now: start)
    _ = budget.ask(.init(1), active: 0, wanted: 4, now: start)
    budget.leave(.init(0))
    #expect(budget.served(now: start) == [.init(1)])
    #expect(budget.ask(.init(1), active: 0, wanted: 4, now: start).most == 4)
    budget.leave(.init(1))
    #expect(budget.isUnused)
  }

  @Test("a limit on requests keeps everybody quiet until it is over")
  func quiet() {
    var budget = budget(2)
    _ = budget.ask(.init(0), active: 3, wanted: 3, now: start)
    _ = budget.strained(.init(1), .refused(retryAfter: 20, isRateLimit: true), active: 0, now: start)
    for second in [0.0, 10, 19.9] {
      let now = start.advanced(bySeconds: second)
      #expect(budget.ask(.init(0), active: 2, wanted: 3, now: now).most == 0)
      #expect(budget.ask(.init(1), active: 0, wanted: 3, now: now).most == 0)
    }
    let end = start.advanced(bySeconds: 20)
    #expect(budget.ask(.init(0), active: 1, wanted: 2, now: end).most > 0)
  }

  @Test("an overloaded host keeps what works until it may be asked for more")
  func noGrowth() {
    var budget = budget(1)
    _ = budget.ask(.init(0), active: 16, wanted: 16, now: start)
    _ = budget.strained(.init(0), .refused(retryAfter: 20, isRateLimit: false), active: 5, now: start)
    #expect(budget.ask(.init(0), active: 5, wanted: 16, now: start.advanced(bySeconds: 19)).most == 5)
    #expect(budget.ask(.init(0), active: 3, wanted: 16, now: start.advanced(bySeconds: 19)).most == 3)
    #expect(budget.ask(.init(0), active: 3, wanted: 16, now: start.advanced(bySeconds: 20)).most == 5)
  }

  @Test("the host is halved for all, and what it bears is remembered when nobody uses it")
  func halved() {
    var budget = budget(2)
    _ = budget.ask(.init(0), active: 8, wanted: 8, now: start)
    _ = budget.ask(.init(1), active: 8, wanted: 8, now: start)
    let decision = budget.strained(.init(1), .refused(retryAfter: nil, isRateLimit: false), active: 7, now: start)
    #expect(decision == "down to 8 connections")
    #expect(budget.ask(.init(0), active: 8, wanted: 8, now: start) == .init(most: 1))
    budget.leave(.init(0))
    budget.leave(.init(1))
    budget.join(.init(2), ceiling: 16, isPinned: false)
    #expect(budget.ask(.init(2), active: 0, wanted: 16, now: start).most == 8)
  }
}
