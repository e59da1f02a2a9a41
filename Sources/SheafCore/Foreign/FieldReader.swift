/// Takes integers from the front of bytes that somebody else wrote; nil once there are too few.
struct FieldReader {
  private(set) var rest: ArraySlice<UInt8>
  let isBigEndian: Bool

  init(_ bytes: [UInt8], bigEndian: Bool) {
    rest = bytes[...]
    isBigEndian = bigEndian
  }

  mutating func number<Number: FixedWidthInteger & UnsignedInteger>(_: Number.Type) -> Number? {
    guard let bytes = bytes(Number.bitWidth / 8) else { return nil }
    let ordered = isBigEndian ? Array(bytes) : bytes.reversed()
    return ordered.reduce(0) { $0 << 8 | Number($1) }
  }

  /// A number that is an offset or a length; nil as well for those beyond the longest file.
  mutating func offset() -> Int64? {
    number(UInt64.self).flatMap { $0 <= UInt64(ForeignProgress.longest) ? Int64($0) : nil }
  }

  mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
    guard count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }
}
