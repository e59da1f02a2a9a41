#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Repeatable chance: the same seed throws the same numbers (SplitMix64, Steele, Lea and Flood, 2014).
package struct Dice: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: Int) { state = UInt64(bitPattern: Int64(seed)) &* 0x9E37_79B9_7F4A_7C15 }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number in `range`. Generic `random(in:using:)` takes ten times as long without optimization.
  package mutating func bytes(_ range: ClosedRange<Int64>) -> Int64 {
    let width = UInt64(bitPattern: range.upperBound &- range.lowerBound) &+ 1
    return width == 0 ? Int64(bitPattern: next()) : range.lowerBound &+ Int64(bitPattern: next() % width)
  }

  package mutating func pick(_ range: ClosedRange<Int>) -> Int {
    Int(bytes(Int64(range.lowerBound)...Int64(range.upperBound)))
  }

  package mutating func pick<T>(from choices: [T]) -> T { choices[pick(0...choices.count - 1)] }

  /// True once in `n` throws.
  package mutating func oneIn(_ n: Int) -> Bool { next() % UInt64(n) == 0 }

  /// A number in 0..<1.
  package mutating func fraction() -> Double { Double(next() >> 11) / Double(1 << 53) }

  /// A number between both whose logarithm is evenly spread: as likely 1 to 10 as 10 to 100.
  package mutating func logarithmic(_ range: ClosedRange<Double>) -> Double {
    let (low, high) = (log(range.lowerBound), log(range.upperBound))
    return exp(low + (high - low) * fraction())
  }

  /// Seconds until something happens that happens each `mean` seconds, whatever happened before.
  package mutating func interval(mean: Double) -> Double { -mean * log(1 - fraction()) }

  /// A normally distributed number (Box and Muller, 1958).
  package mutating func normal() -> Double {
    sqrt(-2 * log(1 - fraction())) * cos(2 * .pi * fraction())
  }
}
