import SheafCore

/// A repair is a download that was interrupted: its part file and manifest are made of what is good in another file.
extension DownloadRun {
  private static let copyStride: Int64 = 64 << 20
  private static let surveyStride = 16

  /// Looks at the file, asks the source, and opens the target; a result means that nothing is left to do.
  func open(repairing order: RepairOrder) async throws(Failure) -> DownloadResult? {
    guard order.damaged.directory != target.directory || order.damaged.name != target.partName else {
      throw Failure(
        .usage, "\(printable(order.damaged.path)) is where \(printable(target.name)) is put together",
        suggestion: "sheaf -o \(printable(path)) URL continues it")
    }
    let damaged = try await store.openDamaged(order.damaged)
    var repair = Repair(damaged, pieces: order.pieces)
    self.repair = repair
    let proven = try await provenRanges(damaged, order.pieces)
    if order.damaged.path == path, let result = try await concludeIfRight(damaged, proven) { return result }
    let hint = try await store.hint(beside: order.damaged)
    let source = try await identify(order)
    let map = BlockMap(total: source.total)
    let content = try await survey(damaged, map)
    repair.content = content
    let base = base(damaged, content, proven: proven, hint, map, source)
    repair.basis = base.basis
    var known = content.checksums
    var plan = usable(plan(base, map, content, order), source)
    switch try await store.open(continues: options.continues, overwrites: options.overwrites) {
    case .finished:
      throw Failure(
        .exists, "\(printable(path)) exists", suggestion: "remove it, choose another name, or use --allow-overwrite")
    case .fresh(let part, _):
      file = part
      if let plan { try await fill(plan, known, source, from: damaged) }
    case .resumable(let part, let manifest):
      file = part
      // What an earlier repair or download left goes on if it has more.
      let earlier = usable(try await self.plan(continuing: manifest, part, map, source, order), source)
      if let earlier, earlier.kept.setCount > plan?.kept.setCount ?? 0 {
        refuted = (0..<map.count).filter { manifest.blocks[$0] && !earlier.kept[$0] }
        plan = earlier
        known = manifest.checksums
        repair.basis = earlier.basis
      } else {
        try await store.discard()
        if let plan { try await fill(plan, known, source, from: damaged) }
      }
    }
    await store.keep(mode: damaged.mode)
    repair.plan = plan
    repair.known = known
    if let plan, !plan.samples.isEmpty { repair.sampling = Sampling(plan.samples, of: plan.kept) }
    self.repair = repair
    begin(plan, known, source.identity)
    return nil
  }

  /// What the source has, with a length.
  struct Source: Sendable {
    let identity: Identity
    let total: Int64
    let answersRanges: Bool
  }

  // MARK: - Before the source is asked

  /// The bytes that have the digests of their pieces; nil without such digests.
  private func provenRanges(_ damaged: DamagedFile, _ pieces: PieceHashes?) async throws(Failure) -> RangeSet? {
    guard let pieces else { return nil }
    let whole = pieces.pieces(within: ByteRange(0, damaged.length))
    return try await proven(pieces, whole, of: damaged.file)
  }

  private func proven(
    _ pieces: PieceHashes, _ indices: Range<Int>, of file: PartFile
  ) async throws(Failure) -> RangeSet {
    var proven = indices.isEmpty ? RangeSet() : RangeSet([pieces.range(of: indices)])
    let differing = try await differing(among: Array(indices), of: pieces, in: file)
    for index in differing { proven.remove(pieces.range(of: index)) }
    return proven
  }

  /// Those of the pieces that have another digest, looked at in turns.
  func differing(
    among indices: [Int], of pieces: PieceHashes, in file: PartFile
  ) async throws(Failure) -> [Int] {
    let check = PieceCheck(pieces, of: file, thread: hashing)
    var differing: [Int] = []
    var rest = indices[...]
    while !rest.isEmpty {
      try checkIfStopped()
      differing += try await check.differing(among: rest.prefix(check.stride))
      rest = rest.dropFirst(check.stride)
    }
    return differing
  }

