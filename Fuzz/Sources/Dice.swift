/// Chance as the input wants it: what the simulation of a download asks for decides what its bytes mean.
///
/// It stands in for the seeded `Dice` of the tests, whose simulation is compiled with the targets. When the bytes are
/// used up it goes on by SplitMix64, so that every life comes to an end.
struct Dice: RandomNumberGenerator {
  /// What the next `Dice` are thrown by.
  nonisolated(unsafe) static var input = Input([])

  private var input = Dice.input
  private var state: UInt64

  init(seed: Int) { state = UInt64(bitPattern: Int64(seed)) }

  mutating func next() -> UInt64 { input.isEmpty ? mixed() : input.number() }

  private mutating func mixed() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// As many bytes as the number needs.
  private mutating func number(below bound: UInt64) -> UInt64 {
    guard !input.isEmpty else { return mixed() % bound }
    return input.number(bytes: max(1, (71 - (bound - 1).leadingZeroBitCount) / 8)) % bound
  }

  mutating func bytes(_ range: ClosedRange<Int64>) -> Int64 {
    let width = UInt64(bitPattern: range.upperBound &- range.lowerBound) &+ 1
    return range.lowerBound &+ Int64(bitPattern: width == 0 ? next() : number(below: width))
  }

  mutating func pick(_ range: ClosedRange<Int>) -> Int {
    Int(bytes(Int64(range.lowerBound)...Int64(range.upperBound)))
  }

  mutating func pick<T>(from choices: [T]) -> T { choices[pick(0...choices.count - 1)] }

  mutating func oneIn(_ n: Int) -> Bool { number(below: UInt64(n)) == 0 }

  mutating func fraction() -> Double { Double(number(below: 256)) / 256 }
}
