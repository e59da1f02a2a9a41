import Sheaf
import Synchronization

/// Carries out downloads, a limited number at once, and tells the reporter what happens to them. Each is made when its
/// turn comes and let go when it has ended, so their number does not matter.
struct Run: Sendable {
  let jobs: any JobSource
  /// How many may be under way at once, at least 1.
  let limit: Int
  let reporter: Reporter
  let stop: StopSwitch
  /// What is left to do when all have ended. Its status counts if no download failed.
  var afterwards: @Sendable () async -> ExitStatus = { .ok }

  /// Returns when all have ended: `ok`, or the status of the last error in time, as aria2 does.
  func callAsFunction() async -> ExitStatus {
    let status = LastError()
    await withDiscardingTaskGroup { group in
      // A lane more for each job that finds none idle, up to the limit; then each lane takes one job after the other.
      var lanes = 0
      while lanes < limit, let first = await jobs.next() {
        lanes += 1
        group.addTask {
          var job: Job? = first
          while let current = job {
            status.note(await carryOut(current))
            job = await jobs.next()
          }
        }
      }
    }
    if let rest = jobs.leftOver {
      await reporter.printed(.restNotStarted(rest), of: 0)
      status.note(.interrupted)
    }
    let last = await afterwards()
    return status.value == .ok ? last : status.value
  }

  private func carryOut(_ job: Job) async -> ExitStatus {
    let index = job.index
    let download: any RunnableDownload
    do throws(DownloadError) {
      // Not even made once the run is to stop: there may be many.
      guard !stop.isThrown else { return await notStarted(job) }
      download = try job.make()
    } catch {
      return await failed(job, error)
    }
    guard stop.enter(download, index) else { return await notStarted(job) }
    defer { stop.leave(index) }
    reporter.note(.began(url: job.url), of: index)
    download.start { [reporter] in reporter.note(.event($0), of: index) }
    // The switch may have been thrown in between, and a download need not remember a stop before its start.
    if stop.isThrown { download.stop() }
    do throws(DownloadError) {
      let result = try await download.value
      await reporter.printed(.finished(result), of: index)
      return .ok
    } catch {
      return await failed(job, error)
    }
  }

  private func failed(_ job: Job, _ error: DownloadError) async -> ExitStatus {
    await reporter.printed(.failed(error, url: job.url), of: job.index)
    return ExitStatus(error.code)
  }

  private func notStarted(_ job: Job) async -> ExitStatus {
    await reporter.printed(.notStarted(url: job.url), of: job.index)
    return .interrupted
  }
}

/// The status of the last download that failed.
private final class LastError: Sendable {
  private let status = Mutex(ExitStatus.ok)

  var value: ExitStatus { status.withLock { $0 } }

  func note(_ new: ExitStatus) {
    if new != .ok { status.withLock { $0 = new } }
  }
}
