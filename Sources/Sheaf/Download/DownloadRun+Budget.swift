import SheafCore

/// What the download tells its hosts' budgets, and what it learns about its own speed.
extension DownloadRun {
  /// What is between the download and the budget of one host.
  struct Account {
    /// What the budget was told last.
    var told: DownloadMachine.HostStanding?
    var allowance: HostBudget.Allowance?
    /// The shortest round trip since the budget was last asked, and the shortest that any connection ever saw, in seconds.
    var roundTrip: Double?
    var roundTripFloor: Double?

    mutating func measured(_ seconds: Double, least: Double?) {
      roundTrip = min(roundTrip ?? seconds, seconds)
      if let least { roundTripFloor = min(roundTripFloor ?? least, least) }
    }
  }

  /// Tells the hosts' budgets how things stand, and the machine what it may have.
  /// - Parameter isDue: also if nothing has changed here: time has passed, or others have.
  func consultBudget(isDue: Bool = false) {
    // What an answer sets going may ask again.
    guard let member, outcome == nil, !isConsulting else { return }
    let standings = machine.standings
    // Bytes come thousands of times a second, and are of interest ten times.
    guard isDue || standings.count != accounts.count || standings.contains(where: isNews) else { return }
    isConsulting = true
    defer { isConsulting = false }
    leaveHosts(besides: standings)
    // Transfers that start one after the other, at the end, ask for each other's places.
    for _ in 0..<4 {
      let active = machine.activeTransfers
      var isAllowedMore = false
      for standing in machine.standings where ask(member, standing) { isAllowedMore = true }
      guard isAllowedMore, machine.activeTransfers != active else { return }
    }
  }

  private func isNews(_ standing: DownloadMachine.HostStanding) -> Bool {
    guard let told = accounts[standing.host]?.told else { return true }
    return told.active != standing.active || told.wanted != standing.wanted
  }

  /// Asks one host's budget; true if the machine had to hear of the answer.
  private func ask(_ member: HostBudgets.Member, _ standing: DownloadMachine.HostStanding) -> Bool {
    let now = Instant.now
    let host = standing.host
    var account = accounts[host] ?? Account()
    let answer = budgets.ask(
      member,
      .init(
        host: host, active: standing.active, wanted: standing.wanted,
        received: standing.received - (account.told?.received ?? 0), roundTrip: account.roundTrip,
        roundTripFloor: account.roundTripFloor, isHeldBack: machine.limit.isTight),
      ceiling: machine.settings.connections, isPinned: machine.settings.isPinned, now: now)
    account.told = standing
    account.roundTrip = nil
    let isSame = answer.allowance == account.allowance && answer.allowance.most <= standing.active
    account.allowance = answer.allowance
    accounts[host] = account
    if let decision = answer.decision { channel.send(.decision(decision)) }
    if !isSame { handle(machine.allowed(answer.allowance, at: host, now: now)) }
    return !isSame
  }

  /// Gives back the places at hosts that are asked no more.
  private func leaveHosts(besides standings: [DownloadMachine.HostStanding]) {
    guard let member, standings.count != accounts.count || standings.contains(where: { accounts[$0.host] == nil })
    else { return }
    for host in accounts.keys where !standings.contains(where: { $0.host == host }) {
      accounts[host] = nil
      budgets.leave(member, host, now: .now)
    }
  }

  func reportProgress(_ now: Instant) {
    guard machine.isFetching else { return }
    rate.sample(machine.receivedBytes, at: now)
    channel.send(
      .progress(
        .init(
          bytes: machine.presentBytes ?? streamed, total: machine.knownTotal,
          bytesPerSecond: rate.bytesPerSecond, connections: machine.activeTransfers, resumedBytes: resumedBytes)))
  }

  func result(bytes: Int64, identity: IdentityStrength, isOld: Bool) -> DownloadResult {
    let nanoseconds = Instant.now.nanoseconds - startedAt.nanoseconds
    return DownloadResult(
      path: path, bytes: bytes, duration: .nanoseconds(nanoseconds), identity: identity, checks: checks,
      fetchedBytes: machine.receivedBytes, wastedBytes: machine.wastedBytes(resumed: resumedBytes),
      resumedBytes: resumedBytes, connectionsPeak: connectionsPeak, waitingShare: machine.gapShare,
      limits: isOld ? [] : Explanation(evidence(seconds: Double(nanoseconds) / 1e9)).causes.map(\.sentence),
      sources: machine.sources.map { DownloadSource($0) }, wasAlreadyComplete: isOld)
  }

  private func evidence(seconds: Double) -> Explanation.Evidence {
    var seen = machine.evidence(now: .now)
    seen.duration = seconds
    if let controller = budgets.controller(of: machine.host) {
      seen.findings = controller.findings
      seen.level = controller.level
      seen.ceiling = min(controller.ceiling, machine.settings.mostTransfers(hosts: 1))
      seen.roundTrip = controller.roundTripFloor ?? seen.roundTrip
    }
    seen.connectionsPeak = connectionsPeak
    seen.computingShare = loop.meter.average(since: meterAtStart)
    seen.diskWait = diskWait
    seen.limited = limited
    return seen
  }
}
