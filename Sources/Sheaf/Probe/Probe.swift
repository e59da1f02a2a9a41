import SheafCore

/// Finds out what a URL leads to, by the head of an answer: no file, and no body that is worth mentioning.
///
/// Lives on its loop's thread, once. A redirect is followed, and what may pass is tried again, as in a download.
actor Probe {
  /// What the source says of itself.
  struct Answer: Sendable {
    /// Where redirects led.
    let location: Location
    /// With the length, if the server tells it.
    let identity: Identity
    /// The server answered a range with that range.
    let answersRanges: Bool
    /// Which digests the whole file has, as the server says.
    let claims: [DigestClaim]
    /// Other places for the file, as the server says.
    let mirrors: [Location]
    /// The name that the server suggests, made safe.
    let suggestedName: String?
    /// How many redirects were followed.
    let hops: Int
  }

  nonisolated let loop: TransferLoop
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.thread.asUnownedSerialExecutor() }

  private let original: Location
  private let settings: TransferSettings
  private let rules: DownloadMachine.Settings
  private let addresses: [ResolveEntry]
  private let leavesAddresses: Bool

  private var location: Location
  private var hops = 0
  private var failures = 0
  /// The next request's number; news of an earlier one come too late.
  private var number = 0
  private var claims: [DigestClaim] = []
  private var mirrors: [Location] = []
  private var suggestedName: String?
  /// What came of it, once the answer's head has come. Its end is waited for, so that the connection can be used again.
  private var outcome: Result<Answer, Failure>?
  private var waiter: CheckedContinuation<Result<Answer, Failure>, Never>?
  private var isCancelled = false

  init(_ location: Location, settings: TransferSettings, options: DownloadOptions, loop: TransferLoop) {
    original = location
    self.location = location
    self.settings = settings
    rules = DownloadMachine.Settings(options, given: nil)
    addresses = options.resolve.compactMap { ResolveEntry($0) }
    leavesAddresses = options.leavesAddresses
    self.loop = loop
  }

  /// Asks; once.
  /// - Throws: what a download would end with that cannot begin.
  func ask() async throws(Failure) -> Answer {
    let result = await withCheckedContinuation { continuation in
      waiter = continuation
      if isCancelled { cancel() } else { request() }
    }
    return try result.get()
  }

  /// Ends it; `ask` then throws `interrupted`.
  func cancel() {
    isCancelled = true
    conclude(.failure(Failure(.interrupted, "stopped", suggestion: "run the same command again")))
  }

  private func request() {
    number += 1
    claims = []
    mirrors = []
    suggestedName = nil
    let id = TransferID(number)
    let question = RangeQuestion(range: ByteRange(0, 1), isOpen: true)
    let request = TransferRequest(
      id: id, location: location, question: question,
      carriesPrivateFields: location.origin == original.origin)
    loop.start(request, over: route, for: ObjectIdentifier(self), settings: settings, file: nil) { [self] news in
      assumeIsolated { probe in
        for (id, one) in news where id.number == probe.number { probe.take(one) }
      }
    }
  }

  private var route: TransferRoute? {
    let origin = location.origin
    let host = origin.host.hasPrefix("[") ? String(origin.host.dropFirst().dropLast()) : origin.host
    guard !leavesAddresses,
      let address = addresses.first(where: { $0.host == host && $0.port == origin.port })?.addresses
        .first(where: settings.addresses.allows)
    else { return nil }
    return TransferRoute(address: address, connectTimeout: settings.connectTimeout)
  }

  private func take(_ news: TransferNews) {
    guard waiter != nil else { return }
    switch news {
    case .claimed(let claims): self.claims = claims
    case .offered(let mirrors): self.mirrors = mirrors
    case .named(let name): suggestedName = fileName(sanitizing: name)
    case .answered(let verdict): take(verdict)
    case .redirected(let target): follow(to: target)
    case .left where outcome != nil: if let outcome { conclude(outcome) }
    case .ended where outcome != nil: break
    case .ended(.failed(let failure)):
      let isFinal = [.connectionRefused, .nameResolution, .tls, .malformed, .proxyLogin].contains(failure.kind)
      if isFinal { conclude(.failure(Failure(failure))) } else { tryAgain(Failure(failure)) }
    case .ended(.finished), .left:
      tryAgain(Failure(.badResponse, "the server closed without an answer"))
    case .opened, .connected, .unreached, .modified, .challenged, .roundTrip, .wrote, .seam, .advanced, .warning,
      .storageFailed:
      break
    }
  }

  private func take(_ verdict: Verdict) {
    switch verdict {
    case .range(_, let identity): outcome = .success(answer(identity, answersRanges: true))
    case .whole(let identity): outcome = .success(answer(identity, answersRanges: false))
    case .empty(let identity):
      outcome = .success(answer(Identity(total: 0, validator: identity.validator), answersRanges: false))
    case .redirect: break
    case .refused(let status, let retryAfter):
      let mayPass = [408, 425, 429, 500, 502, 503, 504].contains(status)
      let failure = Failure(refusing: status)
      if mayPass { tryAgain(failure, after: retryAfter) } else { outcome = .failure(failure) }
    case .rejected(let reason):
      outcome = .failure(Failure(.badResponse, "the server's answer cannot be used: \(reason)"))
    case .unchanged, .changed, .rangeIgnored, .unsatisfiable:
      outcome = .failure(Failure(.badResponse, "the server's answer cannot be used"))
    }
  }

  private func answer(_ identity: Identity, answersRanges: Bool) -> Answer {
    Answer(
      location: location, identity: identity, answersRanges: answersRanges, claims: claims, mirrors: mirrors,
      suggestedName: suggestedName, hops: hops
    )
  }

  private func follow(to target: Location) {
    hops += 1
    let refusal = RedirectPolicy.refusal(
      from: location, to: target, hops: hops, allowsDowngrade: rules.allowsDowngrade)
    if let refusal { return conclude(.failure(refusal)) }
    location = target
    request()
  }

  private func tryAgain(_ failure: Failure, after seconds: Int64? = nil) {
    failures += 1
    guard rules.retry.allowsTry(after: failures) else { return conclude(.failure(failure)) }
    // Nothing more is heard of this try.
    number += 1
    location = original
    hops = 0
    let wait =
      seconds.map { max(Double($0), rules.retry.leastWait) }
      ?? rules.retry.wait(afterFailures: failures, random: .random(in: 0..<1))
    loop.assumeIsolated { [self] loop in
      loop.setAlarm(for: ObjectIdentifier(self), at: Instant.now.advanced(bySeconds: wait)) { [self] in
        assumeIsolated { if $0.waiter != nil { $0.request() } }
      }
    }
  }

  private func conclude(_ result: Result<Answer, Failure>) {
    guard let waiter else { return }
    self.waiter = nil
    loop.carryOut { [self, number] loop in
      let owner = ObjectIdentifier(self)
      loop.removeAlarm(of: owner)
      // A transfer that tells its last news is over already.
      loop.abort(TransferID(number), of: owner)
    }
    waiter.resume(returning: result)
  }
}
