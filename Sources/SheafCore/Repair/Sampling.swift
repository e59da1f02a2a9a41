/// Blocks of a file of unknown worth that are fetched and compared with the source, and what that says of the others.
///
/// Between two samples that agree the blocks are taken on trust. Those next to a sample that differs are not, and when
/// too many samples differ nothing is: then the file is another one, or another version.
package struct Sampling: Sendable {
  /// The blocks to compare, in order.
  package let samples: [Int]
  /// How many samples were what the source has.
  package private(set) var agreed = 0
  /// How many were not.
  package private(set) var differed = 0
  /// The blocks that nobody has compared and that are still taken on trust.
  package private(set) var trusted: Bitmap

  /// One in so many samples may differ before nothing is trusted any more; one alone always may.
  private static let mostDiffering = 4

  /// - Parameter kept: the blocks that are thought to be good, samples included.
  package init(_ samples: [Int], of kept: Bitmap) {
    self.samples = samples.sorted()
    trusted = kept
    for index in samples { trusted[index] = false }
  }

  /// Whether all samples have been compared.
  package var isOver: Bool { agreed + differed == samples.count }

  /// Sample `index` has been compared. Returns the blocks that lose the trust they had.
  package mutating func compared(_ index: Int, agrees: Bool) -> [Int] {
    guard !agrees else {
      agreed += 1
      return []
    }
    differed += 1
    if differed > max(1, samples.count / Self.mostDiffering) { return distrust(0..<trusted.count) }
    // The neighbours' own comparisons say what lies beyond them.
    let lower = samples.last { $0 < index } ?? -1
    let upper = samples.first { $0 > index } ?? trusted.count
    return distrust(lower + 1..<upper)
  }

  private mutating func distrust(_ indices: Range<Int>) -> [Int] {
    let lost = indices.filter { trusted[$0] }
    for index in lost { trusted[index] = false }
    return lost
  }
}
