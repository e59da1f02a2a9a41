import SheafCore
import Testing

@Suite("BlockMap")
struct BlockMapTests {
  @Test(
    "chooses the smallest block that keeps the manifest small",
    arguments: [
      (0, 20, 0), (1, 20, 1), (1 << 20, 20, 1), ((1 << 20) + 1, 20, 2), ((1 << 32) - 1, 20, 1 << 12),
      ((1 << 32) + 1, 20, (1 << 12) + 1), (1 << 37, 20, 1 << 17), ((1 << 37) + 1, 21, (1 << 16) + 1),
      (1 << 40, 23, 1 << 17), ((1 << 40) - 1, 23, 1 << 17), ((1 << 40) + 1, 24, (1 << 16) + 1),
      (1 << 62, 45, 1 << 17), (Int64.max, 46, 1 << 17),
    ] as [(Int64, Int, Int)])
  func chooses(_ total: Int64, _ exponent: Int, _ count: Int) {
    let map = BlockMap(total: total)
    #expect(map.blockSize == 1 << Int64(exponent))
    #expect(map.count == count)
    #expect(map.count <= 1 << 17)
  }

  static let totals: [Int64] = [
    1, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, (3 << 20) + 7, (1 << 32) - 1, 1 << 32, (1 << 32) + 1, 1 << 40,
    (1 << 40) + 1, .max - 1, .max,
  ]

  @Test("covers the file from the first byte to the last", arguments: totals)
  func covers(_ total: Int64) {
    let map = BlockMap(total: total)
    let last = map.count - 1
    #expect(map.range(of: 0).lower == 0)
    #expect(map.range(of: last).upper == total)
    #expect((1...map.blockSize).contains(map.range(of: last).count))
    #expect(map.range(of: 0..<map.count) == ByteRange(0, total))
    #expect(map.index(of: total - 1) == last)
    #expect(map.end(of: total - 1) == total)
    #expect(map.end(of: 0) == min(map.blockSize, total))
    for index in [0, last / 2, last] {
      let range = map.range(of: index)
      #expect(map.index(of: range.lower) == index)
      #expect(map.index(of: range.upper - 1) == index)
      #expect(map.end(of: range.lower) == range.upper)
      #expect(map.range(of: index..<index + 1) == range)
      if index < last { #expect(map.range(of: index + 1).lower == range.upper) }
    }
  }

  @Test("has no block in an empty file")
  func empty() {
    let map = BlockMap(total: 0)
    #expect(map.count == 0)
    #expect(map.range(of: 0..<0).isEmpty)
    #expect(map.byteCount(of: Bitmap(count: 0)) == 0)
  }

  @Test("counts the last block with the bytes it really has")
  func countsBytes() {
    let map = BlockMap(total: (2 << 20) + 5)
    var bitmap = Bitmap(count: 3)
    #expect(map.byteCount(of: bitmap) == 0)
    bitmap[2] = true
    #expect(map.byteCount(of: bitmap) == 5)
    bitmap[0] = true
    #expect(map.byteCount(of: bitmap) == (1 << 20) + 5)
    bitmap[1] = true
    #expect(map.byteCount(of: bitmap) == map.total)
  }

  @Test("keeps an earlier division, also one it would not choose")
  func keeps() {
    let map = BlockMap(total: 100 << 20, blockSize: 8 << 20)
    #expect(map.count == 13)
    #expect(map.range(of: 12) == ByteRange(96 << 20, 100 << 20))
  }
}
