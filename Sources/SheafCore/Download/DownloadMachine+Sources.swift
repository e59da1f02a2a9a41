/// Where the bytes come from: who is asked next, who brought what, and who is asked no more.
extension DownloadMachine {
  /// How things stand with one host.
  package struct HostStanding: Hashable, Sendable {
    package let host: Location.Origin
    /// Transfers to it that have been started and have not ended.
    package let active: Int
    /// Transfers to it that the download could use now.
    package let wanted: Int
    /// Bytes received from it, those that were later discarded included.
    package let received: Int64
  }

  // MARK: - What there is to see

  /// The origin that the first request goes to, and most things are said about.
  package var host: Location.Origin { sources[firstUsable ?? measure].location.origin }

  /// The hosts that requests may go to, each once.
  package var hosts: [Location.Origin] {
    guard sources.count > 1 else { return [sources[0].location.origin] }
    var hosts: [Location.Origin] = []
    for source in sources where source.isUsable && !hosts.contains(source.location.origin) {
      hosts.append(source.location.origin)
    }
    return hosts
  }

  package var standings: [HostStanding] {
    guard sources.count > 1 else {
      return [HostStanding(host: host, active: activeTransfers, wanted: wantedTransfers, received: received)]
    }
    let more = max(0, wantedTransfers - activeTransfers)
    return hosts.map { host in
      let active = activeTransfers(at: host)
      let received = sources.reduce(0) { $1.location.origin == host ? $0 + $1.received : $0 }
      return HostStanding(
        host: host, active: active, wanted: min(settings.connections, active + more), received: received)
    }
  }

  /// The place in `sources` of the one that transfer `id` asked.
  package func source(of id: TransferID) -> Int { asking[id] ?? measure }

  /// What proves the finished file to be of one piece. That several sources have the same file is thought, and compared where
  /// their parts meet; only a digest, or one strong tag for all of them, proves it.
  package var proof: Validator.Strength {
    guard strength == .strong, !settings.hasDigest, claims.settled.isEmpty else { return strength }
    let others = sources.indices.filter { $0 != measure && !sources[$0].brought.isEmpty }
    return others.allSatisfy { sources[$0].identity == identity } ? .strong : .weak
  }

  func host(of id: TransferID) -> Location.Origin { sources[source(of: id)].location.origin }

  package func activeTransfers(at host: Location.Origin) -> Int {
    guard sources.count > 1 else { return activeTransfers }
    return asking.count { sources[$0.value].location.origin == host && isKnown($0.key) }
  }

  func activeTransfers(of source: Int) -> Int {
    guard sources.count > 1 else { return activeTransfers }
    return asking.count { $0.value == source && isKnown($0.key) }
  }

  func allowance(of host: Location.Origin) -> Int { allowances[host] ?? settings.connections }

  /// How many more transfers may go to `source` now.
  func room(at source: Int) -> Int {
    if sources[source].isRenewing { return 0 }
    let host = sources[source].location.origin
    return allowance(of: host) - activeTransfers(at: host)
  }

  var firstUsable: Int? { sources.firstIndex { $0.isUsable } }

  func hasAlternative(to source: Int) -> Bool {
    sources.count > 1 && sources.indices.contains { $0 != source && sources[$0].isUsable }
  }

  /// How a message names `source`.
  func name(of source: Int) -> String { printable(sources[source].original.name) }

  // MARK: - Who is asked next

  /// A source whose connections have this share of the best one's rate is left alone in the end.
  private static let slowShare = 0.25
  /// A piece may be wrong this often, for bits flip on the way.
  private static let mostWrongTries = 2
  /// Transfers that a source may have before anybody knows how fast it is, while another one is known to work.
  private static let trials = 2

  /// The source for the next transfer, if any has room for one.
  /// - Parameter freed: a transfer that has just ended, whose connection is free.
  func nextSource(after freed: TransferID?) -> Int? {
    guard sources.count > 1 else { return room(at: 0) > 0 ? 0 : nil }
    let best = sources.compactMap { $0.isUsable ? $0.rate : nil }.max() ?? 0
    let isEnd = planner.unassigned.isEmpty
    let candidates = sources.indices.filter { index in
      guard sources[index].isUsable, room(at: index) > 0 else { return false }
      return !isEnd || sources[index].rate ?? 0 >= best * Self.slowShare
    }
    if let freed, let source = asking[freed], candidates.contains(source),
      sources[source].rate ?? best >= best * Self.slowShare
    {
      return source
    }
    if let untried = candidates.first(where: { sources[$0].rate == nil && activeTransfers(of: $0) < Self.trials }) {
      return untried
    }
    return candidates.max { a, b in
      let (first, second) = (sources[a].rate ?? 0, sources[b].rate ?? 0)
      // While nothing is known the transfers are spread, the better source first.
      return first == second ? (activeTransfers(of: a), a) > (activeTransfers(of: b), b) : first < second
    }
  }

