import SheafCore

/// Those who read the bytes while they come: the one reader of a stream, or any number of a file's.
extension DownloadRun {
  /// Somebody who waits for bytes.
  struct Reader {
    let range: ByteRange
    /// All of the range is wanted at once; else whatever there is of its beginning.
    let wantsAll: Bool
    let continuation: CheckedContinuation<Result<Grant?, Failure>, Never>
  }

  /// Leave to read these bytes, which are there.
  struct Grant: Sendable {
    let range: ByteRange
    /// They are the bytes of the file as it was then.
    let generation: Int
    let file: PartFile?
  }

  /// Bytes that a reader who takes them as they come is thought to want next.
  private static let foresight: Int64 = 1 << 20

  // MARK: - What readers ask for

  /// All bytes of `range`, or as many of them as the file has. They are fetched before all others.
  ///
  /// What is read before the download has ended has not been compared with the file's digest yet.
  /// - Throws: how the download failed, if it does before they are there; `interrupted` if the waiting task is cancelled.
  nonisolated func bytes(in range: ByteRange) async throws(Failure) -> [UInt8] {
    guard !range.isEmpty else { return [] }
    while true {
      guard let grant = try await grant(range, wantsAll: true) else { return [] }
      if let bytes = try await read(grant) { return bytes }
    }
  }

  /// The next bytes from `offset` on, as soon as there are any, `most` of them at the most; nil at the end of the file, once
  /// the download has ended well.
  ///
  /// Of a stream, this says that what lies before `offset` is done with.
  /// - Parameter generation: what came with the bytes before these, if there were any: they must be of the same file.
  /// - Throws: how the download failed, of a stream once all that is there has been read; `interrupted` if the waiting task is cancelled.
  nonisolated func bytes(from offset: Int64, atMost most: Int, generation: Int?) async throws(Failure)
    -> (bytes: [UInt8], generation: Int)?
  {
    while true {
      let range = ByteRange(offset, offset + Int64(max(1, most)))
      guard let grant = try await grant(range, wantsAll: false) else { return nil }
      guard generation ?? grant.generation == grant.generation else {
        throw Failure(
          .badResponse, "the file changed on the server after its first bytes had been handed out",
          suggestion: "throw them away and start over")
      }
      if let bytes = try await read(grant) { return (bytes, grant.generation) }
    }
  }

  /// Reads what there is leave to read; nil if it was taken back meanwhile.
  private nonisolated func read(_ grant: Grant) async throws(Failure) -> [UInt8]? {
    // Memory does not block.
    if let stream { return try stream.part.bytes(in: grant.range) }
    let bytes = try await PartReader(thread: hashing).read(grant.range, of: grant.file, or: target, in: engine.files)
    return await generation == grant.generation ? bytes : nil
  }

  // MARK: - Waiting

  /// How often bytes that had been there were not the file's after all.
  private var generation: Int { discards + withdrawals }

