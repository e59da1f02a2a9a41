/// One bit for each block of a file, with the number of set bits kept beside them.
package struct Bitmap: Hashable, Sendable {
  package let count: Int
  package private(set) var setCount = 0
  /// Bit i is bit i % 64 of word i / 64. Spare bits of the last word are zero.
  private var words: [UInt64]

  /// All bits clear.
  package init(count: Int) {
    precondition(count >= 0, "a bitmap of \(count) bits")
    self.count = count
    words = Array(repeating: 0, count: (count + 63) / 64)
  }

  /// From what `bytes` gave; nil when the length is wrong or a spare bit is set.
  package init?(count: Int, bytes: some Collection<UInt8>) {
    guard count >= 0, bytes.count == Self.byteCount(for: count) else { return nil }
    self.init(count: count)
    for (index, byte) in bytes.enumerated() {
      words[index >> 3] |= UInt64(byte) << (UInt64(index & 7) * 8)
    }
    if count % 64 != 0, let last = words.last, last >> UInt64(count % 64) != 0 { return nil }
    setCount = words.reduce(0) { $0 + $1.nonzeroBitCount }
  }

  package subscript(index: Int) -> Bool {
    get {
      precondition(0 <= index && index < count, "bit \(index) of \(count)")
      return words[index >> 6] >> UInt64(index & 63) & 1 == 1
    }
    set {
      guard self[index] != newValue else { return }
      words[index >> 6] ^= 1 << UInt64(index & 63)
      setCount += newValue ? 1 : -1
    }
  }

  /// Bit i is bit i % 8 of byte i / 8, least significant first; spare bits are zero.
  package var bytes: [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(words.count * 8)
    for word in words {
      for shift in stride(from: UInt64(0), to: 64, by: 8) {
        result.append(UInt8(truncatingIfNeeded: word >> shift))
      }
    }
    result.removeLast(result.count - Self.byteCount(for: count))
    return result
  }

  package static func byteCount(for count: Int) -> Int {
    count / 8 + (count % 8 == 0 ? 0 : 1)
  }

  /// The maximal runs of bits that equal `value`, in order.
  package func ranges(where value: Bool) -> [Range<Int>] {
    var result: [Range<Int>] = []
    var end = 0
    while let start = firstIndex(of: value, from: end) {
      end = firstIndex(of: !value, from: start) ?? count
      result.append(start..<end)
    }
    return result
  }

  /// The first bit at or after `start` that equals `value`; looks at 64 bits at a time.
  package func firstIndex(of value: Bool, from start: Int = 0) -> Int? {
    guard start < count else { return nil }
    var index = start >> 6
    var mask = UInt64.max << UInt64(start & 63)
    while index < words.count {
      let candidates = (value ? words[index] : ~words[index]) & mask
      if candidates != 0 {
        let found = index << 6 + candidates.trailingZeroBitCount
        // A spare bit looks like a clear one.
        return found < count ? found : nil
      }
      mask = .max
      index += 1
    }
    return nil
  }
}
