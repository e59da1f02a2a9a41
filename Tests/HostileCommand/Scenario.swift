import TestSupport

/// A behaviour of the origin, and what is asked of a downloader that meets it.
struct Scenario: Sendable {
  /// What a contender must be able to do.
  enum Need: Sendable, Equatable {
    case http2
    case option(String)
    case tool(String)
    case root
  }

  let name: String
  var behaviour: NamedBehaviour
  var starts = Start.allCases
  var connections: [Int]?
  /// Further arguments for Sheaf.
  var options: [String] = []
  var needs: [Need] = []
  /// Asks for the file and nothing less, whatever the behaviour demands of others.
  var outcome: NamedBehaviour.Outcome?
  /// Looks for more than the oracle does: what it returns is wrong.
  var inspect: (@Sendable (Observation) -> [String])?
  /// Plays something of its own, with Sheaf only, in place of one run.
  var procedure: (@Sendable (Stage) throws -> [String])?

  init(_ name: String, _ behaviour: NamedBehaviour) {
    self.name = name
    self.behaviour = behaviour
  }

  func with(_ change: (inout Scenario) -> Void) -> Scenario {
    var copy = self
    change(&copy)
    return copy
  }

  /// Whether a part of it exists at all: small files have no half.
  var canBeInterrupted: Bool { (behaviour.size ?? .max) >= 1 << 20 && (behaviour.size ?? 0) < 1 << 33 }

  /// Whether an interrupted download meets something that a fresh one does not.
  var continuesDifferently: Bool {
    starts == [.resumed] || ["O-01", "O-02", "O-05", "O-27", "O-28"].contains(behaviour.hazard)
  }

  /// One of the many that differ in nothing but a string.
  var isOfSeries: Bool {
    ["content-range-", "content-disposition-", "url-path-"].contains { name.hasPrefix($0) }
  }

  /// Every named behaviour.
  static let behaviours = NamedBehaviour.all.map { behaviour in
    Scenario(behaviour.name, behaviour).with { scenario in
      if behaviour.access.speaksHTTP2 { scenario.needs = [.http2] }
      // Documents are read from this machine's disks; nobody goes by one that a URL leads to.
      if behaviour.hazard == "O-63" { scenario.needs = [.option("--follow-metalink")] }
      if behaviour.hazard == "O-64" {
        scenario.needs = [.option("--mirror")]
        scenario.options = ["--mirror=BASE/mirror.bin"]
      }
      if scenario.isOfSeries {
        scenario.starts = [.fresh]
        scenario.connections = [scenario.name.hasPrefix("content-range-") ? 4 : 1]
      }
      if behaviour.name.hasPrefix("always-") { scenario.starts = [.fresh] }
      if behaviour.takesLong {
        scenario.starts = [.fresh]
        scenario.connections = [4]
      }
    }
  }

  static let all = behaviours + publicCases
}
