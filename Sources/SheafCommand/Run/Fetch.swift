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

  /// What a command line asks for, once it has been looked at as a whole.
  struct Plan {
    let options: CommandOptions
    let orders: OrderSequence
    /// How many downloads there are; nil if only the end of a pipe will tell.
    let count: Int?
  }

  /// Looks at everything before anything is started, so that a usage error comes before the first request.
  static func plan(_ options: CommandOptions) throws(UsageError) -> Plan {
    let options = try options.prepared()
    var list: ListFile?
    if let path = options.list { list = try ListFile(path) }
    let entries = metalinkEntries(options)
    try options.check(count: try options.argumentCount() + entries.count)
    let orders = OrderSequence(options, entries, list: list)
    var check = TargetCheck(options)
    // The end of a pipe is not known before it comes.
    let known = orders.isRepeatable ? orders : OrderSequence(options, entries)
    let count = try check.count(known)
    return Plan(options: options, orders: orders, count: orders.isRepeatable ? count : nil)
  }

  private static func prepare(_ options: CommandOptions, _ stop: StopSwitch) throws(UsageError) -> Run {
    let plan = try plan(options)
    let (options, orders) = (plan.options, plan.orders)
    let reporter = try reporter(options, plan.count, stop)
    let session = options.sessionFile.map { Session($0, options, orders) }
    let hooks =
      options.hooks.isEmpty
      ? nil : HookRunner(options.hooks) { reporter.note(.event(.warning($0)), of: $1) }
    let jobs = JobQueue(options, orders, session: session, hooks: hooks)
    stop.alsoStop { jobs.close() }
    var run = Run(jobs: jobs, limit: options.concurrentDownloads, reporter: reporter, stop: stop)
    let saving = session.flatMap { saves($0, every: options.sessionInterval, reporter) }
    run.afterwards = {
      saving?.cancel()
      await hooks?.drain()
      var status = ExitStatus.ok
      for problem in [session?.save(), options.saveCookies()?.message].compactMap(\.self) {
        await reporter.printed(.event(.warning(problem)), of: 0)
        status = .fileIO
      }
      return status
    }
    return run
  }

  /// Saves the session again and again.
  private static func saves(_ session: Session, every interval: Duration, _ reporter: Reporter) -> Task<Void, Never>? {
    guard interval > .zero else { return nil }
    return Task {
      while true {
        do { try await Task.sleep(for: interval) } catch { return }
        if let problem = session.save() { reporter.note(.event(.warning(problem)), of: 0) }
      }
    }
  }

  /// A document that cannot be used ends the process: none of its downloads is known.
  private static func metalinkEntries(_ options: CommandOptions) -> [MetalinkEntry] {
    do throws(DownloadError) {
      return try MetalinkEntry.all(of: options.metalinkFiles)
    } catch {
      leave(error)
    }
  }

  static func reporter(_ options: CommandOptions, _ count: Int?, _ stop: StopSwitch) throws(UsageError) -> Reporter {
    let style = options.progress
    let mayDraw = !options.json && !options.speaksAria2 && (style == nil || style == .bar)
    let terminal = mayDraw ? Terminal.behindStandardError() : nil
    let interval: Duration? =
      switch options.summaryInterval {
      case .some(.zero): nil
      case .some(let interval): interval
      case nil: style == .plain ? .seconds(10) : nil
      }
    var report: any Report =
      if options.json {
        JSONReport(isVerbose: options.verbosity == .verbose, interval: style == .some(.none) ? nil : Throttle.interval)
      } else if options.speaksAria2 {
        Aria2Report(isQuiet: options.verbosity == .quiet, showsReadout: style != .some(.none))
      } else {
        TextReport(
          count: count, verbosity: options.verbosity, explains: options.explains, showsProgress: terminal != nil,
          summary: options.verbosity == .quiet || style == .json ? nil : interval,
          printsPaths: !options.isForStandardOutput)
      }
    if style == .json, !options.json { report = ReportWithObjects(report, every: interval ?? .seconds(1)) }
    let log = try options.log.map { path throws(UsageError) in try LogFile.open(path) }
    if log != nil { report = LoggedReport(report, count: count) }
    // Between the file's own bytes nothing else may stand.
    let results = options.isForStandardOutput ? DescriptorOutput.standardError : .standardOutput
    return Reporter(
      report, results: results, messages: DescriptorOutput.standardError, terminal: terminal,
      log: log, outputFailed: { stop.stopAll() })
  }

  private static func finish(_ run: Run) async -> ExitStatus {
    let status = await run()
    return await run.reporter.close() && status == .ok ? .fileIO : status
  }
}
