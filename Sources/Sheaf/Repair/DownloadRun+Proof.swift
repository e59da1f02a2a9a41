import SheafCore

/// What a repair learns while it fetches, and what must hold before the file gets its name.
extension DownloadRun {
  /// Bytes in which a file is looked at for anything that it has in common with the source's.
  private static let likenessReach: Int64 = 16 << 20

  /// Block `index` was fetched for proof and is complete.
  func compareProof(_ index: Int) {
    guard let ledger, ledger.complete[index] else { return }
    settle(index, ledger.checksums[index])
  }

  /// Block `index`, if it was fetched for proof, turned out to have this CRC-32.
  private func settle(_ index: Int, _ checksum: UInt32) {
    guard let expected = proofs.removeValue(forKey: index) else { return }
    guard repair?.sampling != nil else {
      if checksum != expected { handle(machine.disproved(now: .now)) }
      return
    }
    let lost = repair?.sampling?.compared(index, agrees: checksum == expected) ?? []
    for index in lost {
      audit?.claims[index] = false
      resumedBytes -= ledger?.map.range(of: index).count ?? 0
    }
    withdraw(lost)
    handle(machine.refuted(lost, now: .now))
    if let sampling = repair?.sampling, sampling.isOver, sampling.agreed == 0 {
      lookForLikeness(among: sampling.samples)
    }
  }

  /// Not one sample was the source's: goes on only if at least a part of one is.
  private func lookForLikeness(among samples: [Int]) {
    guard let map = ledger?.map else { return }
    let discards = discards
    Task {
      do throws(Failure) {
        try await requireLikeness(in: samples.map { map.range(of: $0) })
      } catch {
        if discards == self.discards { handle(machine.interrupted(by: error)) }
      }
    }
  }

  /// Without proof, a file that has nothing in common with the source's must not be replaced by it: the URL may be wrong.
  private func requireLikeness(in ranges: [ByteRange]) async throws(Failure) {
    guard let repair, let file, repair.pieces == nil, given == nil, !repair.isAlike else { return }
    let survey = FileSurvey(repair.damaged.file, thread: hashing)
    let likeness = try await survey.compare(with: file, in: ranges)
    self.repair?.isAlike = likeness == .alike
    guard likeness == .unlike else { return }
    self.repair?.isForeign = true
    let place = printable(repair.damaged.target.path)
    throw Failure(
      .badResponse,
      "the source has another file: nothing that was compared is the same in \(place), which stays as it is",
      suggestion: "check the URL; with --checksum it is replaced if the source has what you want")
  }

  /// Holds everything back that is not proven; then `next` may go on.
  func settleProofs(then next: @escaping @Sendable (isolated DownloadRun) -> Void) {
    guard !proofs.isEmpty, let map = ledger?.map else { return settleRepair(then: next) }
    // Blocks of which several transfers brought parts: nobody has compared them yet.
    let due = proofs.keys.sorted()
    let (discards, withdrawals) = (discards, withdrawals)
    order(isRead: true) { store throws(Failure) in
      let checksums = try await store.checksums(of: due.map { map.range(of: $0) })
      await self.settle(due, checksums, discards)
    } then: { run in
      // What turned out to be missing comes back here when it is there.
      if discards == run.discards, withdrawals == run.withdrawals { run.settleRepair(then: next) }
    }
  }

  private func settle(_ due: [Int], _ checksums: [UInt32], _ discards: Int) {
    for (index, checksum) in zip(due, checksums) where discards == self.discards { settle(index, checksum) }
  }

  private func settleRepair(then next: @escaping @Sendable (isolated DownloadRun) -> Void) {
    guard let repair else { return next(self) }
    let discards = discards
    Task {
      do throws(Failure) {
        try await checkPieces(repair)
        if repair.sampling?.agreed ?? repair.plan?.kept.setCount ?? 0 == 0, let total = machine.knownTotal {
          let reach = min(repair.damaged.length, total, Self.likenessReach)
          try await requireLikeness(in: [ByteRange(0, reach)])
        }
        if discards == self.discards { next(self) }
      } catch {
        guard discards == self.discards else { return }
        handle(error.kind == .checksum ? machine.refuted(because: error, now: .now) : machine.interrupted(by: error))
      }
    }
  }

  /// What was fetched must have the digests of its pieces.
  private func checkPieces(_ repair: Repair) async throws(Failure) {
    guard let pieces = repair.pieces, let file else { return }
    let differing = try await differing(among: repair.unproven(ledger?.checksums ?? []), of: pieces, in: file)
    guard let first = differing.first else { return }
    isRefuted = true
    let others = differing.count > 1 ? ", and \(differing.count - 1) other pieces," : ""
    throw Failure(
      .checksum, "what the source sends for bytes \(pieces.range(of: first))\(others) has another digest",
      suggestion: "the URL is of another version, or the server is at fault: try a mirror")
  }

  /// Whether there is nothing to put into the damaged file's place.
  var isIntact: Bool {
    guard let repair, target.path == repair.damaged.target.path, let ledger, ledger.isComplete else { return false }
    return repair.isUnchanged(ledger.checksums, total: ledger.map.total)
  }

  /// Leaves the file that is right as it is, and nothing else.
  func spare() {
    repair?.isIntact = true
    order { store throws(Failure) in
      await store.forget()
    } then: { run in
      run.handle(run.machine.published())
    }
  }

  /// The result, with what the repair came to.
  func reported(_ result: Result<DownloadResult, Failure>) -> Result<DownloadResult, Failure> {
    guard let repair, case .success(var value) = result else { return result }
    let isVerified = value.checks.contains { $0.source == nil || $0.strength == .integrity }
    value.repair = repair.report(total: value.bytes, isVerified: isVerified)
    return .success(value)
  }
}
