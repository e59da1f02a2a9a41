/// The value of a Range header that asks for one range (RFC 9110 §14.2).
package enum RangeRequest: Equatable, Sendable {
  /// First and last position, both included.
  case between(Int64, Int64)
  case from(Int64)
  case last(Int64)

  /// Nil for another unit, several ranges or bad syntax: all of them are to be ignored.
  package init?(_ header: String) {
    let halves = header.split(separator: "=", maxSplits: 1)
    guard halves.count == 2, halves[0].lowercased() == "bytes" else { return nil }
    let ends = halves[1].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2 else { return nil }
    switch (Self.number(ends[0]), Self.number(ends[1])) {
    case (let first?, let last?) where first <= last: self = .between(first, last)
    case (let first?, nil) where ends[1].isEmpty: self = .from(first)
    case (nil, let count?) where ends[0].isEmpty: self = .last(count)
    default: return nil
    }
  }

  /// The range within an entity of that size, or nil when it cannot be satisfied.
  package func resolved(size: Int64) -> Range<Int64>? {
    switch self {
    case .between(let first, let last): first < size ? first..<(min(last, size - 1) + 1) : nil
    case .from(let first): first < size ? first..<size : nil
    case .last(let count): count > 0 && size > 0 ? max(0, size - count)..<size : nil
    }
  }

  /// Digits only; what does not fit counts as the largest number that does.
  private static func number(_ text: Substring) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Int64(text) ?? .max
  }
}
