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
    let unit = "bytes ".utf8
    guard text.utf8.prefix(unit.count).elementsEqual(unit, by: { lowercased($0) == $1 }) else { return nil }
    let rest = text.utf8.dropFirst(unit.count)
    guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) else { return nil }
    let (place, length) = (rest[..<slash], rest[slash...].dropFirst())
    let star = "*".utf8

    let total = decimal(length)
    guard total != nil || length.elementsEqual(star) else { return nil }
    if place.elementsEqual(star) {
      guard let total else { return nil }
      self.range = nil
      self.total = total
      return
    }

    guard let dash = place.firstIndex(of: UInt8(ascii: "-")), let first = decimal(place[..<dash]),
      let last = decimal(place[dash...].dropFirst()), first <= last, last < total ?? .max
    else { return nil }
    self.range = ByteRange(first, last + 1)
    self.total = total
  }
}
