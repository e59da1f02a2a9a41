/// Values in order, and what is to be known about them.
package struct Distribution: Hashable, Sendable {
  private let sorted: [Double]

  package init(_ values: some Sequence<Double>) { sorted = values.sorted() }

  package var count: Int { sorted.count }
  package var worst: Double { sorted.last ?? 0 }
  package var mean: Double { sorted.isEmpty ? 0 : sorted.reduce(0, +) / Double(count) }
  package var median: Double { quantile(0.5) }

  /// The smallest value that is not below the share `share` of all.
  package func quantile(_ share: Double) -> Double {
    guard !sorted.isEmpty else { return 0 }
    return sorted[min(count - 1, max(0, Int((share * Double(count)).rounded(.up)) - 1))]
  }
}
