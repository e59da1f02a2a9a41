import SheafCore

/// Pieces whose digests are known are checked as they become complete, so that what is wrong is found while the others come.
extension DownloadRun {
  /// The pieces of the download's file, and those that are still to be checked.
  struct PieceWatch {
    let hashes: PieceHashes
    /// Pieces that bytes were written to since they were last found to be right.
    var unchecked: Set<Int>
    var isChecking = false
    /// What goes on when the check under way has found nothing wrong.
    var waiting: (@Sendable (isolated DownloadRun) -> Void)?

    init(_ hashes: PieceHashes) {
      self.hashes = hashes
      unchecked = Set(0..<hashes.count)
    }

    mutating func wrote(_ range: ByteRange) { unchecked.formUnion(hashes.pieces(touching: range)) }
  }

  /// Checks pieces that have become complete, some at a time; `next` may go on when all that are there are right.
  func checkPieces(then next: @escaping @Sendable (isolated DownloadRun) -> Void = { _ in }) {
    guard let watch = pieceWatch, let file, machine.knownTotal == watch.hashes.total else { return next(self) }
    guard !watch.isChecking else {
      pieceWatch?.waiting = next
      return
    }
    let check = PieceCheck(watch.hashes, of: file, thread: hashing)
    let due = Array(
      watch.unchecked.sorted().lazy.filter { self.machine.isPresent(watch.hashes.range(of: $0)) }.prefix(check.stride))
    guard !due.isEmpty else { return next(self) }
    pieceWatch?.unchecked.subtract(due)
    pieceWatch?.isChecking = true
    let discards = discards
    Task {
      var wrong: [Int] = []
      var failure: Failure?
      do throws(Failure) {
        wrong = try await check.differing(among: due)
      } catch {
        failure = error
      }
      let waiting = pieceWatch?.waiting
      pieceWatch?.waiting = nil
      pieceWatch?.isChecking = false
      guard discards == self.discards, outcome == nil else { return }
      if let failure { return handle(machine.interrupted(by: failure)) }
      guard wrong.isEmpty else {
        pieceWatch?.unchecked.formUnion(wrong)
        return handle(machine.refuted(pieces: wrong.map { watch.hashes.range(of: $0) }, now: .now))
      }
      checkPieces { run in
        next(run)
        waiting?(run)
      }
    }
  }
}
