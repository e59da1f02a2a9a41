/// Repeatable chance: the same seed throws the same numbers (SplitMix64, Steele, Lea and Flood, 2014).
struct Dice: RandomNumberGenerator {
  private var state: UInt64

  init(seed: Int) { state = UInt64(bitPattern: Int64(seed)) &* 0x9E37_79B9_7F4A_7C15 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number in `range`. Generic `random(in:using:)` takes ten times as long without optimization.
  mutating func bytes(_ range: ClosedRange<Int64>) -> Int64 {
    let width = UInt64(bitPattern: range.upperBound &- range.lowerBound) &+ 1
    return width == 0 ? Int64(bitPattern: next()) : range.lowerBound &+ Int64(bitPattern: next() % width)
  }

  mutating func pick(_ range: ClosedRange<Int>) -> Int {
    Int(bytes(Int64(range.lowerBound)...Int64(range.upperBound)))
  }

  mutating func pick<T>(from choices: [T]) -> T { choices[pick(0...choices.count - 1)] }

  /// True once in `n` throws.
  mutating func oneIn(_ n: Int) -> Bool { next() % UInt64(n) == 0 }

  /// A number in 0..<1.
  mutating func fraction() -> Double { Double(next() >> 11) / Double(1 << 53) }
}
