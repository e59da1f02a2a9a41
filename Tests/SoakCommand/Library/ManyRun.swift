import Sheaf
import Simulation
import TestSupport

/// Downloads in one process, a hundred at a time, from one host.
struct ManyRun {
  let options: SoakOptions

  private static let roundLength = 100
  /// What one host gets by default, however many downloads want something of it.
  private static let connections = 16

  func play() async throws -> Tally {
    let rounds = max(1, options.cycles(quick: 100, full: 1000) / Self.roundLength)
    let start = monotonicSeconds()
    var (tally, gauges) = (Tally(), Gauges())
    let origin = try Origin()
    let peak = Monitor(0)
    for round in 0..<rounds where monotonicSeconds() - start < options.seconds ?? .infinity {
      let directory = try makeDirectory()
      var dice = Dice(seed: Int(truncatingIfNeeded: options.seed &+ UInt64(round)))
      let entities = (0..<Self.roundLength).map { _ in
        Entity(seed: dice.next(), size: Int64(dice.logarithmic(1...Double(32 << 20))))
      }
      for (index, entity) in entities.enumerated() { origin.serve(entity, at: "/\(index).bin") }
      let complaints = await offThePool {
        Self.play(entities, origin, directory, peak).map { "FAIL many: round \(round + 1): \($0)\n" }
      }
      for complaint in complaints { say(complaint) }
      tally.failed += complaints.count
      tally.passed += Self.roundLength - min(complaints.count, Self.roundLength)
      gauges.add(.now())
      origin.clearLog()
    }
    tally.add(gauges.complaints)
    tally.remarks +=
      gauges.complaints + [gauges.summary, "at most \(peak.read { $0 }) connections open, idle ones too"]
    return tally
  }

  /// All of them at once.
  private static func play(
    _ entities: [Entity], _ origin: Origin, _ directory: TemporaryDirectory, _ peak: Monitor<Int>
  ) -> [String] {
    var complaints: [String] = []
    let downloads = entities.indices.compactMap { index -> LibraryDownload? in
      do {
        return try LibraryDownload(
          origin.url("/\(index).bin"), to: directory.file("\(index).bin"), DownloadOptions())
      } catch {
        complaints.append("\(index): \(error)")
        return nil
      }
    }
    for (index, download) in downloads.enumerated() {
      switch download.outcome(within: 120) {
      case .success?:
        if let difference = entities[index].difference(fromFileAt: directory.file("\(index).bin")) {
          complaints.append(difference)
        }
      case .failure(let error)?: complaints.append("\(index): \(error)")
      case nil:
        complaints.append("\(index): does not end")
        download.stop()
      }
    }
    if directory.names().count != entities.count { complaints.append("left more than the files") }
    let log = origin.log
    if log.concurrentRequestsPeak > connections {
      complaints.append("\(log.concurrentRequestsPeak) requests to one host at a time")
    }
    peak.withLock { $0 = max($0, log.concurrentConnectionsPeak) }
    return complaints
  }
}