  /// Looks at how fast the sources' connections are.
  mutating func measureSources(now: Instant) {
    guard sources.count > 1 else { return }
    for index in sources.indices {
      let rates = planner.segments.keys.filter { asking[$0] == index }.compactMap { id -> Double? in
        guard let pace = paces[id], pace.experience > 0.2 else { return nil }
        return pace.bytesPerSecond(now: now)
      }
      if !rates.isEmpty { sources[index].rate = rates.reduce(0, +) / Double(rates.count) }
    }
  }

  // MARK: - What they brought

  /// Transfer `id` has brought these bytes.
  mutating func credit(_ id: TransferID, _ range: ByteRange) {
    if sources.count > 1 { sources[source(of: id)].brought.insert(range) }
  }

  /// An answer of `source` has been accepted.
  mutating func heard(from source: Int, _ found: Identity) {
    sources[source].resolutions = 0
    sources[source].renewals = 0
    sources[source].silences = 0
    sources[source].hasAnswered = true
    if sources[source].identity == nil { sources[source].identity = found }
  }

  /// These bytes are missing after all, wherever they came from.
  mutating func lose(_ range: ByteRange) {
    planner.lose(range)
    for index in sources.indices { sources[index].brought.remove(range) }
  }

  /// Takes back the blocks that these bytes lie in.
  private mutating func withdraw(_ ranges: [ByteRange]) -> [Action] {
    guard let blocks else { return [] }
    var indices = Set<Int>()
    for range in ranges where !range.isEmpty {
      indices.formUnion(blocks.index(of: range.lower)...blocks.index(of: range.upper - 1))
    }
    for index in indices { lose(blocks.range(of: index)) }
    return indices.isEmpty ? [] : [.withdraw(indices.sorted())]
  }

  // MARK: - Who else is asked

  /// An answer or redirect names other places for the file (RFC 6249); its verdict follows.
  package mutating func offered(_ id: TransferID, _ mirrors: [Location]) {
    if isKnown(id), id == probe { offers = mirrors }
  }

  /// What a server says of others is taken up where a digest will tell whether it was true, and where there is enough to
  /// fetch.
  mutating func takeOffers(total: Int64) -> [Action] {
    defer { offers = [] }
    let isVouchedFor = settings.hasDigest || claims.settled.contains { $0.digest.algorithm.strength == .integrity }
    // A stream's digest tells it too late.
    guard isVouchedFor, settings.window == nil, total > Self.probeLength else { return [] }
    let isSecure = sources[measure].location.origin.scheme == "https"
    var taken = 0
    for mirror in offers where sources.count < settings.mostSources {
      let isAllowed = mirror.origin.scheme == "https" || mirror.origin.scheme == "http" && !isSecure
      let isNew = !sources.contains { $0.original == mirror || $0.location == mirror }
      guard isNew, isAllowed || mirror.origin.scheme == "http" && settings.allowsDowngrade else { continue }
      sources.append(Source(mirror))
      taken += 1
    }
    return taken == 0 ? [] : [.report(.decision("the server names \(taken) other places for the file"))]
  }

  // MARK: - Who is asked no more

  /// Nothing more is asked of `source`; what it brought stays. Without another one the download fails.
  mutating func give(up source: Int, because failure: Failure, now: Instant) -> [Action] {
    guard sources[source].isUsable else { return fetch(now: now) }
    guard hasAlternative(to: source) else {
      return fail(sources.count == 1 ? failure : failure.about(name(of: source)))
    }
    return retire(source, because: failure.message) + fetch(now: now)
  }

  mutating func drop(_ source: Int, _ reason: String, now: Instant) -> [Action] {
    give(up: source, because: Failure(.badResponse, reason), now: now)
  }

  /// Nothing more is asked of `source`; what it brought stays.
  mutating func retire(_ source: Int, because reason: String) -> [Action] {
    sources[source].dropped = reason
    holdUntil = nil
    // How far ranges can be trusted is another question with another server.
    if phase == .probing { mode = .ranges }
    let all = (planner.segments.keys + races.ids + (probe.map { [$0] } ?? [])).filter { asking[$0] == source }
    let aborts = all.sorted { $0.number < $1.number }.map { abort($0) }
    return aborts + [.report(.warning("\(name(of: source)): \(reason); going on without it"))]
  }

  /// Gives up sources that leave one request after the other without an answer.
  mutating func dropSilent(now: Instant) -> [Action] {
    guard sources.count > 1 else { return [] }
    return sources.indices.flatMap { index -> [Action] in
      guard sources[index].isUsable, !sources[index].hasAnswered, sources[index].silences >= Self.trials else {
        return []
      }
      return give(up: index, because: Failure(.timedOut, "it does not answer"), now: now)
    }
  }

