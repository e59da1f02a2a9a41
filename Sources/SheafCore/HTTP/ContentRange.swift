/// A Content-Range field by the strict grammar of RFC 9110 §14.4, for the unit `bytes`.
///
/// A value that does not parse must never be used to place bytes, so nothing is forgiven here: no signs, no inner
/// white space, no number above `Int64.max`, no end before the start or at the total.
package struct ContentRange: Hashable, Sendable {
  /// Nil for the form of a 416, `bytes */1234`.
  package let range: ByteRange?
  /// Nil where the server wrote `*`.
  package let total: Int64?

  package init?(parsing text: String) {
    let bytes = Array(text.utf8)
    let unit = "bytes "
    guard bytes.count > unit.utf8.count,
      equalIgnoringCase(String(decoding: bytes.prefix(unit.utf8.count), as: UTF8.self), unit)
    else { return nil }
    let parts = bytes.dropFirst(unit.utf8.count).split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let star = [UInt8(ascii: "*")]

    let total = decimal(parts[1])
    guard total != nil || parts[1].elementsEqual(star) else { return nil }
    if parts[0].elementsEqual(star) {
      guard let total else { return nil }
      self.range = nil
      self.total = total
      return
    }

    let ends = parts[0].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard ends.count == 2, let first = decimal(ends[0]), let last = decimal(ends[1]),
      first <= last, last < total ?? .max
    else { return nil }
    self.range = ByteRange(first, last + 1)
    self.total = total
  }
}
