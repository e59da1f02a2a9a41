import TestSupport

/// What lies in the directory when the run begins.
enum Start: String, CaseIterable, Sendable {
  /// Nothing of this file.
  case fresh
  /// What an earlier run left that was killed halfway.
  case resumed
}

/// One run: a scenario, and how it is played.
struct Cell: Sendable {
  let scenario: Scenario
  let start: Start
  let connections: Int
  let seed: UInt64

  var name: String { "\(scenario.name) \(start.rawValue) x\(connections) seed \(seed)" }

  /// Not a multiple of anything, and large enough for several requests.
  var entity: Entity {
    let size = scenario.behaviour.size ?? (20 << 20) + 12_345 + Int64(seed % 1000) * 77
    return Entity(seed: seed &* 0x1_0001 &+ UInt64(connections), size: size)
  }
}
