import Sheaf
import SheafCore

/// `sheaf URL...`: from checked options to an exit status.
enum Fetch {
  /// Runs the downloads; the calling thread waits for signals meanwhile. The first stops the downloads, which
  /// keep what they have; the second ends the process at once, which is safe too.
  static func run(_ options: CommandOptions) -> Never {
    run { stop throws(UsageError) in try prepare(options, stop) }
  }

  /// The same for a run that `prepare` makes.
  static func run(_ prepare: (StopSwitch) throws(UsageError) -> Run) -> Never {
    // Before the library gets a chance to make a thread, for threads inherit what is blocked.
    var signals = TerminationSignals.block()
    let stop = StopSwitch()
    let run: Run
    do {
      run = try prepare(stop)
    } catch {
      leave(error)
    }
    Task { await leave(finish(run)) }
    signals.wait()
    stop.stopAll()
    signals.wait()
    leave(.interrupted)
  }

  /// Looks at everything before anything is started, so that a usage error comes before the first request.
  private static func prepare(_ options: CommandOptions, _ stop: StopSwitch) throws(UsageError) -> Run {
    let options = try options.readingNetrc()
    var list: ListFile?
    if let path = options.list { list = try ListFile(path) }
    let entries = metalinkEntries(options)
    try options.check(count: options.urls.count + entries.count)
    var check = TargetCheck(options)
    let count = try check.count(entries, &list)
    let jobs = JobQueue(options, entries, list: list)
    stop.alsoStop { jobs.close() }
    return Run(jobs: jobs, limit: options.concurrentDownloads, reporter: reporter(options, count, stop), stop: stop)
  }

  /// A document that cannot be used ends the process: none of its downloads is known.
  private static func metalinkEntries(_ options: CommandOptions) -> [MetalinkEntry] {
    do throws(DownloadError) {
      return try MetalinkEntry.all(of: options.metalinkFiles)
    } catch {
      leave(error)
    }
  }

  static func reporter(_ options: CommandOptions, _ count: Int?, _ stop: StopSwitch) -> Reporter {
    let terminal = options.json ? nil : Terminal.behindStandardError()
    let report: any Report =
      if options.json {
        JSONReport(isVerbose: options.verbosity == .verbose)
      } else {
        TextReport(
          count: count, verbosity: options.verbosity, explains: options.explains, showsProgress: terminal != nil,
          printsPaths: !options.isForStandardOutput)
      }
    // Between the file's own bytes nothing else may stand.
    let results = options.isForStandardOutput ? DescriptorOutput.standardError : .standardOutput
    return Reporter(
      report, results: results, messages: DescriptorOutput.standardError, terminal: terminal,
      outputFailed: { stop.stopAll() })
  }

  private static func finish(_ run: Run) async -> ExitStatus {
    let status = await run()
    return await run.reporter.close() && status == .ok ? .fileIO : status
  }
}