  /// Nothing is to be repaired if the file has the digests that it should.
  private func concludeIfRight(_ damaged: DamagedFile, _ proven: RangeSet?) async throws(Failure) -> DownloadResult? {
    let hasAllPieces = repair?.pieces.map { $0.total == damaged.length && proven?.byteCount == $0.total }
    if let given, hasAllPieces ?? true {
      let digester = Digester(given.digest.algorithm, of: damaged.file, thread: hashing)
      var position: Int64 = 0
      while position < damaged.length {
        try checkIfStopped()
        position = min(damaged.length, position + Self.digestStride)
        try await digester.advance(to: position)
      }
      let isRight = try await digester.finish(at: damaged.length) == given.digest.bytes
      if !isRight && hasAllPieces == true {
        throw Failure(
          .checksum, "\(printable(damaged.target.path)) has the digests of all its pieces and not that of the whole",
          suggestion: "they are not of one file: check where they come from")
      }
      guard isRight else { return nil }
      checks = [DigestCheck(given)]
      repair?.hadDigest = true
    } else if hasAllPieces != true {
      return nil
    }
    repair?.isIntact = true
    return result(bytes: damaged.length, identity: .strong, isOld: true)
  }

  // MARK: - What the source has

  private func identify(_ order: RepairOrder) async throws(Failure) -> Source {
    try checkIfStopped()
    let probe = Probe(location, settings: settings, options: options, loop: loop)
    self.probe = probe
    defer { self.probe = nil }
    let answer = try await probe.ask()
    guard let total = answer.identity.total else {
      throw Failure(
        .cannotResume, "the source does not tell how long the file is",
        suggestion: "fetch it anew, under another name: sheaf -o NAME URL")
    }
    if let size = order.size, size != total {
      throw Failure(
        .badResponse, "the source has \(total) bytes, and the file should have \(size)",
        suggestion: "check the URL, and whether the Metalink document is of this version")
    }
    guard total > 0 else {
      throw Failure(.badResponse, "the source has an empty file", suggestion: "check the URL")
    }
    if let most = options.mostBytes, total > most {
      throw Failure(.badResponse, "it has more than the \(most) bytes that it may have")
    }
    return Source(identity: answer.identity, total: total, answersRanges: answer.answersRanges)
  }

  // MARK: - What is good

  private func survey(_ damaged: DamagedFile, _ map: BlockMap) async throws(Failure) -> BlockContent {
    let survey = FileSurvey(damaged.file, thread: hashing)
    var content = BlockContent(of: map)
    let count = (0..<map.count).prefix { map.range(of: $0).upper <= damaged.length }.count
    var next = 0
    while next < count {
      try checkIfStopped()
      let indices = next..<min(next + Self.surveyStride, count)
      for (index, seen) in zip(indices, try await survey.look(at: indices.map { map.range(of: $0) })) {
        content.checksums[index] = seen.checksum
        content.zeros[index] = seen.isZero
      }
      next = indices.upperBound
    }
    return content
  }

  /// What says which parts of the file are good, and which.
  private func base(
    _ damaged: DamagedFile, _ content: BlockContent, proven: RangeSet?, _ hint: RepairHint?, _ map: BlockMap,
    _ source: Source
  ) -> (basis: RepairPlan.Basis, good: RangeSet) {
    if let proven { return (.pieces, proven) }
    let all = RangeSet([ByteRange(0, min(damaged.length, source.total))])
    switch hint {
    case nil: return (.content, all)
    case .unusable(let name):
      channel.send(.warning("\(printable(name)) cannot be understood: nothing says what is good, so all is fetched"))
      return (.controlFile, RangeSet())
    case .foreign(let progress, let name):
      guard progress.total == source.total else {
        channel.send(
          .warning("\(printable(name)) is of a file of \(progress.total) bytes, not \(source.total): not used"))
        return (.controlFile, RangeSet())
      }
      channel.send(.decision("\(printable(name)) says that \(progress.complete.byteCount) bytes are there"))
      return (.controlFile, progress.complete)
    case .manifest(let manifest, let name, let isOurs):
      guard manifest.total == source.total, manifest.blockSize == map.blockSize else {
        channel.send(.warning("\(printable(name)) is of a file of another length: not used"))
        return (.controlFile, RangeSet())
      }
      var good = RangeSet()
      for index in 0..<map.count where manifest.blocks[index] && content.checksums[index] == manifest.checksums[index] {
        good.insert(map.range(of: index))
      }
      return (basis(of: manifest, isOurs: isOurs, source), good)
    }
  }

