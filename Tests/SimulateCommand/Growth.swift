import SheafCore
import Simulation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// How the planner's cost and the manifest grow with the file and the connections, on an uneventful network.
enum Growth {
  struct Row {
    let total: Int64
    let connections: Int
    let outcome: Outcome
    /// Bytes; 0 for a file that needs none.
    let manifest: Int

    var microsecondsPerDecision: Double {
      Double(outcome.decisionNanoseconds) / 1000 / Double(max(1, outcome.decisions))
    }
  }

  /// Rows from 1 MiB to 10 TiB at 1, 16 and 256 connections, on a line of 1 Gbit/s with round trips of 20 ms.
  static func rows() -> [Row] {
    let sizes: [Int64] = [1 << 20, 16 << 20, 256 << 20, 4 << 30, 64 << 30, 1 << 40, 10 << 40]
    return [1, 16, 256].flatMap { connections in sizes.map { row($0, connections) } }
  }

  private static func row(_ total: Int64, _ connections: Int) -> Row {
    // Rates that differ a little make plans as they are in life: connections end one by one.
    let network = Network(roundTrip: 0.02, line: 125e6, hasSlowStart: true) { number in
      Network.Connection(cap: .infinity, weight: 1 + 0.1 * Double(number % 7))
    }
    var settings = DownloadMachine.Settings()
    settings.connections = connections
    var simulation = NetworkSimulation(total: total, network: network, settings: settings, longest: 1e7)
    simulation.clock = processorTime
    simulation.run()
    let isOneRequest = total <= DownloadMachine.probeLength
    let layout = isOneRequest ? nil : ManifestLayout(blockCount: Int64(BlockMap(total: total).count))
    return Row(
      total: total, connections: connections, outcome: simulation.outcome, manifest: layout?.fileSize ?? 0)
  }

  /// Nanoseconds that this thread has used.
  private static func processorTime() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  private static let headings = [
    "MiB", "connections", "requests", "decisions", "µs each", "CPU ms", "segments", "ranges", "manifest B",
  ]

  static func table(_ rows: [Row]) -> String {
    let cells = rows.map { row in
      [
        "\(row.total >> 20)", "\(row.connections)", "\(row.outcome.requests)", "\(row.outcome.decisions)",
        "\(rounded(row.microsecondsPerDecision))", "\(rounded(Double(row.outcome.decisionNanoseconds) / 1e6))",
        "\(row.outcome.peakSegments)", "\(row.outcome.peakRanges)", "\(row.manifest)",
      ]
    }
    return ([headings] + cells).map { line in
      line.map { String(repeating: " ", count: max(1, 12 - $0.count)) + $0 }.joined()
    }.joined(separator: "\n")
  }

  static func json(_ rows: [Row]) -> String {
    JSONText(
      rows.map { row in
        JSONText([
          ("bytes", JSONText(Int(row.total))), ("connections", JSONText(row.connections)),
          ("requests", JSONText(row.outcome.requests)), ("decisions", JSONText(row.outcome.decisions)),
          ("cpu_microseconds_per_decision", JSONText(row.microsecondsPerDecision)),
          ("cpu_seconds", JSONText(Double(row.outcome.decisionNanoseconds) / 1e9)),
          ("peak_segments", JSONText(row.outcome.peakSegments)), ("peak_ranges", JSONText(row.outcome.peakRanges)),
          ("manifest_bytes", JSONText(row.manifest)),
        ])
      }
    ).text
  }
}
