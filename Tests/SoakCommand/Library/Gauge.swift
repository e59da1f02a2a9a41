import TestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What this process holds of the system at one moment.
struct Gauge: Sendable, CustomStringConvertible {
  let descriptors: Int
  let threads: Int
  /// Resident, in KiB.
  let memory: Int

  /// Nil where there is no /proc.
  static func now() -> Gauge? {
    let descriptors = TemporaryDirectory.names(in: "/proc/self/fd").count
    let threads = TemporaryDirectory.names(in: "/proc/self/task").count
    guard threads > 0, let memory = memory("VmRSS", of: "self") else { return nil }
    // One descriptor is the one that is counting.
    return Gauge(descriptors: descriptors - 1, threads: threads, memory: memory)
  }

  /// The most that a process had resident until now, in bytes; nil when it has gone.
  static func residentPeak(of process: Int32) -> Int64? { memory("VmHWM", of: "\(process)").map { Int64($0) << 10 } }

  /// A field of /proc/PROCESS/status in KiB.
  private static func memory(_ field: String, of process: String) -> Int? {
    guard let file = fopen("/proc/\(process)/status", "r") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 1000)
    while fgets(&line, CInt(line.count), file) != nil {
      let words = line.withUnsafeBufferPointer { buffer in
        buffer.baseAddress.map { String(cString: $0) }?.split { " \t\n".contains($0) } ?? []
      }
      if words.first == "\(field):" { return words.dropFirst().first.flatMap { Int($0) } }
    }
    return nil
  }

  var description: String { "\(descriptors) descriptors, \(threads) threads, \(memory >> 10) MiB" }
}

/// What a process held after each round of the same work.
struct Gauges: Sendable {
  private(set) var all: [Gauge] = []

  mutating func add(_ gauge: Gauge?) { if let gauge { all.append(gauge) } }

  /// The first fifth is for caches to fill, and for loops to be opened; from there to the end nothing may grow.
  var complaints: [String] {
    guard all.count >= 10 else { return [] }
    let settled = all.dropFirst(all.count / 5)
    let part = max(1, settled.count / 3)
    let (early, late) = (settled.prefix(part), settled.suffix(part))
    func grows(_ path: KeyPath<Gauge, Int>, by slack: Int) -> Bool {
      (late.map { $0[keyPath: path] }.min() ?? 0) > (early.map { $0[keyPath: path] }.max() ?? 0) + slack
    }
    var complaints: [String] = []
    if grows(\.descriptors, by: 0) { complaints.append("descriptors grow: \(summary)") }
    if grows(\.threads, by: 0) { complaints.append("threads grow: \(summary)") }
    if grows(\.memory, by: 2048) { complaints.append("memory grows: \(summary)") }
    return complaints
  }

  /// The beginning, the middle and the end.
  var summary: String {
    guard let first = all.first, let last = all.last else { return "not measured" }
    return
      "after 1 of \(all.count) rounds: \(first); after \(all.count / 2 + 1): \(all[all.count / 2]); in the end: \(last)"
  }
}