  /// A manifest of the same URL and version, made by this user, is as good as in any download.
  private func basis(of manifest: Manifest, isOurs: Bool, _ source: Source) -> RepairPlan.Basis {
    let isSame =
      isOurs && manifest.sourceHash == location.hash && source.identity.validator.strength == .strong
      && source.identity.difference(from: manifest.identity) == nil
    return isSame ? .manifest : .controlFile
  }

  private func plan(
    _ base: (basis: RepairPlan.Basis, good: RangeSet), _ map: BlockMap, _ content: BlockContent, _ order: RepairOrder
  ) -> RepairPlan {
    var random = SystemRandomNumberGenerator()
    return RepairPlan(
      base.basis, of: map, good: base.good, unwritten: content.zeros, mostSamples: order.samples, using: &random)
  }

  /// What can be made of the part file of an earlier run, if it is of the same version.
  private func plan(
    continuing manifest: Manifest, _ part: PartFile, _ map: BlockMap, _ source: Source, _ order: RepairOrder
  ) async throws(Failure) -> RepairPlan? {
    guard manifest.blockSize == map.blockSize, source.identity.difference(from: manifest.identity) == nil else {
      return nil
    }
    var good = RangeSet()
    for run in manifest.blocks.ranges(where: true) { good.insert(map.range(of: run)) }
    var basis = basis(of: manifest, isOurs: true, source)
    if let pieces = order.pieces {
      basis = .pieces
      var proven = RangeSet()
      for range in good.ranges {
        let whole = pieces.pieces(within: range)
        for range in try await self.proven(pieces, whole, of: part).ranges { proven.insert(range) }
      }
      good = proven
    }
    return plan((basis, good), map, BlockContent(of: map), order)
  }

  // MARK: - The part file

  private func fill(
    _ plan: RepairPlan, _ known: [UInt32?], _ source: Source, from damaged: DamagedFile
  ) async throws(Failure) {
    for run in plan.kept.ranges(where: true) {
      var rest = plan.blocks.range(of: run)
      while !rest.isEmpty {
        try checkIfStopped()
        let next = ByteRange(rest.lower, min(rest.upper, rest.lower + Self.copyStride))
        try await store.copy([next], from: damaged.file)
        rest = ByteRange(next.upper, rest.upper)
      }
    }
    try await store.syncCopy()
    var new = manifest(for: plan.blocks, source.identity)
    new.blocks = plan.kept
    new.checksums = known.map { $0 ?? 0 }
    // Whoever continues it must not think that all of it came from this URL.
    if plan.basis.isHint { new.sourceHash = Array(repeating: 0, count: new.sourceHash.count) }
    if let note = try await store.layOut(total: source.total, manifest: new) { channel.send(.warning(note)) }
  }

  /// Nil if a download cannot begin with what is kept.
  private func usable(_ plan: RepairPlan?, _ source: Source) -> RepairPlan? {
    guard let plan, plan.kept.setCount > 0 else { return nil }
    let needsNothing = plan.kept.setCount == plan.blocks.count && plan.samples.isEmpty
    let isIdentified = source.identity.validator.strength != .none || repair?.pieces != nil || given != nil
    return needsNothing || (source.answersRanges && isIdentified) ? plan : nil
  }

  private func begin(_ plan: RepairPlan?, _ known: [UInt32?], _ identity: Identity) {
    var settings = DownloadMachine.Settings(options, given: given?.digest)
    // As good as the digest of the whole: what is fetched is compared with them, too.
    if repair?.pieces != nil {
      settings.hasDigest = true
      settings.digestIsRead = given.map { $0.digest.algorithm != .crc32 } ?? false
    }
    var resumed: DownloadMachine.Resumed?
    if let plan {
      let checksums = known.map { $0 ?? 0 }
      ledger = BlockLedger(map: plan.blocks, complete: plan.kept, checksums: checksums, combine: crc32Combined)
      audit = Audit(claims: plan.kept, checksums: checksums)
      resumedBytes = plan.keptBytes
      resumed = .init(
        identity: identity, blocks: plan.blocks, complete: plan.kept,
        samples: plan.samples.isEmpty ? nil : plan.samples)
    }
    machine = DownloadMachine(
      location, mirrors: mirrors, settings: settings, resumed: resumed, existing: nil)
    expect(given.map { [$0] } ?? [])
  }

  func checkIfStopped() throws(Failure) {
    guard isStopRequested else { return }
    throw Failure(.interrupted, "stopped", suggestion: "run the same command again")
  }
}
