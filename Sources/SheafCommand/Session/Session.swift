import Sheaf
import SheafCore
import Synchronization

/// The downloads of a run that are not finished, written down as a list that a later run can read.
final class Session: Sendable {
  private struct State {
    /// Handed out and not finished, by their place in the run.
    var open: [Int: [String]] = [:]
    /// Those that nobody has asked for yet.
    var rest: OrderSequence
  }

  private let file: StateFile
  private let options: CommandOptions
  private let state: Mutex<State>
  /// Whoever writes the file.
  private let turn = Mutex(())

  /// - Parameter orders: all downloads of the run.
  init(_ path: String, _ options: CommandOptions, _ orders: OrderSequence) {
    file = StateFile(path)
    self.options = options
    state = Mutex(State(rest: orders))
  }

  /// A download is handed out.
  /// - Parameter rest: what comes after it.
  func opened(_ placed: JobQueue.PlacedOrder, rest: OrderSequence) {
    let own = try? placed.order.options(from: options)
    let lines = own.flatMap { placed.order.sessionLines($0, gid: placed.gid) }
    state.withLock { state in
      state.open[placed.index] = lines
      state.rest = rest
    }
  }

  /// A download is finished.
  func finished(_ index: Int) { state.withLock { $0.open[index] = nil } }

  /// Writes the file.
  /// - Returns: what went wrong, if anything did.
  @discardableResult
  func save() -> String? {
    turn.withLock { _ in
      let (open, rest) = state.withLock { ($0.open, $0.rest) }
      var text = ""
      func add(_ lines: [String]) { for line in lines { text += line + "\n" } }
      for (_, lines) in open.sorted(by: { $0.key < $1.key }) { add(lines) }
      // What a pipe still holds cannot be had twice.
      if rest.isRepeatable, var copy = try? rest.independent() {
        while let order = copy.next() {
          guard let own = try? order.options(from: options), let lines = order.sessionLines(own, gid: nil) else {
            continue
          }
          add(lines)
        }
      }
      do throws(Failure) {
        try file.replace(with: Array(text.utf8))
        return nil
      } catch {
        return "the session is not saved: \(error.message)"
      }
    }
  }
}
