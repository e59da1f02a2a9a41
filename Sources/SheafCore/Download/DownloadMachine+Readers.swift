/// Somebody reads the bytes while they come: in order and then they are forgotten (a stream), or here and there from the part
/// file.
extension DownloadMachine {
  /// Where the bytes end that are there from `offset` on without a gap; `offset` itself if that one is missing.
  package func presentEnd(from offset: Int64) -> Int64 {
    switch phase {
    case .idle, .probing: return offset
    case .fetching, .sealing, .publishing, .ended: break
    }
    guard let identity else { return offset }
    // A transfer of unknown length has the whole future in its segment.
    let end = planner.firstMissing(from: offset) ?? identity.total ?? offset
    return max(offset, min(end, identity.total ?? .max))
  }

  /// Bytes of a stream before `offset` have been handed to its reader. They cannot be taken back: from here on only the same
  /// file's bytes may follow.
  package mutating func handedOut(upTo offset: Int64) { delivered = max(delivered, offset) }

  /// Nobody needs the stream's bytes before `offset` any more; so many more may be fetched ahead.
  package mutating func consumed(upTo offset: Int64, now: Instant) -> [Action] {
    guard settings.window != nil, offset > released else { return [] }
    released = offset
    planner.consume(upTo: offset)
    guard phase == .fetching else { return [] }
    guard mode == .wholeOnly else { return fetch(now: now) }
    return planner.segments.keys.map { .extend($0, to: reach) }
  }

  /// These ranges of the file are what readers wait for now, the most urgent first. Until others are named, they are fetched
  /// before all else, and whoever is far from bringing them makes room.
  package mutating func awaited(_ ranges: [ByteRange], now: Instant) -> [Action] {
    guard ranges != awaitedRanges else { return [] }
    awaitedRanges = ranges
    planner.urgent = ranges
    guard phase == .fetching, mode == .ranges, !ranges.isEmpty else { return [] }
    return makeRoom(now: now) + fetch(now: now)
  }

  /// Somebody takes the bytes as they come: from now on they are to come nearly in order.
  package mutating func follow() {
    guard !isFollowed else { return }
    isFollowed = true
    planner.limitSegments(to: Self.largestOrderedSegment)
  }

  // MARK: - Streams

  /// How far ahead of the reader transfers may go.
  var reach: Int64 { settings.window.map { Window(length: $0, consumed: released).horizon } ?? .max }

  /// Bytes of the stream are with its reader.
  var hasDelivered: Bool { delivered > settings.start }

  /// What has been handed out can only be followed by more of the same, and only a strong validator can say that.
  func refusalToStartOver(because reason: String) -> Failure? {
    guard hasDelivered, identity?.validator.strength != .strong else { return nil }
    return Failure(
      .badResponse, "\(reason), and nothing could tell whether more of the same would follow what was handed out",
      suggestion: "start over; a file can be fetched with several tries")
  }

  /// Another file is no continuation of what has been handed out.
  func changedTooLate(_ difference: String) -> Failure {
    Failure(
      .badResponse,
      "the file changed on the server after its first \(delivered - settings.start) bytes had been handed out (\(difference))",
      suggestion: "throw them away and start over")
  }

  /// The transfer that a reader waits for alone, if that is slow. While they still have something to read, time will tell.
  func laggardAtFrontier(now: Instant) -> TransferID? {
    guard let window = planner.window, let first = planner.firstMissing(from: 0),
      first - window.consumed < window.length / 4, let holder = planner.holder(of: first),
      StallPolicy.holdsUp(holder.id, paces: paces, now: now)
    else { return nil }
    return holder.id
  }

  // MARK: - Urgent ranges

  /// Sees to it that the first of the urgent bytes that nobody brings soon finds a connection: one at a time.
  private mutating func makeRoom(now: Instant) -> [Action] {
    guard shrinking.isEmpty else { return [] }
    let isFree = activeTransfers < lanes
    for range in awaitedRanges {
      var next = planner.firstMissing(from: range.lower)
      while let missing = next, missing < range.upper {
        guard let holder = planner.holder(of: missing) else {
          // Nobody's: the next lane takes it.
          return isFree ? [] : dismissOne(now: now)
        }
        if !races.includes(victim: holder.id),
          Urgency.isFar(missing, from: holder.segment, paces[holder.id], paces, now)
        {
          return [shrink(holder.id, to: isFree ? missing : holder.segment.position)]
        }
        next = planner.firstMissing(from: holder.segment.range.upper)
      }
    }
    return []
  }

  /// Ends the transfer that has the most left and nothing urgent: its connection's place is needed.
  private mutating func dismissOne(now: Instant) -> [Action] {
    let candidates = planner.segments.filter { id, segment in
      !segment.remainder.isEmpty && !races.includes(victim: id)
        && awaitedRanges.allSatisfy { $0.intersection(segment.remainder) == nil }
    }
    let most = candidates.max { a, b in
      (a.value.remainder.count, b.key.number) < (b.value.remainder.count, a.key.number)
    }
    return most.map { [shrink($0.key, to: $0.value.position)] } ?? []
  }
}
