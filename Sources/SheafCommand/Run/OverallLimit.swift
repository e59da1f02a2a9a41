import Sheaf
import SheafCore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What all downloads of a run may receive together.
struct OverallLimit: Sendable {
  /// Bytes per second; nil is no limit.
  var bytesPerSecond: Int64?
  /// Where it has an entry for the time of the day, that counts.
  var schedule: RateSchedule?

  /// The limit for the downloads to share; nil if there is none. A schedule changes it for as long as the process lives.
  func start() -> RateLimit? {
    guard let schedule else { return bytesPerSecond.map { RateLimit(bytesPerSecond: $0) } }
    let rate = { schedule.rate(atMinute: Self.localMinute(), otherwise: bytesPerSecond) }
    let limit = RateLimit(bytesPerSecond: rate())
    Task.detached(priority: .background) {
      while true {
        // The clock of the wall may be set meanwhile, or the time of the year change.
        try? await Task.sleep(for: .seconds(Self.secondsToNextMinute()))
        let new = rate()
        if limit.bytesPerSecond != new { limit.bytesPerSecond = new }
      }
    }
    return limit
  }

  private static func localTime() -> tm {
    var now = time(nil)
    var local = tm()
    localtime_r(&now, &local)
    return local
  }

  /// Minutes since midnight, by the local clock.
  private static func localMinute() -> Int {
    let local = localTime()
    return Int(local.tm_hour) * 60 + Int(local.tm_min)
  }

  private static func secondsToNextMinute() -> Int { 60 - Int(min(59, localTime().tm_sec)) }
}

extension CommandOptions {
  /// These, with the limit that all downloads share, from now on.
  func startingLimit() -> CommandOptions {
    guard let limit = overallLimit.start() else { return self }
    var options = self
    options.download.limits.append(limit)
    return options
  }
}
