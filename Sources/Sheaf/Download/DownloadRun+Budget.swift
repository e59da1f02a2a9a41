import SheafCore

/// What the download tells its host's budget, and what it learns about its own speed.
extension DownloadRun {
  /// What the budget was told last.
  struct Standing: Equatable {
    let host: Location.Origin
    let active: Int
    let wanted: Int
  }

  /// Tells the host's budget how things stand, and the machine what it may have.
  /// - Parameter isDue: also if nothing has changed here: time has passed, or others have.
  func consultBudget(isDue: Bool = false) {
    // What an answer sets going may ask again.
    guard let member, outcome == nil, !isConsulting else { return }
    let standing = Standing(host: machine.host, active: machine.activeTransfers, wanted: machine.wantedTransfers)
    // Bytes come thousands of times a second, and are of interest ten times.
    guard isDue || standing != told else { return }
    isConsulting = true
    defer { isConsulting = false }
    // Transfers that start one after the other, at the end, ask for each other's places.
    for _ in 0..<4 {
      let now = Instant.now
      if host != machine.host {
        if let host { budgets.leave(member, host, now: now) }
        host = machine.host
      }
      let active = machine.activeTransfers
      told = Standing(host: machine.host, active: active, wanted: machine.wantedTransfers)
      let answer = budgets.ask(
        member,
        .init(
          host: machine.host, active: active, wanted: machine.wantedTransfers,
          received: machine.receivedBytes - budgeted, roundTrip: roundTrip,
          roundTripFloor: roundTripFloor),
        ceiling: machine.settings.connections, isPinned: machine.settings.isPinned, now: now)
      budgeted = machine.receivedBytes
      roundTrip = nil
      if let decision = answer.decision { channel.send(.decision(decision)) }
      guard answer.allowance != allowance || answer.allowance.most > active else { return }
      allowance = answer.allowance
      handle(machine.allowed(answer.allowance, now: now))
      guard machine.activeTransfers != active else { return }
    }
  }

  func reportProgress(_ now: Instant) {
    guard machine.isFetching else { return }
    rate.sample(machine.receivedBytes, at: now)
    channel.send(
      .progress(
        .init(
          bytes: machine.presentBytes ?? streamed, total: machine.knownTotal,
          bytesPerSecond: rate.bytesPerSecond, connections: machine.activeTransfers)))
  }

  func result(bytes: Int64, identity: IdentityStrength, isOld: Bool) -> DownloadResult {
    let nanoseconds = Instant.now.nanoseconds - startedAt.nanoseconds
    return DownloadResult(
      path: path, bytes: bytes, duration: .nanoseconds(nanoseconds), identity: identity, checks: checks,
      fetchedBytes: machine.receivedBytes, wastedBytes: machine.wastedBytes(resumed: resumedBytes),
      resumedBytes: resumedBytes, connectionsPeak: connectionsPeak, waitingShare: machine.gapShare,
      limits: isOld ? [] : Explanation(evidence(seconds: Double(nanoseconds) / 1e9)).causes.map(\.sentence),
      wasAlreadyComplete: isOld)
  }

  private func evidence(seconds: Double) -> Explanation.Evidence {
    var seen = machine.evidence(now: .now)
    seen.duration = seconds
    if let controller = budgets.controller(of: machine.host) {
      seen.findings = controller.findings
      seen.level = controller.level
      seen.ceiling = min(controller.ceiling, machine.settings.mostTransfers)
      seen.roundTrip = controller.roundTripFloor ?? seen.roundTrip
    }
    seen.connectionsPeak = connectionsPeak
    seen.computingShare = loop.meter.average(since: meterAtStart)
    seen.diskWait = diskWait
    return seen
  }
}