  private func grant(_ range: ByteRange, wantsAll: Bool) async throws(Failure) -> Grant? {
    letGo(upTo: range.lower)
    if !wantsAll { machine.follow() }
    readersCount += 1
    let number = readersCount
    let result: Result<Grant?, Failure> = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Result<Grant?, Failure>, Never>) in
        guard !Task.isCancelled else { return continuation.resume(returning: .failure(Self.noLongerWanted)) }
        readers.append((number, Reader(range: range, wantsAll: wantsAll, continuation: continuation)))
        serveReaders()
      }
    } onCancel: {
      deliver { $0.cancelReader(number) }
    }
    return try result.get()
  }

  private static let noLongerWanted = Failure(.interrupted, "the reader was cancelled")

  private func cancelReader(_ number: Int) {
    guard let index = readers.firstIndex(where: { $0.number == number }) else { return }
    readers.remove(at: index).reader.continuation.resume(returning: .failure(Self.noLongerWanted))
    serveReaders()
  }

  /// Lets those go on for whom there is something, and has fetched first what the others wait for.
  func serveReaders() {
    guard !readers.isEmpty || isAwaited else { return }
    var served: [(Reader, Result<Grant?, Failure>)] = []
    readers.removeAll { _, reader in
      guard let answer = answer(reader) else { return false }
      served.append((reader, answer))
      return true
    }
    for (reader, answer) in served {
      if stream != nil, case .success(let grant?) = answer { machine.handedOut(upTo: grant.range.upper) }
      reader.continuation.resume(returning: answer)
    }
    isAwaited = !readers.isEmpty
    if outcome == nil, stream == nil { handle(machine.awaited(readers.map { awaited($0.reader) }, now: .now)) }
    if !served.isEmpty { continueDigest() }
  }

  private func awaited(_ reader: Reader) -> ByteRange {
    let lower = reader.range.lower
    return reader.wantsAll ? reader.range : ByteRange(lower, max(reader.range.upper, lower + Self.foresight))
  }

  /// What to say to a reader now; nil to have them wait.
  private func answer(_ reader: Reader) -> Result<Grant?, Failure>? {
    let range = reader.range
    // The part file has been let go. A stream's bytes are still there.
    if stream == nil, case .failure(let failure)? = outcome { return .failure(failure) }
    let total = fileLength
    let end = min(readableEnd(of: range), range.upper)
    let target = reader.wantsAll ? min(range.upper, total ?? .max) : range.lower + 1
    if end >= target, end > range.lower {
      return .success(Grant(range: ByteRange(range.lower, end), generation: generation, file: file))
    }
    if case .failure(let failure)? = outcome { return .failure(failure) }
    guard let total, range.lower >= total else { return nil }
    // Whether all is well, only the end tells.
    return reader.wantsAll || outcome != nil ? .success(nil) : nil
  }

  private var fileLength: Int64? {
    if case .success(let result)? = outcome, stream == nil { return result.bytes }
    return machine.knownTotal
  }

  /// Where the bytes at the start of `range` end that may be read: they are there, and nothing about them is still open.
  private func readableEnd(of range: ByteRange) -> Int64 {
    let offset = range.lower
    if case .success(let result)? = outcome, stream == nil { return result.bytes }
    guard proofs.isEmpty, !isHeld else { return offset }
    var end = min(machine.presentEnd(from: offset), range.upper)
    guard end > offset else { return offset }
    if let audit, let map = ledger?.map {
      let blocks = max(audit.next, map.index(of: offset))...max(audit.next, map.index(of: end - 1))
      if let open = blocks.first(where: { $0 < map.count && audit.claims[$0] && map.range(of: $0).lower < end }) {
        end = max(offset, map.range(of: open).lower)
      }
    }
    for seam in seams where !seam.isCompared && seam.range.upper > offset && seam.range.lower < end {
      end = max(offset, seam.range.lower)
      compareSeamsForReaders()
    }
    if stream == nil, let watch = pieceWatch, end > offset,
      let open = watch.hashes.pieces(touching: ByteRange(offset, end)).first(where: { watch.unchecked.contains($0) })
    {
      end = max(offset, watch.hashes.range(of: open).lower)
    }
    return end
  }

  private func compareSeamsForReaders() {
    guard !isComparing, seams.contains(where: { !$0.isCompared && machine.isPresent($0.range) }) else { return }
    isComparing = true
    compareSeams(ended: { run in
      run.isComparing = false
      run.serveReaders()
    })
  }

  // MARK: - Streams

  /// The reader of a stream has dealt with everything before `offset`.
  private func letGo(upTo offset: Int64) {
    guard stream != nil else { return }
    consumed = max(consumed, offset)
    moveWindow()
  }

  /// Lets transfers go further ahead, as far as nobody needs what is overwritten by that.
  func moveWindow() {
    guard let stream, outcome == nil else { return }
    let free = digester == nil ? consumed : min(consumed, digested)
    guard free > released else { return }
    released = free
    stream.buffer.release(upTo: free)
    handle(machine.consumed(upTo: free, now: .now))
    consultBudget()
  }

  /// A stream needs no target: its bytes go to memory.
  func open(streaming order: StreamOrder) async {
    file = order.part
    await store.adopt(order.part)
    var settings = DownloadMachine.Settings(options, given: given?.digest)
    // Digests of pieces would tell of them too late.
    settings.hasDigest = given != nil
    // Whatever anybody says of the whole file says nothing of a part.
    if order.start > 0 { settings.verification = .off }
    settings.window = order.window
    settings.start = order.start
    (consumed, released, digested) = (order.start, order.start, order.start)
    machine = DownloadMachine(location, mirrors: mirrors, settings: settings, resumed: nil, existing: nil)
    expect(given.map { [$0] } ?? [])
  }
}
