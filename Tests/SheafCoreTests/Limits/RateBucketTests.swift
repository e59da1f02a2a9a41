import SheafCore
import Testing

@Suite("RateBucket")
struct RateBucketTests {
  /// Takers of one bucket in simulated time: each takes a piece, and the next when it is its turn and it looks again.
  private struct Crowd {
    var bucket: RateBucket
    var now = Instant(nanoseconds: 0)
    var totals: [Int64]
    /// What came, and when.
    var history: [(at: Instant, bytes: Int64)] = []
    private var turns: [RateBucket.Turn?]
    private let piece: Int
    /// Nobody looks more often than this.
    private let step: Double

    init(_ count: Int, rate: Int64?, piece: Int, step: Double = 0.001) {
      bucket = RateBucket(bytesPerSecond: rate, now: now)
      totals = Array(repeating: 0, count: count)
      turns = Array(repeating: nil, count: count)
      self.piece = piece
      self.step = step
    }

    mutating func run(seconds: Double, most: Int = .max) {
      let end = now.advanced(bySeconds: seconds)
      while now < end {
        var rounds = 0
        var isAnyoneServed = true
        while isAnyoneServed, rounds < most {
          isAnyoneServed = false
          rounds += 1
          for index in totals.indices {
            if let turn = turns[index], bucket.wait(for: turn, now: now) > 0 { continue }
            turns[index] = bucket.take(piece, now: now)
            totals[index] += Int64(piece)
            history.append((now, Int64(piece)))
            isAnyoneServed = true
          }
        }
        now = now.advanced(bySeconds: step)
      }
    }

    /// The least and the most bytes in any five seconds, in proportion to what the rate allows.
    func extremes(of rate: Int64) -> (Double, Double) {
      let allowed = Double(rate) * 5
      var (least, most) = (Double.infinity, 0.0)
      var first = 0
      var sum: Int64 = 0
      let start = history.first?.at ?? now
      for entry in history {
        sum += entry.bytes
        while entry.at.seconds(since: history[first].at) > 5 {
          sum -= history[first].bytes
          first += 1
        }
        most = max(most, Double(sum) / allowed)
        if entry.at.seconds(since: start) > 5 { least = min(least, Double(sum) / allowed) }
      }
      return (least, most)
    }
  }

  @Test(
    "in any five seconds the rate is within 5 %, whoever shares it",
    arguments: [200 << 10, 2 << 20, 20 << 20] as [Int64], [1, 3, 16])
  func accuracy(rate: Int64, count: Int) {
    let piece = min(16 << 10, OwnLimit(bytesPerSecond: rate).pieceSize(most: 512 << 10))
    var crowd = Crowd(count, rate: rate, piece: piece)
    crowd.run(seconds: 12)
    let (least, most) = crowd.extremes(of: rate)
    #expect(least > 0.95 && most < 1.05, "\(least) to \(most)")
  }

  @Test("a loop that looks late loses nothing, up to a tenth of a second")
  func late() {
    var crowd = Crowd(4, rate: 2 << 20, piece: 16 << 10, step: 0.09)
    crowd.run(seconds: 12)
    let (least, most) = crowd.extremes(of: 2 << 20)
    #expect(least > 0.95 && most < 1.05, "\(least) to \(most)")
  }

  @Test("who shares it gets as much as the others")
  func fairness() throws {
    var crowd = Crowd(16, rate: 1 << 20, piece: 16 << 10)
    crowd.run(seconds: 10)
    #expect(try #require(crowd.totals.max()) - #require(crowd.totals.min()) <= 16 << 10)
  }

  @Test("time in which nothing came is not made up for by more than a tenth of a second's worth")
  func noSaving() {
    var bucket = RateBucket(bytesPerSecond: 1000, now: Instant(nanoseconds: 0))
    let later = Instant(nanoseconds: 0).advanced(bySeconds: 100)
    let turn = bucket.take(1100, now: later)
    let wait = bucket.wait(for: turn, now: later)
    #expect(abs(wait - 1) < 1e-9)
  }

  @Test("a debt is repaid at the rate of the moment, and forgotten with the limit")
  func change() {
    let start = Instant(nanoseconds: 0)
    var bucket = RateBucket(bytesPerSecond: 1000, now: start)
    let turn = bucket.take(10_000, now: start)
    let before = bucket.wait(for: turn, now: start)
    #expect(before == 10)
    let later = start.advanced(bySeconds: 5)
    bucket.change(to: 100, now: later)
    let slowed = bucket.wait(for: turn, now: later)
    #expect(abs(slowed - 50) < 1e-6)
    bucket.change(to: nil, now: later)
    let freed = bucket.wait(for: turn, now: later)
    let free = bucket.take(1 << 40, now: later)
    let never = bucket.wait(for: free, now: later)
    // What came without a limit is nobody's debt later.
    bucket.change(to: 1, now: later)
    let after = bucket.wait(for: bucket.turn, now: later)
    #expect(freed == 0 && never == 0 && after == 0)
  }

  @Test("is tight only while all comes that may")
  func tight() {
    var crowd = Crowd(2, rate: 1 << 20, piece: 16 << 10)
    let atFirst = crowd.bucket.isTight(now: crowd.now)
    crowd.run(seconds: 1)
    let later = crowd.bucket.isTight(now: crowd.now)
    // Half of it.
    crowd.bucket.change(to: 8 << 20, now: crowd.now)
    for _ in 0..<100 {
      crowd.now = crowd.now.advanced(bySeconds: 0.02)
      _ = crowd.bucket.take(80 << 10, now: crowd.now)
    }
    let half = crowd.bucket.isTight(now: crowd.now)
    var free = RateBucket(bytesPerSecond: nil, now: Instant(nanoseconds: 0))
    let never = free.isTight(now: Instant(nanoseconds: 60_000_000_000))
    #expect([atFirst, later, half, never] == [false, true, false, false])
  }
}
