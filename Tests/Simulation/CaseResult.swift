#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// One simulated case and what came of it.
package struct CaseResult: Sendable {
  package let parameters: SimulatedCase
  package let outcome: Outcome
  /// Time beside the ideal one.
  package let ratio: Double
  package let exclusion: SimulatedCase.Exclusion?

  package init(_ parameters: SimulatedCase, clock: (() -> UInt64)? = nil) {
    var simulation = parameters.simulation()
    simulation.clock = clock
    simulation.run()
    self.parameters = parameters
    outcome = simulation.outcome
    ratio = outcome.seconds / parameters.ideal
    exclusion = parameters.exclusion
  }

  /// The first thing that must hold for every case and does not; nil if all is well.
  package var complaint: String? {
    if let complaint = outcome.complaint { return complaint }
    if outcome.received < outcome.total { return "\(outcome.received) bytes written for \(outcome.total)" }
    if outcome.requests > parameters.mostRequests { return "\(outcome.requests) requests" }
    if outcome.wasted > parameters.mostWasted { return "\(outcome.wasted) bytes came for nothing" }
    return nil
  }
}

extension SimulatedCase {
  /// More requests than this are too many: twice what guided self-scheduling hands out, and a few thefts each.
  var mostRequests: Int {
    let mebibytes = Double(total) / 0x1p20
    let lanes = max(1, min(Double(connections), mebibytes))
    return Int(lanes * (2.5 * log(max(1, mebibytes / lanes)) + 6)) + 32
  }

  /// Two per cent, a MiB, and as much as is on its way at a time when the line is full: closing a connection wastes what
  /// the server has sent and will send until it hears of it.
  var mostWasted: Int64 { total / 50 + (1 << 20) + Int64(line * roundTrip) }
}
