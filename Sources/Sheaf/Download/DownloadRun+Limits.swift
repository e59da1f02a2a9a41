import SheafCore

/// What the user's limits mean for the download.
extension DownloadRun {
  /// From now on it counts among those that share them.
  func joinLimits() {
    for limit in settings.limits { limit.join() }
    lookAtLimits(.now)
  }

  func leaveLimits() {
    guard limitSeenAt != nil else { return }
    limitSeenAt = nil
    for limit in settings.limits { limit.leave() }
  }

  /// Tells the machine how they stand.
  func lookAtLimits(_ now: Instant) {
    let standing = OwnLimit(settings.limits.map { $0.share(now: now) })
    if standing.isTight, let limitSeenAt { limited += now.seconds(since: limitSeenAt) }
    limitSeenAt = now
    machine.limited(standing, now: now)
  }
}
