/// How fast the origin is.
extension Behaviour {
  /// At most that many bytes of body a second on each connection, over all of its requests.
  package func rate(_ bytesPerSecond: Int64, on occasion: Occasion = .always) -> Behaviour {
    amending(on: occasion) { $1.rate = bytesPerSecond }
  }

  /// Divides the rate that an earlier rule has set; without one there is nothing to divide.
  package func slowing(by factor: Int64, on occasion: Occasion) -> Behaviour {
    amending(on: occasion) { _, answer in answer.rate = answer.rate.map { max($0 / factor, 1) } }
  }

  /// Silence before each response, in seconds.
  package func latency(_ seconds: Double, on occasion: Occasion = .always) -> Behaviour {
    amending(on: occasion) { $1.latency = seconds }
  }
}
