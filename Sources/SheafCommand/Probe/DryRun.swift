import Sheaf
import SheafCore
import Synchronization

/// `sheaf probe URL...` and `--dry-run`: asks about each file, and fetches none.
enum DryRun {
  static func run(_ options: CommandOptions) -> Never {
    var signals = TerminationSignals.block()
    let plan: Fetch.Plan
    do {
      plan = try Fetch.plan(options)
    } catch {
      leave(error)
    }
    Task { await leave(ask(plan)) }
    // There is nothing to be put away.
    signals.wait()
    leave(.interrupted)
  }

  /// As many at once as downloads would be.
  private static func ask(_ plan: Fetch.Plan) async -> ExitStatus {
    let queue = JobQueue(plan.options, plan.orders)
    let board = ProbeBoard(json: plan.options.json)
    await withDiscardingTaskGroup { group in
      var lanes = 0
      while lanes < plan.options.concurrentDownloads, let first = await queue.nextOrder() {
        lanes += 1
        group.addTask {
          var placed: JobQueue.PlacedOrder? = first
          while let current = placed {
            await ask(current, queue, board)
            placed = await queue.nextOrder()
          }
        }
      }
    }
    return board.status
  }

  private static func ask(_ placed: JobQueue.PlacedOrder, _ queue: JobQueue, _ board: ProbeBoard) async {
    do throws(DownloadError) {
      let own = try queue.options(of: placed)
      board.tell(try await Download.describe(placed.order.url, options: own.download), of: placed.index)
    } catch {
      board.tell(error, placed.order.url, of: placed.index)
    }
  }
}

/// Where those who ask report to, one at a time.
private final class ProbeBoard: Sendable {
  private let isJSON: Bool
  private let last = Mutex(ExitStatus.ok)

  init(json: Bool) { isJSON = json }

  var status: ExitStatus { last.withLock { $0 } }

  func tell(_ source: SourceDescription, of index: Int) {
    let text = isJSON ? ProbeReport.json(of: source, index: index) + "\n" : ProbeReport.text(of: source)
    last.withLock { status in
      if DescriptorOutput.standardOutput.write(text) != nil { status = .fileIO }
    }
  }

  func tell(_ error: DownloadError, _ url: String, of index: Int) {
    let code = ExitStatus(error.code)
    last.withLock { status in
      status = code
      if isJSON {
        let line = JSON.object([
          ("event", .string("error")), ("download", .integer(Int64(index + 1))), ("url", .string(redactedURL(url))),
          ("code", .integer(Int64(code.rawValue))), ("name", .string(code.name)), ("message", .string(error.message)),
        ]).text
        if DescriptorOutput.standardOutput.write(line + "\n") != nil { status = .fileIO }
      } else {
        DescriptorOutput.standardError.write(line: errorLine("\(redactedURL(url)): \(error.message)", error.suggestion))
      }
    }
  }
}
