/// When the user would rather have no file than wait any longer.
extension DownloadMachine {
  /// Why it is to end now, if so. What is there is kept.
  mutating func outOfPatience(now: Instant) -> Failure? {
    if let most = settings.mostTime, let beganAt, now.seconds(since: beganAt) >= most {
      return Failure(
        .timedOut, "it is not complete after \(secondsText(most))",
        suggestion: "run the same command again to continue, or allow it more time")
    }
    // Pauses between tries have limits of their own.
    let isExcused = limit.isTight || holdUntil != nil
    guard speedWatch?.isTooSlow(received, isExcused: isExcused, now: now) == true, let least = settings.leastSpeed
    else { return nil }
    return Failure(
      .tooSlow, "it brings less than \(least) bytes per second over \(secondsText(settings.speedPeriod))",
      suggestion: "run the same command again to continue, or use a mirror")
  }

  private func secondsText(_ seconds: Double) -> String {
    seconds == seconds.rounded() && abs(seconds) < 1e15 ? "\(Int64(seconds)) s" : "\(seconds) s"
  }
}
