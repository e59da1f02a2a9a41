import SheafCore

/// What goes on behind the transfers: old blocks are checked, overlapping ones read.
extension DownloadRun {
  /// Checks the next blocks of an earlier run.
  func continueAudit() {
    guard let audit, let ledger else { return }
    let map = ledger.map
    guard audit.next < map.count else {
      self.audit = nil
      handle(machine.audited(now: .now))
      continueDigest()
      return
    }
    let indices = audit.next..<min(audit.next + Self.auditStride, map.count)
    order(isRead: true) { [self] store throws(Failure) in
      let damaged = try await store.damaged(
        among: indices, of: map, claims: audit.claims, checksums: audit.checksums)
      await audited(indices, damaged)
    }
  }

  func audited(_ indices: Range<Int>, _ damaged: [Int]) {
    guard audit != nil else { return }
    audit?.next = indices.upperBound
    if let map = ledger?.map {
      for index in damaged {
        ledger?.refute(index)
        resumedBytes -= map.range(of: index).count
      }
    }
    refuted += damaged
    handle(machine.refuted(damaged, now: .now))
    continueDigest()
    continueAudit()
    serveReaders()
  }

  /// Reads blocks whose pieces overlapped for their CRC-32.
  func readUnread() {
    guard let indices = ledger?.takeUnread(), !indices.isEmpty, let map = ledger?.map else { return }
    let discards = discards
    order(isRead: true) { [self] store throws(Failure) in
      let checksums = try await store.checksums(of: indices.map { map.range(of: $0) })
      await noteRead(indices, checksums, discards)
    }
  }

  func noteRead(_ indices: [Int], _ checksums: [UInt32], _ discards: Int) {
    // Meanwhile the bytes may have been discarded.
    guard discards == self.discards else { return }
    for (index, checksum) in zip(indices, checksums) { ledger?.read(index, checksum: checksum) }
    continueDigest()
  }

  /// Compares what two answers brought where they overlap, as far as it is there; then `next` may go on. `ended` is called
  /// after that, whatever came of it, unless all bytes were forgotten meanwhile.
  func compareSeams(
    then next: @escaping @Sendable (isolated DownloadRun) -> Void = { _ in },
    ended: @escaping @Sendable (isolated DownloadRun) -> Void = { _ in }
  ) {
    let due = seams.filter { !$0.isCompared && machine.isPresent($0.range) }
    guard !due.isEmpty else { return next(self) }
    let (discards, withdrawals) = (discards, withdrawals)
    order(isRead: true) { [self] store throws(Failure) in
      let checksums = try await store.checksums(of: due.map(\.range))
      await compared(due, checksums, discards, withdrawals, then: next)
    } then: {
      ended($0)
    }
  }

  private func compared(
    _ due: [Seam], _ checksums: [UInt32], _ discards: Int, _ withdrawals: Int,
    then next: @escaping @Sendable (isolated DownloadRun) -> Void
  ) {
    // Meanwhile the bytes may have been discarded.
    guard discards == self.discards else { return }
    guard withdrawals == self.withdrawals else { return compareSeams(then: next) }
    for (seam, checksum) in zip(due, checksums) where !machine.sources[seam.source].isExpelled {
      guard seam.checksum == checksum else {
        // The others that differ may do so for the same reason: they are compared when all is there again.
        return handle(machine.misfitted(seam.range, by: seam.source, now: .now))
      }
      machine.fitted(seam.range, by: seam.source)
      if let index = seams.firstIndex(of: seam) { seams[index].isCompared = true }
    }
    next(self)
  }

  /// Forgets these blocks, which will be fetched again.
  func withdraw(_ indices: [Int]) {
    guard let map = ledger?.map ?? streamBlocks, let first = indices.first else { return }
    for index in indices { ledger?.refute(index) }
    refuted += indices
    withdrawals += 1
    seams.removeAll { machine.sources[$0.source].isExpelled }
    // What comes in their place is compared anew.
    let forgotten = Set(indices)
    for (place, seam) in seams.enumerated() where forgotten.contains(map.index(of: seam.range.lower)) {
      seams[place].isCompared = false
    }
    // A stream's digest knows nothing but what has been handed out, and that is never taken back.
    if stream == nil, map.range(of: first).lower < digested || isDigesting { expect(expected) }
  }
}
