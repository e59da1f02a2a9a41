/// The time of a client that makes no mistake: nobody can be much faster, whatever the plan.
///
/// It is the payload carried at the rate of everything that may be used, and what cannot be avoided before that rate is
/// reached:
///
/// * The first answer comes after two round trips: one opens the connection, one asks. Nothing else can be asked for
///   before, since nobody knows the file's length; others answer a round trip later, if their connections were opened
///   meanwhile.
/// * From then on, the rate is the line's, or that of the connections together if that is less; each carries its cap,
///   or what its slow start has reached.
/// * The connections are the first to be opened, as many as the settings allow and the file has MiB.
/// * A stall takes away what the connection would have carried meanwhile. One that lasts is replaced: after a second, or
///   ten round trips, of silence (less could be any network's bad moment) and the two round trips of a new connection.
///
/// Work is divided without loss: no request costs a round trip, nothing waits at the end.
package struct IdealTime {
  private let network: Network
  private let connections: [Network.Connection]

  package init(network: Network, connections: Int, total: Int64) {
    self.network = network
    let worth = Int(min((total - 1) >> 20 + 1, 1 << 20))
    self.connections = (1...max(1, min(connections, worth))).map(network.connection)
  }

  package func seconds(for total: Int64) -> Double {
    let trip = network.roundTrip
    let caps = connections.map { $0.cap * availability($0) }
    var left = Double(total)
    var time = Network.tripsWhenNew * trip
    // One step for each round trip: in it, connections that are n round trips old carry 2^n first windows.
    for step in 0..<64 {
      let rates = caps.indices.map { index -> Double in
        let age = index == 0 ? step : step - 1
        guard age >= 0 else { return 0 }
        return network.hasSlowStart
          ? min(caps[index], Network.firstWindow / trip * Double(1 << min(age, 60))) : caps[index]
      }
      let rate = min(network.line, rates.reduce(0, +))
      if rate * trip >= left { return time + left / rate }
      let isFinal = step > 0 && (rate == network.line || rates == caps)
      if isFinal { return time + left / rate }
      left -= rate * trip
      time += trip
    }
    return time + left / min(network.line, caps.reduce(0, +))
  }

  /// The share of its time in which a connection carries something.
  private func availability(_ connection: Network.Connection) -> Double {
    guard let stalls = connection.stalls else { return 1 }
    let patience = max(1, 10 * network.roundTrip) + Network.tripsWhenNew * network.roundTrip
    return stalls.meanInterval / (stalls.meanInterval + stalls.meanDuration(upTo: patience))
  }
}
