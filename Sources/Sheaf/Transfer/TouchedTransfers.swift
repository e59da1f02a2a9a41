/// The transfers of a loop that have received something since they were last asked for news: with many slow connections
/// these are few.
///
/// Confined to the thread of the loop.
final class TouchedTransfers {
  private var transfers: [Transfer] = []

  func insert(_ transfer: Transfer) {
    guard !transfer.isTouched else { return }
    transfer.isTouched = true
    transfers.append(transfer)
  }

  /// The next one; what taking its news brings about may touch or end others.
  func next() -> Transfer? {
    let transfer = transfers.popLast()
    transfer?.isTouched = false
    return transfer
  }

  /// Forgets a transfer that has ended.
  func remove(_ transfer: Transfer) {
    guard transfer.isTouched else { return }
    transfer.isTouched = false
    transfers.removeAll { $0 === transfer }
  }
}
