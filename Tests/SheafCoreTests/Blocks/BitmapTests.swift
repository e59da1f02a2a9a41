import SheafCore
import Testing

struct BitmapTests {
  static let counts = [0, 1, 7, 8, 9, 63, 64, 65, 127, 128, 129, 1000]

  @Test("agrees with an array of Bool through random changes", arguments: counts)
  func model(count: Int) throws {
    var numbers = SeededNumbers(seed: UInt64(count))
    var bitmap = Bitmap(count: count)
    var model = Array(repeating: false, count: count)
    for step in 0..<(count == 0 ? 1 : 400) {
      if count > 0 {
        // Long runs as well as single bits.
        let start = Int.random(in: 0..<count, using: &numbers)
        let end = min(count, start + (step % 3 == 0 ? Int.random(in: 0...count, using: &numbers) : 1))
        let value = Bool.random(using: &numbers)
        for index in start..<end {
          bitmap[index] = value
          model[index] = value
        }
      }
      #expect(bitmap.setCount == model.count(where: \.self))
      #expect(bitmap.ranges(where: true) == runs(of: true, in: model))
      #expect(bitmap.ranges(where: false) == runs(of: false, in: model))
    }
    #expect((0..<count).map { bitmap[$0] } == model)
    #expect(try #require(Bitmap(count: count, bytes: bitmap.bytes)) == bitmap)
  }

  private func runs(of value: Bool, in model: [Bool]) -> [Range<Int>] {
    var result: [Range<Int>] = []
    for (index, bit) in model.enumerated() where bit == value {
      if let last = result.last, last.upperBound == index {
        result[result.count - 1] = last.lowerBound..<index + 1
      } else {
        result.append(index..<index + 1)
      }
    }
    return result
  }

  @Test("puts bit i into byte i/8, least significant first")
  func order() {
    var bitmap = Bitmap(count: 70)
    for index in [0, 9, 63, 64, 69] { bitmap[index] = true }
    #expect(bitmap.bytes == [1, 2, 0, 0, 0, 0, 0, 0x80, 0x21])
  }

  @Test("finds the first bit of a value from anywhere")
  func firstIndex() {
    var bitmap = Bitmap(count: 200)
    bitmap[150] = true
    #expect(bitmap.firstIndex(of: true) == 150)
    #expect(bitmap.firstIndex(of: true, from: 150) == 150)
    #expect(bitmap.firstIndex(of: true, from: 151) == nil)
    #expect(bitmap.firstIndex(of: false, from: 150) == 151)
    #expect(bitmap.firstIndex(of: false, from: 200) == nil)
  }

  @Test(
    "refuses bytes of another length and spare bits",
    arguments: [
      (8, []), (8, [0, 0]), (9, [0]), (0, [0]), (7, [0x80]), (1, [2]), (9, [0, 2]), (64, Array(repeating: 0, count: 9)),
      (65, Array(repeating: 0, count: 8) + [2]), (-1, []), (Int.max, [0]), (Int.min, []),
    ] as [(Int, [UInt8])])
  func refusals(count: Int, bytes: [UInt8]) {
    #expect(Bitmap(count: count, bytes: bytes) == nil)
  }

  @Test("takes full bytes where there is no spare bit", arguments: [8, 16, 64, 128])
  func full(count: Int) throws {
    let bitmap = try #require(Bitmap(count: count, bytes: Array(repeating: 0xFF, count: count / 8)))
    #expect(bitmap.setCount == count)
    #expect(bitmap.ranges(where: true) == [0..<count])
    #expect(bitmap.ranges(where: false) == [])
  }
}
