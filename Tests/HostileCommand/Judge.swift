import TestSupport

/// The one oracle for all runs.
///
/// Status 0 means the right file. Anything else means that nothing new has the final name. It ends in time. Files
/// around it are as they were. What it asks of the origin is bounded, and what it prints cannot drive a terminal.
struct Judge {
  let cell: Cell
  /// Sheaf has to keep every rule; others only have to be right.
  let isStrict: Bool

  func verdict(_ observation: Observation) -> Verdict {
    guard let status = observation.status else { return .hang }
    guard status == .exited(0) else { return .failed }
    return observation.difference == nil ? .right : .wrong
  }

  func complaints(_ observation: Observation) -> [String] {
    var complaints: [String] = []
    switch verdict(observation) {
    case .wrong: complaints.append("status 0, but \(observation.difference ?? "no file")")
    case .hang: complaints.append("did not end within \(Int(observation.seconds)) s")
    case .right, .failed, .skipped: break
    }
    complaints += observation.damaged.map { "changed \($0), which is not its own" }
    guard isStrict else { return complaints }
    complaints += leftovers(observation) + outcome(observation) + excess(observation)
    if let scalar = (observation.output + observation.errors).unicodeScalars.first(where: Self.drivesTerminals) {
      complaints.append("printed U+\(String(scalar.value, radix: 16, uppercase: true))")
    }
    if case .signalled(let signal)? = observation.status { complaints.append("died of signal \(signal)") }
    if let inspect = cell.scenario.inspect { complaints += inspect(observation) }
    return complaints
  }

  private func leftovers(_ observation: Observation) -> [String] {
    var complaints: [String] = []
    if observation.succeeded {
      if observation.newNames.count != 1 { complaints.append("status 0 and these new names: \(observation.newNames)") }
    } else {
      complaints += observation.finishedNames.map { "no status 0, but \($0) is there" }
    }
    complaints += observation.newNames.filter { !Self.isDecent($0) }.map {
      "made a file with the name \($0.debugDescription)"
    }
    return complaints
  }

  private func outcome(_ observation: Observation) -> [String] {
    guard !cell.scenario.behaviour.takesLong else { return [] }
    switch (cell.scenario.outcome ?? cell.scenario.behaviour.outcome, observation.succeeded) {
    case (.file, false) where observation.status != nil:
      return ["the file could be had, but: \(observation.errors.suffix(300))"]
    case (.failure, true): return ["there was nothing to be had, but the status is 0"]
    default: return []
    }
  }

  /// Bounds that leave room for every honest way of trying again: they catch what has no bound at all.
  private func excess(_ observation: Observation) -> [String] {
    let entity = observation.entity
    let requests = 150 + 30 * cell.connections + Int(min(entity.size, 1 << 26) >> 16) * 2
    let bytes = 5 * entity.size + Int64(cell.connections) * (8 << 20) + (64 << 20)
    var complaints: [String] = []
    if observation.log.requests.count > requests {
      complaints.append("\(observation.log.requests.count) requests, more than \(requests)")
    }
    if observation.log.bytesSent > bytes {
      complaints.append("\(observation.log.bytesSent) bytes for a file of \(entity.size)")
    }
    return complaints
  }

  private static func drivesTerminals(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 32 && scalar != "\n" && scalar != "\t" || 127..<160 ~= scalar.value
      || 0x202A...0x202E ~= scalar.value || 0x2066...0x2069 ~= scalar.value
  }

  private static func isDecent(_ name: String) -> Bool {
    !name.hasPrefix(".") && !name.hasPrefix("-") && name.utf8.count <= 255
      && !name.unicodeScalars.contains { drivesTerminals($0) || $0 == "\n" || $0 == "\t" }
  }
}
