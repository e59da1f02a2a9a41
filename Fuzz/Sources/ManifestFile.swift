/// A manifest made of an input: four parts, the zeros at their ends left out, so that a small input says much.
///
/// The flags put right what chance would never hit: the CRC-32 of the header, those of the slots.
struct ManifestFile {
  static let signsHeader: UInt8 = 1
  static let signsSlots: UInt8 = 2
  static let isRaw: UInt8 = 4
  static let hasAnotherSize: UInt8 = 8
  private static let page = 4096
  /// Larger files would only be slower.
  private static let mostBlocks: UInt64 = 512

  private(set) var bytes: [UInt8]

  init(_ input: inout Input) {
    let flags = input.byte()
    guard flags & Self.isRaw == 0 else {
      bytes = Array(input.rest)
      return
    }
    bytes = Self.padded(input.bytes(Int(input.number(bytes: 2))), to: Self.page)
    let claimed = (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[32 + $1]) << UInt64($1 * 8) }
    let blocks = Int(min(claimed, Self.mostBlocks))
    let slot = (12 + (blocks + 7) / 8 + Self.page - 1) / Self.page * Self.page
    for _ in 0..<2 { bytes += Self.padded(input.bytes(Int(input.number(bytes: 2))), to: slot) }
    bytes += Self.padded(input.bytes(Int(input.byte())), to: 4 * blocks)
    if flags & Self.signsHeader != 0 { sign(0..<Self.page - 4, at: Self.page - 4) }
    if flags & Self.signsSlots != 0 {
      for start in [Self.page, Self.page + slot] { signSlot(start..<start + slot) }
    }
    if flags & Self.hasAnotherSize != 0 {
      let size = Int(input.number(bytes: 2))
      bytes = Self.padded(bytes[...], to: size)
    }
  }

  private static func padded(_ part: ArraySlice<UInt8>, to size: Int) -> [UInt8] {
    Array(part.prefix(size)) + [UInt8](repeating: 0, count: max(0, size - part.count))
  }

  private mutating func sign(_ range: Range<Int>, at offset: Int) { put(crc32(Array(bytes[range])), at: offset) }

  private mutating func signSlot(_ slot: Range<Int>) {
    let start = slot.lowerBound
    put(crc32(Array(bytes[start..<start + 8]) + bytes[start + 12..<slot.upperBound]), at: start + 8)
  }

  private mutating func put(_ value: UInt32, at offset: Int) {
    for place in 0..<4 { bytes[offset + place] = UInt8(truncatingIfNeeded: value >> UInt32(place * 8)) }
  }
}
