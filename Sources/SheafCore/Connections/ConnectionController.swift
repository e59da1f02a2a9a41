/// How many connections one host gets: as many as pay, and no more than it bears.
///
/// The first wave opens at once, for on far lines the ramp costs most of the time. From there every change is a trial: a
/// step, a while to settle, and a look at what all connections bring together. A step up is kept if it brings at
/// least a quarter of what it would if each connection were worth the same; a step down, tried when round trips are
/// inflated or the rate has fallen, if it costs less than that. (Each connection must earn its keep: Arifuzzaman and
/// Arslan, SC 2021.) Refusals halve the level, and a trial that failed is not repeated for a while.
package struct ConnectionController: Sendable {
  /// What a new download may open at once; nobody who asked for more gets more before that has been seen to pay.
  package static let firstWave = 16
  /// Trials do not go below this: so few connections are nobody's burden.
  private static let fewest = 4
  /// What a step must bring of what it would bring in proportion.
  private static let worth = 0.25
  /// Round trips count as inflated beyond this multiple of their floor, and this many seconds above it.
  private static let inflation = (factor: 3.0, seconds: 0.05)
  /// A rate that falls below this share of the one before has fallen.
  private static let fall = 0.6
  /// Seconds between a failed trial and the next: doubles with each, back to the least with one that pays.
  private static let rest = (least: 4.0, most: 64.0)
  /// Breaks within this many seconds are counted together.
  private static let breakWindow = 5.0

  package private(set) var ceiling = 1
  package private(set) var level = 1
  private var isPinned = false
  private var hasStarted = false

  private var stage = Stage.watching
  private var epoch: Epoch?
  private var lastRate: Double?
  private var restsUntil: Instant?
  /// No step up before this.
  private var climbsAfter: Instant?
  private var rest = Self.rest.least
  private var halvedAt: Instant?
  private var breaks: [Instant] = []
  /// No step up has failed yet: each may double the level.
  private var isDoubling = true

  /// The shortest round trip seen, in seconds.
  package private(set) var roundTripFloor: Double?
  /// The shortest round trip of the epoch.
  private var roundTrip: Double?
  /// What the controller has seen, for `Explanation`.
  package private(set) var findings = Findings()

  package struct Findings: Hashable, Sendable {
    package var refusals = 0
    /// The last step up brought too little to be kept.
    package var moreDidNotPay = false
    /// A step up was kept and the ceiling stopped the next one.
    package var ceilingWasReached = false
    /// Round trips were well above their floor.
    package var wasInflated = false
  }

  private enum Stage {
    case watching
    /// A step was taken from a level that had brought `rate` bytes per second.
    case trying(from: Int, rate: Double)
  }

  /// A time over which the rate at one level is measured.
  private struct Epoch {
    /// Before this the last step is still settling.
    let startsAt: Instant
    let endsAt: Instant
    var bytes: Int64 = 0
  }

  package init() {}

  /// Sets the ceiling, and with `isPinned` the level too: then only refusals lower it, and it climbs back without having
  /// to pay.
  package mutating func allow(_ newCeiling: Int, isPinned: Bool) {
    // What refusals have taught outlives the download that learnt it.
    if !hasStarted || (newCeiling > ceiling && findings.refusals == 0) {
      level = max(level, isPinned ? newCeiling : min(newCeiling, Self.firstWave))
    }
    hasStarted = true
    ceiling = max(1, newCeiling)
    level = min(level, ceiling)
    self.isPinned = isPinned
  }

  // MARK: - What is seen

  package mutating func received(_ bytes: Int64, now: Instant) {
    if let epoch, now >= epoch.startsAt { self.epoch?.bytes += bytes }
  }

  /// - Parameter floor: the shortest that the connections themselves know of, in seconds.
  package mutating func measured(roundTrip seconds: Double, floor: Double? = nil) {
    guard seconds > 0 else { return }
    roundTripFloor = min(roundTripFloor ?? seconds, floor ?? seconds, seconds)
    roundTrip = min(roundTrip ?? seconds, seconds)
  }

  /// The host turned a request away while `working` others went on: 429, 503, a refused connection, silence. Returns a
  /// sentence if that lowered the level.
  package mutating func refused(working: Int, now: Instant) -> String? {
    let before = level
    lower(working: working, now: now)
    return level < before ? "down to \(level) connection\(level == 1 ? "" : "s")" : nil
  }

  private mutating func lower(working: Int, now: Instant) {
    findings.refusals += 1
    if case .trying(let from, _) = stage, level > from {
      level = max(1, min(from, working))
    } else if let halvedAt, now.seconds(since: halvedAt) < max(1, 2 * (roundTripFloor ?? 0)) {
      // Requests of the same moment tell the same story; but it shows how many it bears.
      level = max(1, min(level, working))
    } else {
      level = max(1, min(level / 2, working))
      halvedAt = now
    }
    failTrial(now: now)
  }

  /// A connection broke on its way. One is bad luck; half of them within a few seconds are a message.
  package mutating func broke(working: Int, now: Instant) -> String? {
    breaks.removeAll { now.seconds(since: $0) > Self.breakWindow }
    breaks.append(now)
    guard breaks.count > max(2, level / 2) else { return nil }
    breaks = []
    return refused(working: working, now: now)
  }

  private mutating func failTrial(now: Instant) {
    stage = .watching
    epoch = nil
    lastRate = nil
    isDoubling = false
    restsUntil = now.advanced(bySeconds: rest)
    rest = min(Self.rest.most, 2 * rest)
  }

  // MARK: - What follows

  /// Looks at how `active` connections do; to be called several times a second. Returns a sentence if it decided something.
  package mutating func look(active: Int, now: Instant) -> String? {
    // With less to do than allowed, the level is not what limits.
    guard active >= level else {
      if case .trying(let from, _) = stage { level = from }
      stage = .watching
      epoch = nil
      return nil
    }
    guard let epoch else {
      begin(now: now)
      return nil
    }
    guard now >= epoch.endsAt else { return nil }
    let rate = Double(epoch.bytes) / now.seconds(since: epoch.startsAt)
    let decision =
      switch stage {
      case .watching: watch(rate, now: now)
      case .trying(let from, let before): judge(rate, from: from, before: before, now: now)
      }
    begin(now: now)
    return decision
  }

  private mutating func begin(now: Instant) {
    let trip = roundTripFloor ?? 0
    let startsAt = now.advanced(bySeconds: max(0.3, 4 * trip))
    epoch = Epoch(startsAt: startsAt, endsAt: startsAt.advanced(bySeconds: max(0.7, 8 * trip)))
    roundTrip = nil
  }

  private mutating func watch(_ rate: Double, now: Instant) -> String? {
    defer { lastRate = rate }
    let isInflated = isInflated
    if isInflated { findings.wasInflated = true }
    guard restsUntil.map({ now >= $0 }) ?? true else { return nil }
    let hasFallen = rate < Self.fall * (lastRate ?? 0)
    if !isPinned && (isInflated || hasFallen) {
      guard level > Self.fewest else { return nil }
      let reason = isInflated ? "round trips are long" : "the rate has fallen"
      return step(to: max(Self.fewest, level - max(1, level / 4)), rate, reason)
    }
    guard level < ceiling, climbsAfter.map({ now >= $0 }) ?? true else { return nil }
    return step(to: min(ceiling, level + (isDoubling ? level : max(1, level / 4))), rate, "there may be more")
  }

  private mutating func step(to new: Int, _ rate: Double, _ reason: String) -> String {
    stage = .trying(from: level, rate: rate)
    level = new
    return "\(reason): trying \(new) connections"
  }

  private mutating func judge(_ rate: Double, from: Int, before: Double, now: Instant) -> String {
    let tried = level
    let inProportion = Double(tried) / Double(from) - 1
    let change = before > 0 ? rate / before - 1 : 1
    let pays = isPinned || change >= Self.worth * inProportion
    if tried > from {
      findings.moreDidNotPay = !pays
      findings.ceilingWasReached = pays && tried == ceiling
    }
    guard pays else {
      level = from
      failTrial(now: now)
      return "\(tried) connections bring \(percent(change)): back to \(from)"
    }
    stage = .watching
    lastRate = rate
    rest = Self.rest.least
    // What has just been given up as useless is not asked for again at once.
    climbsAfter = tried > from ? nil : now.advanced(bySeconds: Self.rest.most)
    return "\(tried) connections bring \(percent(change)): keeping to \(tried)"
  }

  private var isInflated: Bool {
    guard let roundTrip, let floor = roundTripFloor else { return false }
    return roundTrip > Self.inflation.factor * floor && roundTrip > floor + Self.inflation.seconds
  }

  private func percent(_ change: Double) -> String {
    let rounded = Int((max(-1, min(change, 99)) * 100).rounded())
    return rounded < 0 ? "\(-rounded) % less" : "\(rounded) % more"
  }
}
