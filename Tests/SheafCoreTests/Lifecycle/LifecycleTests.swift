import SheafCore
import Testing

/// What each call does in each state: the table of docs/states.md, cell by cell.
@Suite("The life cycle of a download")
struct LifecycleTests {
  typealias State = Lifecycle.State

  /// A life cycle in `state`, brought there by calls and events alone.
  private func lifecycle(_ state: State) -> Lifecycle {
    var lifecycle = Lifecycle()
    func run(_ calls: Lifecycle.Call...) { for call in calls { _ = lifecycle.call(call) } }
    func execute() {
      run(.resume)
      _ = lifecycle.takeTurn()
    }
    switch state {
    case .ready: break
    case .waiting: run(.resume)
    case .executing: execute()
    case .pausing(let resumes):
      execute()
      run(.pause)
      if resumes { run(.resume) }
    case .paused: run(.pause)
    case .cancelling(let keepsPartial):
      execute()
      run(.cancel(keepingPartial: keepsPartial))
    case .cancelled: run(.cancel(keepingPartial: true))
    case .finished:
      execute()
      _ = lifecycle.ended(.finished)
    case .failed:
      execute()
      _ = lifecycle.ended(.failed)
    }
    #expect(lifecycle.state == state)
    return lifecycle
  }

  struct Cell: Sendable, CustomTestStringConvertible {
    let state: State
    let call: Lifecycle.Call
    let next: State
    var effect: Lifecycle.Effect?

    var testDescription: String { "\(state): \(call)" }
  }

  private static let keep = Lifecycle.Call.cancel(keepingPartial: true)
  private static let drop = Lifecycle.Call.cancel(keepingPartial: false)

  static let table: [Cell] = [
    Cell(state: .ready, call: .resume, next: .waiting),
    Cell(state: .ready, call: .pause, next: .paused),
    Cell(state: .ready, call: keep, next: .cancelled),
    Cell(state: .ready, call: drop, next: .cancelling(keepsPartial: false), effect: .remove),
    Cell(state: .ready, call: .retry, next: .ready),

    Cell(state: .waiting, call: .resume, next: .waiting),
    Cell(state: .waiting, call: .pause, next: .paused),
    Cell(state: .waiting, call: keep, next: .cancelled),
    Cell(state: .waiting, call: drop, next: .cancelling(keepsPartial: false), effect: .remove),
    Cell(state: .waiting, call: .retry, next: .waiting),

    Cell(state: .executing, call: .resume, next: .executing),
    Cell(state: .executing, call: .pause, next: .pausing(resumes: false), effect: .stop),
    Cell(state: .executing, call: keep, next: .cancelling(keepsPartial: true), effect: .stop),
    Cell(state: .executing, call: drop, next: .cancelling(keepsPartial: false), effect: .stop),
    Cell(state: .executing, call: .retry, next: .executing),

    Cell(state: .pausing(resumes: false), call: .resume, next: .pausing(resumes: true)),
    Cell(state: .pausing(resumes: false), call: .pause, next: .pausing(resumes: false)),
    Cell(state: .pausing(resumes: false), call: keep, next: .cancelling(keepsPartial: true)),
    Cell(state: .pausing(resumes: false), call: drop, next: .cancelling(keepsPartial: false)),
    Cell(state: .pausing(resumes: false), call: .retry, next: .pausing(resumes: false)),

    Cell(state: .pausing(resumes: true), call: .resume, next: .pausing(resumes: true)),
    Cell(state: .pausing(resumes: true), call: .pause, next: .pausing(resumes: false)),
    Cell(state: .pausing(resumes: true), call: keep, next: .cancelling(keepsPartial: true)),
    Cell(state: .pausing(resumes: true), call: drop, next: .cancelling(keepsPartial: false)),
    Cell(state: .pausing(resumes: true), call: .retry, next: .pausing(resumes: true)),

    Cell(state: .paused, call: .resume, next: .waiting),
    Cell(state: .paused, call: .pause, next: .paused),
    Cell(state: .paused, call: keep, next: .cancelled),
    Cell(state: .paused, call: drop, next: .cancelling(keepsPartial: false), effect: .remove),
    Cell(state: .paused, call: .retry, next: .paused),

    Cell(state: .cancelling(keepsPartial: true), call: .resume, next: .cancelling(keepsPartial: true)),
    Cell(state: .cancelling(keepsPartial: true), call: .pause, next: .cancelling(keepsPartial: true)),
    Cell(state: .cancelling(keepsPartial: true), call: keep, next: .cancelling(keepsPartial: true)),
    Cell(state: .cancelling(keepsPartial: true), call: drop, next: .cancelling(keepsPartial: false)),
    Cell(state: .cancelling(keepsPartial: true), call: .retry, next: .cancelling(keepsPartial: true)),

    Cell(state: .cancelling(keepsPartial: false), call: .resume, next: .cancelling(keepsPartial: false)),
    Cell(state: .cancelling(keepsPartial: false), call: .pause, next: .cancelling(keepsPartial: false)),
    Cell(state: .cancelling(keepsPartial: false), call: keep, next: .cancelling(keepsPartial: false)),
    Cell(state: .cancelling(keepsPartial: false), call: drop, next: .cancelling(keepsPartial: false)),
    Cell(state: .cancelling(keepsPartial: false), call: .retry, next: .cancelling(keepsPartial: false)),

    Cell(state: .cancelled, call: .resume, next: .cancelled),
    Cell(state: .cancelled, call: .pause, next: .cancelled),
    Cell(state: .cancelled, call: keep, next: .cancelled),
    Cell(state: .cancelled, call: drop, next: .cancelling(keepsPartial: false), effect: .remove),
    Cell(state: .cancelled, call: .retry, next: .waiting),

    Cell(state: .finished, call: .resume, next: .finished),
    Cell(state: .finished, call: .pause, next: .finished),
    Cell(state: .finished, call: keep, next: .finished),
    Cell(state: .finished, call: drop, next: .finished),
    Cell(state: .finished, call: .retry, next: .finished),

    Cell(state: .failed, call: .resume, next: .failed),
    Cell(state: .failed, call: .pause, next: .failed),
    Cell(state: .failed, call: keep, next: .cancelled),
    Cell(state: .failed, call: drop, next: .cancelling(keepsPartial: false), effect: .remove),
    Cell(state: .failed, call: .retry, next: .waiting),
  ]

