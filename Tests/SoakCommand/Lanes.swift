import TestSupport

/// Threads that share the cycles of a run.
struct Lanes: Sendable {
  let name: String
  let count: Int
  /// No cycle begins later than this many seconds after the first.
  let seconds: Double?

  private struct Progress: Sendable {
    var next = 0
    var tally = Tally()
    /// When it last said how far it is.
    var said: Double
  }

  init(_ part: Part, _ options: SoakOptions, count: Int) {
    name = part.rawValue
    self.count = options.lanes ?? count
    seconds = options.seconds
  }

  /// Calls `body` for each number below `cycles`, with something that the lane keeps from one cycle to the next, and
  /// prints the complaints that it returns.
  func play<Kept>(
    _ cycles: Int, keeping prepare: @escaping @Sendable () throws -> Kept,
    _ body: @escaping @Sendable (Kept, Int) throws -> [String]
  ) async -> Tally {
    let start = monotonicSeconds()
    let progress = Monitor(Progress(said: start))
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<min(count, cycles) {
        group.addTask {
          await offThePool {
            // In a lane that cannot even begin, each cycle says why.
            let kept = Result { try prepare() }
            while let cycle = progress.withLock({ progress -> Int? in
              guard progress.next < cycles, monotonicSeconds() - start < seconds ?? .infinity else { return nil }
              defer { progress.next += 1 }
              return progress.next
            }) {
              let complaints: [String]
              do {
                complaints = try body(try kept.get(), cycle)
              } catch {
                complaints = ["could not be played: \(error)"]
              }
              progress.withLock { progress in
                progress.tally.add(complaints)
                for complaint in complaints { say("FAIL \(name) \(cycle + 1): \(complaint)\n") }
                guard monotonicSeconds() - progress.said > 60 else { return }
                progress.said = monotonicSeconds()
                say("\(name): \(progress.next) of \(cycles) in \(Int(monotonicSeconds() - start)) s\n")
              }
            }
          }
        }
      }
    }
    return progress.read { $0.tally }
  }

  func play(_ cycles: Int, _ body: @escaping @Sendable (Int) throws -> [String]) async -> Tally {
    await play(cycles, keeping: {}) { _, cycle in try body(cycle) }
  }
}
