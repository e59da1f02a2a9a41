/// The rates of all transfers at one moment, sorted once.
package struct PaceTable {
  private let rates: [TransferID: Double]
  private let sorted: [Double]
  private let fastest: Double?
  private let second: Double?

  init(current: [TransferID: Double], past: [Double]) {
    rates = current
    sorted = (current.values + past).sorted()
    var (first, next): (Double?, Double?) = (nil, nil)
    for rate in current.values {
      if rate > first ?? -1 { (first, next) = (rate, first) } else if rate > next ?? -1 { next = rate }
    }
    (fastest, second) = (first, next)
  }

  /// Bytes per second that another transfer would probably have: the median of the others and of those before.
  package func expected(besides id: TransferID?) -> Double? {
    guard let id, let own = rates[id] else { return sorted.isEmpty ? nil : sorted[sorted.count / 2] }
    let count = sorted.count - 1
    guard count > 0 else { return nil }
    let middle = count / 2
    // Without one that is not above the middle, everything behind it moves down.
    return own <= sorted[middle] ? sorted[middle + 1] : sorted[middle]
  }

  /// The most bytes per second that a transfer besides `id` has now.
  package func fastest(besides id: TransferID) -> Double? {
    rates[id] == fastest ? second : fastest
  }
}
