import Simulation
import TestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What one seed stands for: a file, a server with faults, options, and how often the download is interrupted.
struct Scenario: Sendable {
  let seed: UInt64
  let entity: Entity
  /// What the server does during each run but the last, which meets a correct one.
  let scripts: [OriginScript]
  let options: [String]
  let ending: Ending
  /// Other servers that are said to have the file.
  let mirrors: [Mirror]

  struct Mirror: Sendable {
    /// Nil if nobody listens there.
    let entity: Entity?
    let script: OriginScript?
    let text: String
  }

  /// How a run that has not ended by itself is ended.
  enum Ending: CaseIterable, Sendable {
    case kill
    case interrupt
    case patience

    var signal: CInt { self == .kill ? SIGKILL : SIGINT }
  }

  /// All that the servers may hold under this URL; whole, each of them is right.
  var versions: [Entity] { [entity] + scripts.flatMap(\.others) + mirrors.compactMap(\.entity) }

  init(seed: UInt64) {
    self.seed = seed
    var dice = Dice(seed: Int(truncatingIfNeeded: seed))
    let size: Int64 =
      switch dice.pick(0...9) {
      case 0: dice.bytes(0...3)
      case 1...3: dice.bytes(1...(1 << 20))
      case 4: (8 << 20) + dice.bytes(-1...1)
      default: dice.bytes((8 << 20)...(24 << 20))
      }
    let entity = Entity(seed: dice.next(), size: size)
    // Without a digest nobody can tell some lies; then the servers tell only those that can be told.
    let isProven = dice.oneIn(2)
    self.entity = entity
    scripts = (0..<dice.pick(1...3)).map { _ in OriginScript(for: entity, maySayAnything: isProven, &dice) }
    ending = dice.pick(from: Ending.allCases)
    var options = ["-q", "-x\(dice.pick(from: [1, 2, 3, 4, 8, 16, 40]))", "-t2", "--connect-timeout=2"]
    options.append("-m\(dice.pick(1...5))")
    if isProven { options.append("--checksum=sha-256=\(hexadecimal(entity.sha256()))") }
    if dice.oneIn(2) { options.append("--auto-save-interval=\(dice.pick(from: ["0.01", "0.05", "0.3"]))") }
    if dice.oneIn(3) { options.append("-k\(dice.pick(from: ["1", "100K", "1M", "3M", "100M"]))") }
    if dice.oneIn(4) { options.append("-s\(dice.pick(from: [1, 2, 5, 30]))") }
    if dice.oneIn(6) { options.append("--no-continue") }
    if dice.oneIn(4) { options.append("--fsync-policy=\(dice.pick(from: ["checkpoint", "off"]))") }
    self.options = options
    mirrors = dice.oneIn(2) ? [] : (0..<dice.pick(1...3)).map { _ in Self.mirror(of: entity, isProven, &dice) }
  }

  private static func mirror(of entity: Entity, _ isProven: Bool, _ dice: inout Dice) -> Mirror {
    switch dice.pick(0...4) {
    case 0: return Mirror(entity: nil, script: nil, text: "dead mirror")
    case 1: return Mirror(entity: Entity(seed: entity.seed &+ 1, size: entity.size), script: nil, text: "other bytes")
    case 2:
      // Without a digest nobody could tell.
      guard isProven, entity.size > 0 else { fallthrough }
      let place = dice.bytes(0...(entity.size - 1))
      return Mirror(entity: entity.damaged(at: place), script: nil, text: "damaged at \(place)")
    case 3: return Mirror(entity: entity, script: nil, text: "right mirror")
    default:
      let script = OriginScript(for: entity, maySayAnything: isProven, &dice)
      return Mirror(entity: entity, script: script, text: script.description)
    }
  }

  var description: String {
    "seed \(seed): \(entity.size) bytes, \(options.joined(separator: " ")), \(ending); "
      + (scripts.map(\.description) + mirrors.map(\.text)).map { "[\($0)]" }.joined(separator: " ")
  }
}
