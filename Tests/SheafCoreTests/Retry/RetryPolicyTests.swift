import SheafCore
import Testing

@Suite("RetryPolicy")
struct RetryPolicyTests {
  @Test(
    "makes as many tries as it says, or any number",
    arguments: [(1, 0, true), (1, 1, false), (5, 4, true), (5, 5, false), (5, 6, false), (0, 1_000_000, true)])
  func tries(_ maximum: Int, _ failures: Int, _ expected: Bool) {
    #expect(RetryPolicy(maximumTries: maximum).allowsTry(after: failures) == expected)
  }

  @Test(
    "waits up to twice as long after each failure, and never above half a minute",
    arguments: [
      (0, 0.5), (1, 0.5), (2, 1), (3, 2), (4, 4), (5, 8), (6, 16), (7, 30), (8, 30), (1000, 30), (Int.max, 30),
    ] as [(Int, Double)])
  func doubles(_ failures: Int, _ longest: Double) {
    let policy = RetryPolicy()
    #expect(policy.wait(afterFailures: failures, random: 1) == longest)
    #expect(policy.wait(afterFailures: failures, random: 0.5) == longest / 2)
    #expect(policy.wait(afterFailures: failures, random: 0) == 0)
  }

  @Test(
    "waits as long as the user wants at least",
    arguments: [(0, 0.5, 0.25), (3, 0.0, 3), (3, 1.0, 3), (100, 1.0, 100)] as [(Double, Double, Double)])
  func leastWait(_ least: Double, _ random: Double, _ expected: Double) {
    let policy = RetryPolicy(leastWait: least)
    #expect(policy.wait(afterFailures: 1, random: random) == expected)
  }
}