  @Test("every call in every state", arguments: table)
  func call(_ cell: Cell) {
    var lifecycle = lifecycle(cell.state)
    #expect(lifecycle.call(cell.call) == cell.effect)
    #expect(lifecycle.state == cell.next)
  }

  @Test("the table has every state with every call, once")
  func complete() {
    let cells = Self.table.map { "\($0.state) \($0.call)" }
    #expect(Set(cells).count == cells.count)
    let states = Set(Self.table.map(\.state))
    #expect(states.count == 11)
    #expect(cells.count == states.count * 5)
  }

  struct End: Sendable, CustomTestStringConvertible {
    let state: State
    let ending: Lifecycle.Ending
    let next: State
    var effect: Lifecycle.Effect?

    var testDescription: String { "\(state): \(ending)" }
  }

  @Test(
    "every end in every state that can have one",
    arguments: [
      End(state: .executing, ending: .finished, next: .finished),
      End(state: .executing, ending: .failed, next: .failed),
      End(state: .pausing(resumes: false), ending: .finished, next: .finished),
      End(state: .pausing(resumes: false), ending: .stopped, next: .paused),
      End(state: .pausing(resumes: false), ending: .failed, next: .failed),
      End(state: .pausing(resumes: true), ending: .finished, next: .finished),
      End(state: .pausing(resumes: true), ending: .stopped, next: .waiting),
      End(state: .pausing(resumes: true), ending: .failed, next: .failed),
      End(state: .cancelling(keepsPartial: true), ending: .finished, next: .finished),
      End(state: .cancelling(keepsPartial: true), ending: .stopped, next: .cancelled),
      End(state: .cancelling(keepsPartial: true), ending: .failed, next: .cancelled),
      End(state: .cancelling(keepsPartial: false), ending: .finished, next: .finished),
      End(
        state: .cancelling(keepsPartial: false), ending: .stopped, next: .cancelling(keepsPartial: false),
        effect: .remove),
      End(
        state: .cancelling(keepsPartial: false), ending: .failed, next: .cancelling(keepsPartial: false),
        effect: .remove),
    ])
  func end(_ end: End) {
    var lifecycle = lifecycle(end.state)
    #expect(lifecycle.ended(end.ending) == end.effect)
    #expect(lifecycle.state == end.next)
  }

  @Test("an end that nobody waits for changes nothing")
  func lateEnd() {
    for state in [State.ready, .waiting, .paused, .cancelled, .finished, .failed] {
      var lifecycle = lifecycle(state)
      #expect(lifecycle.ended(.failed) == nil)
      #expect(lifecycle.state == state)
    }
  }

  @Test("only one who waits takes a turn, and only once")
  func turns() {
    for cell in Self.table where cell.state != .waiting {
      var lifecycle = lifecycle(cell.state)
      #expect(lifecycle.takeTurn() == nil)
      #expect(lifecycle.state == cell.state)
    }
    var waiting = lifecycle(.waiting)
    #expect(waiting.takeTurn() == .begin)
    #expect(waiting.takeTurn() == nil)
    #expect(waiting.state == .executing)
  }

  /// Whatever its user does, there is never more than one run, and cancelling always gets to an end.
  @Test("never two runs at once, and no state without a way out", arguments: 0..<200)
  func sequences(seed: UInt64) {
    var numbers = SeededNumbers(seed: seed)
    func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &numbers) }
    var lifecycle = Lifecycle()
    var (runs, removals) = (0, 0)
    func carryOut(_ effect: Lifecycle.Effect?) {
      switch effect {
      case .begin: runs += 1
      case .remove: removals += 1
      case .stop, nil: break
      }
      #expect(runs + removals <= 1)
      #expect(lifecycle.isActive == (runs + removals == 1))
    }
    func end() {
      if runs > 0 {
        runs -= 1
        let stops =
          lifecycle.state == .executing ? [Lifecycle.Ending.finished, .failed] : [.finished, .stopped, .failed]
        carryOut(lifecycle.ended(stops[below(stops.count)]))
      } else if removals > 0 {
        removals -= 1
        lifecycle.removed()
      }
    }
    for _ in 0..<40 {
      switch below(8) {
      case 0, 1: carryOut(lifecycle.call(.resume))
      case 2: carryOut(lifecycle.call(.pause))
      case 3: carryOut(lifecycle.call(.cancel(keepingPartial: below(2) == 0)))
      case 4: carryOut(lifecycle.call(.retry))
      case 5, 6: carryOut(lifecycle.takeTurn())
      default: end()
      }
    }
    carryOut(lifecycle.call(.cancel(keepingPartial: true)))
    while runs + removals > 0 { end() }
    #expect(lifecycle.isOver)
  }
}