  /// Where two answers overlapped, what `source` sent is what is there.
  package mutating func fitted(_ seam: ByteRange, by source: Int) {
    // That it agrees with itself says nothing.
    if sources[source].brought.intersection(in: seam).isEmpty { sources[source].fits += 1 }
  }

  /// Where two answers overlapped, what `source` sent differs from what is there.
  package mutating func misfitted(_ seam: ByteRange, by source: Int, now: Instant) -> [Action] {
    guard phase == .fetching || phase == .sealing else { return [] }
    let holders = sources.indices.filter { $0 != source && !sources[$0].brought.intersection(in: seam).isEmpty }
    // One of two is wrong: not the measure, and rather the one that nobody has agreed with yet.
    let suspects = (holders + [source]).filter { $0 != measure }
    guard let least = suspects.map({ sources[$0].fits }).min() else {
      mode = .wholeOnly
      return restart(
        because: "the parts do not fit together, the file must have changed on the server", isChanged: true, now: now)
    }
    return expel(suspects.filter { sources[$0].fits == least }, because: "it sends another file", now: now)
  }

  /// The complete file does not have the digest that it must have. With one source there is nothing to be done about it;
  /// of several, those that were only thought to have the same file are asked no more, and in the end another one is the
  /// measure.
  package mutating func refuted(because failure: Failure, now: Instant) -> [Action] {
    guard phase == .sealing else { return [] }
    // What has been handed out cannot be fetched again.
    if hasDelivered { return fail(failure) }
    let others = sources.indices.filter { $0 != measure && !sources[$0].brought.isEmpty }
    guard others.isEmpty else {
      for source in others { sources[source].isSuspect = true }
      return expel(others, because: "with its bytes the file has a wrong digest", now: now)
    }
    // Now it is certain who was wrong.
    for source in sources.indices where sources[source].isSuspect {
      sources[source].dropped = nil
      (sources[source].isSuspect, sources[source].isExpelled) = (false, false)
    }
    guard hasAlternative(to: measure) else { return fail(failure) }
    let aborts = retire(measure, because: "its file has a wrong digest")
    return aborts + restart(because: "the file has a wrong digest", now: now)
  }

  /// These pieces do not have the digests that they must have: only they are fetched again. A source that brought one
  /// alone is asked no more; where several had a part in it, the second time tells.
  package mutating func refuted(pieces ranges: [ByteRange], now: Instant) -> [Action] {
    guard phase == .fetching || phase == .sealing, !ranges.isEmpty else { return [] }
    phase = .fetching
    var actions: [Action] = []
    for range in ranges {
      let culprits = sources.indices.filter { !sources[$0].brought.intersection(in: range).isEmpty }
      for source in culprits {
        sources[source].wrongPieces += 1
        let isCertain = culprits.count == 1 || sources[source].wrongPieces > 1
        guard isCertain, sources[source].isUsable, hasAlternative(to: source) else { continue }
        actions += retire(source, because: "what it sends has a wrong digest")
      }
      wrongPieces[range.lower, default: 0] += 1
      if wrongPieces[range.lower, default: 0] > Self.mostWrongTries {
        return actions
          + fail(
            Failure(
              .checksum, "bytes \(range.lower) to \(range.upper - 1) do not have the digest that they should",
              suggestion: "the URL is of another version, or the server is at fault: try a mirror"))
      }
    }
    actions += withdraw(ranges)
    let what = ranges.count == 1 ? "a piece has" : "\(ranges.count) pieces have"
    return actions + [.report(.warning("\(what) a wrong digest: fetching again"))] + fetch(now: now)
  }

  /// Asks nothing more of these sources, and fetches what they brought from others.
  private mutating func expel(_ wrong: [Int], because reason: String, now: Instant) -> [Action] {
    phase = .fetching
    let brought = wrong.flatMap { sources[$0].brought.ranges }
    if hasDelivered, brought.contains(where: { $0.lower < delivered }) {
      return fail(
        Failure(
          .badResponse, "\(name(of: wrong[0])): \(reason), and some of its bytes have been handed out already",
          suggestion: "start over without it"))
    }
    var actions: [Action] = []
    for source in wrong {
      if sources[source].isUsable { actions += retire(source, because: reason) }
      sources[source].isExpelled = true
    }
    actions += withdraw(brought)
    guard firstUsable != nil else {
      return actions + fail(Failure(.badResponse, "\(name(of: wrong[0])): \(reason) than the first source"))
    }
    return actions + fetch(now: now)
  }
}

extension Failure {
  /// The same, with its source named.
  fileprivate func about(_ source: String) -> Failure {
    Failure(kind, "\(source): \(message)", suggestion: suggestion)
  }
}
