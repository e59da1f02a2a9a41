import Sheaf
import SheafCore

/// `sheaf URL...`: from checked options to an exit status.
enum Fetch {
  /// Runs the downloads; the calling thread waits for signals meanwhile. The first stops the downloads, which
  /// keep what they have; the second ends the process at once, which is safe too.
  static func run(_ options: CommandOptions) -> Never {
    // Before the library gets a chance to make a thread, for threads inherit what is blocked.
    var signals = TerminationSignals.block()
    let stop = StopSwitch()
    let run: Run
    do {
      run = try prepare(options, stop)
    } catch {
      leave(error)
    }
    Task { await leave(finish(run)) }
    signals.wait()
    stop.stopAll()
    signals.wait()
    leave(.interrupted)
  }

  /// Makes every download before any is started, so that a usage error comes before the first request.
  private static func prepare(_ options: CommandOptions, _ stop: StopSwitch) throws(UsageError) -> Run {
    var downloads: [Download] = []
    for url in options.urls {
      do {
        downloads.append(try Download(url, to: options.destination, options: options.download))
      } catch {
        throw UsageError(error.message, suggestion: error.suggestion ?? "see sheaf --help")
      }
    }
    return Run(
      downloads: downloads, limit: options.concurrentDownloads, reporter: reporter(options, stop), stop: stop)
  }

  private static func reporter(_ options: CommandOptions, _ stop: StopSwitch) -> Reporter {
    let urls = options.urls.map(redacted)
    let terminal = options.json ? nil : Terminal.behindStandardError()
    let report: any Report =
      if options.json {
        JSONReport(urls: urls, isVerbose: options.verbosity == .verbose)
      } else {
        TextReport(urls: urls, verbosity: options.verbosity, showsProgress: terminal != nil)
      }
    return Reporter(
      report, results: DescriptorOutput.standardOutput, messages: DescriptorOutput.standardError, terminal: terminal,
      outputFailed: { stop.stopAll() })
  }

  private static func finish(_ run: Run) async -> ExitStatus {
    let status = await run()
    return await run.reporter.closeResults() && status == .ok ? .fileIO : status
  }
}
