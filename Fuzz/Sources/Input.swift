/// The bytes of one run, taken from the front. When they are used up, numbers are 0 and texts empty.
struct Input {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isEmpty: Bool { rest.isEmpty }

  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  /// Little endian.
  mutating func number(bytes count: Int = 8) -> UInt64 {
    var result: UInt64 = 0
    for place in 0..<count { result |= UInt64(byte()) << UInt64(place * 8) }
    return result
  }

  /// A number whose size varies as much as its value: small ones, large ones and the neighbours of powers of two.
  mutating func size(upTo most: Int64) -> Int64 {
    let kind = byte()
    let value: Int64 =
      switch kind >> 6 {
      case 0: Int64(kind & 63)
      case 1: (1 << Int64(kind & 63) % 63) &+ Int64(Int8(bitPattern: byte()))
      case 2: Int64(truncatingIfNeeded: number(bytes: 4))
      default: Int64(bitPattern: number())
      }
    return min(max(value, 0), most)
  }

  mutating func bytes(_ count: Int) -> ArraySlice<UInt8> {
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  /// Everything left, bytes that are no UTF-8 replaced.
  var text: String { String(decoding: rest, as: UTF8.self) }

  /// Everything left, in pieces between line feeds.
  var lines: [String] {
    rest.split(separator: 10, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
  }
}
