#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A line to a server and the connections that share it.
///
/// The line is divided as by fair queueing: each connection gets what it can carry, but where that is too much for the
/// line, no more than a share in proportion to its weight.
package struct Network: Sendable {
  /// What one connection can carry.
  package struct Connection: Sendable {
    /// Bytes per second.
    package var cap: Double
    /// Its share of a line that is too thin for all, beside the others'.
    package var weight: Double
    package var stalls: Stalls?

    package init(cap: Double, weight: Double, stalls: Stalls? = nil) {
      self.cap = cap
      self.weight = weight
      self.stalls = stalls
    }
  }

  /// Seconds.
  package var roundTrip: Double
  /// Bytes per second of all connections together.
  package var line: Double
  /// Whether a new connection begins with ten packets a round trip and doubles (RFC 6928, RFC 5681) until something
  /// else limits it. What has opened once stays open: losses, and the queue before the line, are not modelled.
  package var hasSlowStart: Bool
  /// The n-th connection to be opened, counted from 1.
  package var connection: @Sendable (Int) -> Connection

  /// Bytes that a new connection brings in its first round trip.
  static let firstWindow = 10 * 1460.0
  /// Round trips until the first byte comes: one opens the connection, one carries request and answer.
  static let tripsWhenNew = 2.0
  static let tripsWhenOpen = 1.0
  /// A transfer that brings nothing for so many seconds is ended, as the shell does.
  static let idleTimeout = 60.0

  package init(
    roundTrip: Double, line: Double, hasSlowStart: Bool, connection: @escaping @Sendable (Int) -> Connection
  ) {
    self.roundTrip = roundTrip
    self.line = line
    self.hasSlowStart = hasSlowStart
    self.connection = connection
  }

  /// Connections that differ in nothing but their rate, which also is their weight, without a slow start.
  package init(roundTrip: Double = 0.02, line: Double = .infinity, rate: @escaping @Sendable (Int) -> Double) {
    self.init(roundTrip: roundTrip, line: line, hasSlowStart: false) { number in
      Connection(cap: rate(number), weight: rate(number))
    }
  }
}

/// When a connection pauses, and for how long.
package struct Stalls: Sendable {
  /// Seconds from the end of one to the next, on average.
  package let meanInterval: Double
  /// Seconds that one takes.
  package let duration: ClosedRange<Double>
  /// One in so many never ends.
  package let oneForeverIn: Int
  private var dice: Dice

  package init(meanInterval: Double, duration: ClosedRange<Double>, oneForeverIn: Int, seed: Int) {
    self.meanInterval = meanInterval
    self.duration = duration
    self.oneForeverIn = oneForeverIn
    dice = Dice(seed: seed)
  }

  mutating func nextInterval() -> Double { dice.interval(mean: meanInterval) }

  mutating func nextDuration() -> Double {
    dice.oneIn(oneForeverIn) ? .infinity : dice.logarithmic(duration)
  }

  /// Seconds that one takes on average if it is over after `longest` at the latest.
  func meanDuration(upTo longest: Double) -> Double {
    let steps = 32
    let ratio = duration.upperBound / duration.lowerBound
    let finite = (0..<steps).reduce(0.0) { sum, step in
      sum + min(longest, duration.lowerBound * pow(ratio, (Double(step) + 0.5) / Double(steps)))
    }
    let forever = 1 / Double(oneForeverIn)
    return finite / Double(steps) * (1 - forever) + longest * forever
  }
}
