import SheafCore
import Testing

private func at(_ seconds: Double) -> Instant { Instant(nanoseconds: 0).advanced(bySeconds: seconds) }

@Suite("CheckpointPolicy")
struct CheckpointPolicyTests {
  @Test(
    "a checkpoint is due each second or 64 MiB, if anything is new",
    arguments: [
      (0, 5.0, false),
      (1, 0.999, false),
      (1, 1.0, true),
      (64 * mebibyte - 1, 0.5, false),
      (64 * mebibyte, 0.0, true),
      (Int64.max, 0.0, true),
    ] as [(Int64, Double, Bool)])
  func due(_ received: Int64, _ seconds: Double, _ expected: Bool) {
    var policy = CheckpointPolicy(startedAt: at(0))
    let isDue = policy.isDue(received: received, now: at(seconds))
    #expect(isDue == expected)
  }

  @Test("there are never two at once")
  func onlyOne() {
    var policy = CheckpointPolicy(startedAt: at(0))
    let first = policy.isDue(received: 10, now: at(1))
    let second = policy.isDue(received: 500 * mebibyte, now: at(9))
    policy.finished()
    let third = policy.isDue(received: 500 * mebibyte, now: at(9))
    #expect([first, second, third] == [true, false, true])
  }

  @Test("time and bytes count from the last one's start")
  func countsFromTheLast() {
    var policy = CheckpointPolicy(startedAt: at(100))
    let steps: [(received: Int64, seconds: Double, expected: Bool)] = [
      (100, 101, true),
      (100, 200, false),
      (101, 101.9, false),
      (101, 102, true),
      (100 + 64 * mebibyte, 102.5, false),
      (101 + 64 * mebibyte, 102.5, true),
    ]
    for step in steps {
      let isDue = policy.isDue(received: step.received, now: at(step.seconds))
      #expect(isDue == step.expected, "\(step)")
      policy.finished()
    }
  }
}
