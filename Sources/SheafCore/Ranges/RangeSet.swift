/// A set of byte offsets, kept as sorted ranges that neither overlap nor touch.
package struct RangeSet: Hashable, Sendable {
  package private(set) var ranges: [ByteRange] = []
  package private(set) var byteCount: Int64 = 0

  package init() {}

  package init(_ ranges: some Sequence<ByteRange>) {
    for range in ranges { insert(range) }
  }

  package var isEmpty: Bool { ranges.isEmpty }
  package var first: ByteRange? { ranges.first }

  package mutating func insert(_ range: ByteRange) {
    guard !range.isEmpty else { return }
    // Ranges that touch are merged too, so the bounds are inclusive.
    let start = firstIndex { $0.upper >= range.lower }
    let end = firstIndex { $0.lower > range.upper }
    let replaced = ranges[start..<end]
    let lower = min(range.lower, replaced.first?.lower ?? range.lower)
    let upper = max(range.upper, replaced.last?.upper ?? range.upper)
    replace(start..<end, with: [ByteRange(lower, upper)])
  }

  package mutating func remove(_ range: ByteRange) {
    guard !range.isEmpty else { return }
    let touched = indices(overlapping: range)
    guard let head = ranges[touched].first, let tail = ranges[touched].last else { return }
    var rest: [ByteRange] = []
    if head.lower < range.lower { rest.append(ByteRange(head.lower, range.lower)) }
    if range.upper < tail.upper { rest.append(ByteRange(range.upper, tail.upper)) }
    replace(touched, with: rest)
  }

  /// Whether every byte of `range` is in the set; an empty range always is.
  package func contains(_ range: ByteRange) -> Bool {
    guard !range.isEmpty else { return true }
    let index = firstIndex { $0.upper > range.lower }
    return index < ranges.count && ranges[index].contains(range)
  }

  /// The parts of `range` that are in the set, in order.
  package func intersection(in range: ByteRange) -> [ByteRange] {
    ranges[indices(overlapping: range)].compactMap { $0.intersection(range) }
  }

  /// The parts of `range` that are not in the set, in order.
  package func gaps(in range: ByteRange) -> [ByteRange] {
    var result: [ByteRange] = []
    var position = range.lower
    for present in intersection(in: range) {
      if position < present.lower { result.append(ByteRange(position, present.lower)) }
      position = present.upper
    }
    if position < range.upper { result.append(ByteRange(position, range.upper)) }
    return result
  }

  private mutating func replace(_ old: Range<Int>, with new: [ByteRange]) {
    byteCount += new.reduce(0) { $0 + $1.count } - ranges[old].reduce(0) { $0 + $1.count }
    ranges.replaceSubrange(old, with: new)
  }

  private func indices(overlapping range: ByteRange) -> Range<Int> {
    let start = firstIndex { $0.upper > range.lower }
    return start..<max(start, firstIndex { $0.lower >= range.upper })
  }

  /// The first index whose range satisfies `condition`, which holds for all that follow one it holds for.
  private func firstIndex(where condition: (ByteRange) -> Bool) -> Int {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = low + (high - low) / 2
      if condition(ranges[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
