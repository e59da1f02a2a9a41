import SheafCore
import Simulation

/// A host that brings as much as a function of the number of connections says, and a controller that finds out.
struct Host {
  var controller = ConnectionController()
  private(set) var now = Instant(nanoseconds: 0)
  private(set) var decisions: [String] = []
  private var dice = Dice(seed: 1)

  init(ceiling: Int, isPinned: Bool = false) {
    controller.allow(ceiling, isPinned: isPinned)
  }

  /// Lets `seconds` pass in which all allowed connections, or at most `wanted`, bring what `rate` says.
  /// - Parameter noise: by how much the rate varies from tenth to tenth of a second, as a share of it.
  mutating func run(
    _ seconds: Double, wanted: Int = .max, roundTrip: Double = 0.02, noise: Double = 0, _ rate: (Int) -> Double
  ) {
    for _ in 0..<Int(seconds * 10) {
      now = now.advanced(bySeconds: 0.1)
      let active = min(controller.level, wanted)
      let bytes = rate(active) / 10 * (1 + noise * (2 * dice.fraction() - 1))
      controller.received(Int64(bytes), now: now)
      controller.measured(roundTrip: roundTrip)
      if let decision = controller.look(active: active, now: now) { decisions.append(decision) }
    }
  }

  mutating func refuse(working: Int) { _ = controller.refused(working: working, now: now) }
  mutating func breakOne(working: Int) { _ = controller.broke(working: working, now: now) }
}
