/// The candidate that `typed` was most likely meant to be; nil when none is near.
///
/// Near means one mistake for every three characters, or that `typed` is the beginning of the candidate. For
/// a single letter only the other case is near.
func closest(to typed: String, among candidates: [String]) -> String? {
  if typed.count <= 2 {
    return candidates.first { $0 != typed && $0.lowercased() == typed.lowercased() }
  }
  let ranked = candidates.map { candidate in
    (candidate, distance: candidate.hasPrefix(typed) ? 0 : editDistance(Array(typed.utf8), Array(candidate.utf8)))
  }
  guard let best = ranked.min(by: { $0.distance < $1.distance }), best.distance <= typed.utf8.count / 3 else {
    return nil
  }
  return best.0
}

/// How many insertions, deletions, replacements and swaps of neighbours lead from `first` to `second`.
func editDistance(_ first: [UInt8], _ second: [UInt8]) -> Int {
  var beforePrevious: [Int] = []
  var previous = Array(0...second.count)
  for (row, byte) in first.enumerated() {
    var current = [row + 1]
    for (column, other) in second.enumerated() {
      var cost = min(previous[column + 1] + 1, current[column] + 1, previous[column] + (byte == other ? 0 : 1))
      if row > 0, column > 0, byte == second[column - 1], first[row - 1] == other {
        cost = min(cost, beforePrevious[column - 1] + 1)
      }
      current.append(cost)
    }
    beforePrevious = previous
    previous = current
  }
  return previous[second.count]
}
