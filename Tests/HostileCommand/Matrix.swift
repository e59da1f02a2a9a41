import TestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// All cells to be played, and the lanes that play them.
struct Matrix {
  let contender: Contender
  let options: HostileOptions

  /// Which cells there are, the slow ones first so that the lanes end together.
  func cells() -> [Cell] {
    var cells: [Cell] = []
    for scenario in Scenario.all where options.selects(scenario) {
      if !contender.isSheaf, scenario.procedure != nil || scenario.isOfSeries || scenario.name.hasPrefix("B-") {
        continue
      }
      if let size = scenario.behaviour.size, size > 1 << 30, size < 1 << 40, !options.playsLarge { continue }
      let starts = scenario.starts.filter { start in
        options.starts.contains(start) && (!options.isQuick || start == .fresh || scenario.continuesDifferently)
          && (start == .fresh || scenario.canBeInterrupted && scenario.procedure == nil)
      }
      var counts = scenario.connections ?? options.connections
      if let own = contender.connections { counts = [own] }
      if scenario.procedure != nil { counts = [counts.contains(4) ? 4 : counts[0]] }
      for seed in options.seeds {
        for connections in counts {
          for start in starts where scenario.procedure == nil || start == starts[0] {
            cells.append(Cell(scenario: scenario, start: start, connections: connections, seed: seed))
          }
        }
      }
    }
    return cells.filter { $0.scenario.behaviour.takesLong } + cells.filter { !$0.scenario.behaviour.takesLong }
  }

  /// Plays all cells, so many at once; calls `report` as each of them ends.
  func play(_ cells: [Cell], report: @escaping @Sendable (CellResult) -> Void) async throws -> [CellResult] {
    let authority = try TestAuthority()
    let abilities = Abilities(of: contender)
    let queue = Monitor(cells[...])
    return await withTaskGroup(of: [CellResult].self) { group in
      for _ in 0..<options.lanes {
        group.addTask { [contender] in
          await offThePool {
            var results: [CellResult] = []
            while let cell = queue.withLock({ $0.popFirst() }) {
              let result = Self.play(cell, contender, authority, abilities)
              report(result)
              results.append(result)
            }
            return results
          }
        }
      }
      var all: [CellResult] = []
      for await results in group { all += results }
      return all
    }
  }

  private static func play(
    _ cell: Cell, _ contender: Contender, _ authority: TestAuthority, _ abilities: Abilities
  ) -> CellResult {
    let needsTrust = [.tls(.none), .http2, .http2GoingAway].contains(cell.scenario.behaviour.access)
    guard abilities.meet(cell.scenario.needs), contender.canTrust || !needsTrust else {
      return CellResult(cell: cell, verdict: .skipped)
    }
    do {
      return try Stage(cell, contender, authority: authority).play()
    } catch {
      return CellResult(cell: cell, verdict: .failed, complaints: ["the stage broke: \(error)"])
    }
  }
}

/// What the contender and the machine can do.
struct Abilities: Sendable {
  private let help: String

  init(of contender: Contender) {
    guard contender.isSheaf, let process = try? ChildProcess(contender.program, ["--help"]) else {
      help = ""
      return
    }
    process.wait()
    help = process.text(of: .output)
  }

  func meet(_ needs: [Scenario.Need]) -> Bool {
    needs.allSatisfy { need in
      switch need {
      case .http2: HTTP2Front.isInstalled && NginxServer.isInstalled
      case .option(let text): help.contains(text)
      case .tool(let name): ["/usr/bin/\(name)", "/bin/\(name)"].contains { (path: String) in access(path, X_OK) == 0 }
      case .root: geteuid() == 0
      }
    }
  }
}
