import SheafCore

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file, a network and settings, all from one seed.
package struct SimulatedCase: Sendable {
  /// How the connections' rates differ.
  package enum Spread: String, Sendable, CaseIterable {
    case even
    /// Log-normal, σ = 0.3.
    case mild
    /// Pareto with exponent 1.5, at most 20 times the mean: a few carry most.
    case heavy
    /// Every eighth is 50 times slower.
    case crawlers
  }

  package struct StallHabit: Sendable {
    package let meanInterval: Double
    package let longest: Double
  }

  package let seed: Int
  /// Bytes.
  package let total: Int64
  /// Bytes per second.
  package let line: Double
  /// Seconds.
  package let roundTrip: Double
  package let connections: Int
  /// Bytes per second of a usual connection; nil if only the line limits it.
  package let cap: Double?
  package let spread: Spread
  package let stalls: StallHabit?

  /// - Parameter mostConnections: no case has more.
  package init(seed: Int, mostConnections: Int = 256) {
    var dice = Dice(seed: seed &+ 1_000_003)
    self.seed = seed
    total = Int64(dice.logarithmic(Double(1 << 20)...Double(10 << 40)))
    line = dice.logarithmic(1...10_000) * 125_000
    roundTrip = dice.logarithmic(0.001...0.5)
    connections = min(mostConnections, Int(dice.logarithmic(1...Double(mostConnections + 1))))
    cap = dice.oneIn(2) ? line / Double(connections) * dice.logarithmic(0.1...10) : nil
    let choice = dice.pick(0...19)
    spread = choice < 8 ? .even : choice < 13 ? .mild : choice < 17 ? .heavy : .crawlers
    // About as long as the download, or shorter: many stalls, or a few.
    let about = Double(total) / min(line, (cap ?? line) * Double(connections))
    let interval = max(5, about * dice.logarithmic(0.25...4))
    let longest = dice.logarithmic(1...30)
    stalls = dice.oneIn(3) ? StallHabit(meanInterval: interval, longest: longest) : nil
  }

  package var network: Network {
    let (seed, cap, line, spread, stalls) = (seed, cap, line, spread, stalls)
    return Network(roundTrip: roundTrip, line: line, hasSlowStart: true) { number in
      // Each connection is what it is, whenever it is opened.
      var dice = Dice(seed: seed &* 1_000_003 &+ number)
      let factor = spread.factor(number, dice: &dice)
      return Network.Connection(
        cap: cap.map { $0 * factor } ?? .infinity, weight: factor,
        stalls: stalls.map {
          Stalls(
            meanInterval: $0.meanInterval, duration: 0.2...$0.longest, oneForeverIn: 10,
            seed: Int(dice.bytes(0 ... .max)))
        })
    }
  }

  package var ideal: Double {
    IdealTime(network: network, connections: connections, total: total).seconds(for: total)
  }

  /// Why time ÷ ideal would say nothing about the plan; nil if it does.
  package var exclusion: Exclusion? {
    if stalls != nil, connections == 1 { return .loneConnectionStalls }
    if ideal < Self.fewestRoundTrips * roundTrip { return .fewRoundTrips }
    if total <= DownloadMachine.probeLength { return .oneRequest }
    return nil
  }

  package enum Exclusion: String, Sendable, CaseIterable {
    /// The ideal is so few round trips that one decision, which costs one or two, is a tenth or more of it.
    case fewRoundTrips
    /// The stalls of a connection without siblings cannot be told from those of the line: nothing can be replaced.
    case loneConnectionStalls
    /// The file comes with the first answer, so that small files cost servers one connection; others help only when it
    /// is slow. The ideal has all connections from the start.
    case oneRequest
  }

  private static let fewestRoundTrips = 20.0

  /// Runs it.
  package func simulation() -> NetworkSimulation {
    var settings = DownloadMachine.Settings()
    settings.connections = connections
    // The ideal opens all that may be opened; beyond the first wave only pinned numbers do.
    return NetworkSimulation(
      total: total, network: network, settings: settings,
      isPinned: connections > ConnectionController.firstWave, longest: 100 * ideal + 3600)
  }
}

extension SimulatedCase.Spread {
  /// A connection's rate beside a usual one's.
  func factor(_ number: Int, dice: inout Dice) -> Double {
    switch self {
    case .even: 1
    case .mild: exp(0.3 * dice.normal())
    // The mean of a Pareto distribution is its smallest value times α ÷ (α − 1).
    case .heavy: min(20, pow(1 - dice.fraction(), -1 / 1.5) / 3)
    case .crawlers: number % 8 == 0 ? 0.02 : 1
    }
  }
}

extension SimulatedCase: CustomStringConvertible {
  package var description: String {
    func rate(_ value: Double) -> String { "\((value / 125_000 * 100).rounded() / 100) Mbit/s" }
    let size = total >= 1 << 30 ? "\(total >> 30) GiB" : "\(total >> 20) MiB"
    let stalled =
      stalls.map { ", a stall each \($0.meanInterval.rounded()) s of up to \($0.longest.rounded()) s" } ?? ""
    return "\(size), line \(rate(line)), \((roundTrip * 1e4).rounded() / 10) ms, \(connections) connections, "
      + "\(cap.map { "capped at \(rate($0))" } ?? "uncapped"), \(spread.rawValue)\(stalled)"
  }
}
