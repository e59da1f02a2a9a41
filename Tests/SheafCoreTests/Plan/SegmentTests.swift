import SheafCore
import Testing

@Suite("Segment")
struct SegmentTests {
  @Test("keeps its remainder in front of its position")
  func remainder() {
    var segment = Segment(ByteRange(10, 30))
    #expect(!segment.hasProgressed)
    #expect(segment.remainder == ByteRange(10, 30))
    segment.advance(to: 10)
    #expect(!segment.hasProgressed)
    segment.advance(to: 18)
    #expect(segment.hasProgressed)
    #expect(segment.remainder == ByteRange(18, 30))
    segment.advance(to: 30)
    #expect(segment.remainder.isEmpty)
  }

  @Test("gives up what lies behind its new end", arguments: [10, 15, 30] as [Int64])
  func shrinks(_ end: Int64) {
    var segment = Segment(ByteRange(5, 30))
    segment.advance(to: 10)
    let released = segment.shrink(to: end)
    #expect(released == ByteRange(end, 30))
    #expect(segment.range == ByteRange(5, end))
    #expect(segment.position == 10)
  }
}
