import SheafCore
import Testing

private func planner(
  _ missing: [ByteRange], smallest: Int64 = 1, largest: Int64 = .max, alignment: Int64 = 1
) -> Planner {
  Planner(
    missing: RangeSet(missing), policy: .init(smallest: smallest, largest: largest), alignment: alignment)
}

private let a = TransferID(1)
private let b = TransferID(2)
private let c = TransferID(3)

@Suite("Planner")
struct PlannerTests {
  struct Share: Sendable, CustomTestStringConvertible {
    var gaps: [ByteRange]
    var lanes: Int
    var smallest: Int64 = 1
    var largest: Int64 = .max
    var alignment: Int64 = 1
    var expected: ByteRange?
    var testDescription: String { "\(gaps) over \(lanes), \(smallest)...\(largest), by \(alignment)" }
  }

  @Test(
    "gives the front of what is missing, four fifths of an even share",
    arguments: [
      Share(gaps: [], lanes: 4, expected: nil),
      Share(gaps: [ByteRange(0, 1000)], lanes: 1, expected: ByteRange(0, 800)),
      Share(gaps: [ByteRange(0, 1000)], lanes: 5, expected: ByteRange(0, 160)),
      Share(gaps: [ByteRange(0, 1000)], lanes: 0, expected: ByteRange(0, 800)),
      Share(gaps: [ByteRange(0, 1)], lanes: 256, expected: ByteRange(0, 1)),
      // What counts is all that is missing, not the first gap alone.
      Share(gaps: [ByteRange(100, 200), ByteRange(1000, 1900)], lanes: 5, expected: ByteRange(100, 200)),
      Share(gaps: [ByteRange(100, 300), ByteRange(1000, 1800)], lanes: 5, expected: ByteRange(100, 260)),
      // Never smaller than `smallest`, and no rest smaller than that stays behind.
      Share(gaps: [ByteRange(0, 1000)], lanes: 50, smallest: 300, expected: ByteRange(0, 300)),
      Share(gaps: [ByteRange(0, 599)], lanes: 50, smallest: 300, expected: ByteRange(0, 599)),
      Share(gaps: [ByteRange(0, 600)], lanes: 50, smallest: 300, expected: ByteRange(0, 300)),
      Share(gaps: [ByteRange(0, 20)], lanes: 50, smallest: 300, expected: ByteRange(0, 20)),
      Share(gaps: [ByteRange(0, 1000)], lanes: 2, smallest: .max, expected: ByteRange(0, 1000)),
      Share(gaps: [ByteRange(0, 1000)], lanes: 1, largest: 64, expected: ByteRange(0, 64)),
      Share(gaps: [ByteRange(0, 1000)], lanes: 1, smallest: 100, largest: 64, expected: ByteRange(0, 100)),
      // Ends on the nearest multiple of the alignment.
      Share(gaps: [ByteRange(0, 1000)], lanes: 4, alignment: 100, expected: ByteRange(0, 200)),
      Share(gaps: [ByteRange(0, 1000)], lanes: 3, alignment: 100, expected: ByteRange(0, 300)),
      Share(gaps: [ByteRange(30, 1030)], lanes: 5, alignment: 100, expected: ByteRange(30, 200)),
      // Where no multiple leaves both sides large enough, alignment gives way.
      Share(gaps: [ByteRange(10, 90)], lanes: 1, alignment: 100, expected: ByteRange(10, 74)),
      Share(gaps: [ByteRange(40, 1000)], lanes: 9, smallest: 100, alignment: 100, expected: ByteRange(40, 200)),
      Share(gaps: [ByteRange(40, 245)], lanes: 9, smallest: 100, alignment: 100, expected: ByteRange(40, 140)),
      Share(
        gaps: [ByteRange(0, 10 * mebibyte)], lanes: 16, smallest: mebibyte, alignment: 8 * mebibyte,
        expected: ByteRange(0, mebibyte)),
    ])
  func sharesOut(_ share: Share) {
    var planner = planner(
      share.gaps, smallest: share.smallest, largest: share.largest, alignment: share.alignment)
    let before = planner.missingBytes
    let taken = planner.take(for: a, lanes: share.lanes)
    #expect(taken == share.expected)
    #expect(planner.missingBytes == before)
    #expect(planner.segments[a]?.range == share.expected)
    if let range = share.expected { #expect(planner.unassigned.intersection(in: range).isEmpty) }
  }

  @Test("gives smaller and smaller segments as less remains")
  func shrinksSegments() {
    var planner = planner([ByteRange(0, 1 << 30)], smallest: mebibyte, alignment: mebibyte)
    var sizes: [Int64] = []
    while let range = planner.take(for: TransferID(sizes.count), lanes: 8) { sizes.append(range.count) }
    #expect(sizes.first == 102 * mebibyte)
    #expect(sizes.last == mebibyte)
    #expect(zip(sizes, sizes.dropFirst()).allSatisfy { $0 >= $1 })
    #expect(sizes.reduce(0, +) == 1 << 30)
    #expect(sizes.count < 100)
  }

  @Test("steals the far half of the largest remainder")
  func steals() {
    var planner = planner([ByteRange(0, 1000)], smallest: 10)
    planner.claim(ByteRange(0, 400), for: a)
    planner.claim(ByteRange(400, 1000), for: b)
    #expect(planner.theft()?.victim == b)
    planner.advance(b, to: 700)
    #expect(planner.theft()?.victim == a)
    #expect(planner.theft()?.place == 200)
    planner.shrink(a, to: 200)
    #expect(planner.unassigned.ranges == [ByteRange(200, 400)])
    #expect(planner.theft()?.victim == b)
    #expect(planner.theft()?.place == 850)
  }

  @Test("robs the earlier of two equals, whatever the dictionary's order")
  func breaksTies() {
    for offset in 0..<50 {
      var planner = planner([ByteRange(0, 600)])
      for index in 0..<6 {
        planner.claim(ByteRange(Int64(index) * 100, Int64(index + 1) * 100), for: TransferID(offset + (index * 5) % 6))
      }
      #expect(planner.theft()?.victim == TransferID(offset))
    }
  }

  @Test(
    "steals nothing when a half would be too small", arguments: [(19, nil), (20, 10), (21, 10)] as [(Int64, Int64?)])
  func leavesSmallRemainders(_ count: Int64, _ place: Int64?) {
    var planner = planner([ByteRange(0, count)], smallest: 10)
    #expect(planner.theft() == nil)
    planner.claim(ByteRange(0, count), for: a)
    #expect(planner.theft()?.place == place)
  }

  @Test("takes back what a transfer did not receive")
  func takesBack() {
    var planner = planner([ByteRange(0, 100)])
    planner.claim(ByteRange(20, 60), for: a)
    planner.advance(a, to: 30)
    planner.release(a)
    #expect(planner.unassigned.ranges == [ByteRange(0, 20), ByteRange(30, 100)])
    planner.release(a)
    #expect(planner.missingBytes == 90)
  }

  @Test("is done when the last byte has come and the last transfer is gone")
  func isDone() {
    var planner = planner([ByteRange(0, 100)])
    #expect(!planner.isDone)
    planner.claim(ByteRange(0, 100), for: a)
    planner.advance(a, to: 100)
    #expect(planner.missingBytes == 0)
    #expect(!planner.isDone)
    planner.release(a)
    #expect(planner.isDone)
    planner.lose(ByteRange(7, 8))
    #expect(!planner.isDone)
    let taken = planner.take(for: b, lanes: 16)
    #expect(taken == ByteRange(7, 8))
  }

  @Test("ignores news of transfers that it does not know")
  func ignoresStrangers() {
    var planner = planner([ByteRange(0, 100)])
    planner.advance(c, to: 50)
    planner.shrink(c, to: 10)
    planner.release(c)
    #expect(planner.unassigned.ranges == [ByteRange(0, 100)])
  }
}
