#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A mebibyte of pseudo-random bytes from which the pages of every entity are copied.
///
/// Copying is what makes entities as fast as memory, in debug builds too. One tile is enough for all seeds: the
/// seed chooses where in it each page lies.
final class EntityTile: @unchecked Sendable {
  // Unchecked: written in `init`, only read after it.
  let bytes: UnsafeRawPointer

  static let count = 1 << 20
  static let shared = EntityTile()

  private init() {
    let words = UnsafeMutablePointer<UInt64>.allocate(capacity: Self.count / 8)
    var state: UInt64 = 0x5EAF_5EAF_5EAF_5EAF
    for index in 0..<(Self.count / 8) {
      state &+= 0x9E37_79B9_7F4A_7C15
      words[index] = mixed(state)
    }
    bytes = UnsafeRawPointer(words)
  }
}

/// The finalizer of SplitMix64: every input bit changes about half of the output bits.
@inline(__always)
func mixed(_ value: UInt64) -> UInt64 {
  var value = value
  value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
  value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
  return value ^ (value >> 31)
}
