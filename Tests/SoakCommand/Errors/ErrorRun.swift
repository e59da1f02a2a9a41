import TestSupport

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Each system call on the download's files fails with each error: the first of its kind, the second, and so on until
/// there is none that could fail.
struct ErrorRun {
  let options: SoakOptions

  private struct Case: Sendable {
    let shape: ErrorShape
    let call: String
    let code: InjectedError.Code
    /// The most calls of one thread, as a run without errors made them.
    let calls: Int
  }

  func play() async throws -> Tally {
    guard (try? ChildProcess("strace", ["--version"]).wait().isSuccess) == true else {
      return Tally(remarks: ["skipped: no strace"])
    }
    let shapes = options.isQuick ? [.large, .linking] : ErrorShape.allCases
    let counts = Monitor<[String: Int]>([:])
    let cases = try shapes.flatMap { try Self.cases($0, isQuick: options.isQuick, counts) }
    let limit = options.cycles(quick: 3, full: .max)
    let runs = Monitor(0)
    // The long ones first, so that the lanes end together.
    let order = cases.sorted { $0.calls > $1.calls }
    var tally = await Lanes(.errors, options, count: 3).play(order.count, keeping: ErrorStage.init) { stage, cycle in
      let one = order[cycle]
      var complaints: [String] = []
      var when = 1
      while when <= limit {
        let error = InjectedError(call: one.call, code: one.code, when: when)
        guard let found = try stage.play(one.shape, error) else { break }
        runs.withLock { $0 += 1 }
        complaints += found.map { "\(one.shape) \(one.call) \(one.code.rawValue) when=\(when): \($0)" }
        // Hundreds of writes are alike; the first ones, and then some, are not.
        when += max(1, when / 16)
      }
      return complaints
    }
    let called = counts.read { $0 }
    let never = InjectedError.calls.filter { called[$0] == nil }
    tally.remarks.append(
      "\(runs.read { $0 }) runs with an error, of \(called.count) calls in \(order.count) combinations; never made: "
        + (never.isEmpty ? "none" : never.joined(separator: ", ")))
    return tally
  }

  /// Counts the calls of a run without errors, and leaves out what is never made.
  private static func cases(_ shape: ErrorShape, isQuick: Bool, _ counts: Monitor<[String: Int]>) throws -> [Case] {
    let found = try ErrorStage().calls(of: shape)
    counts.withLock { counts in counts.merge(found) { max($0, $1) } }
    let calls = isQuick && shape == .linking ? ["linkat", "unlinkat"] : shape.calls
    return calls.flatMap { call in
      InjectedError.Code.allCases.compactMap { code in
        found[call].map { Case(shape: shape, call: call, code: code, calls: $0) }
      }
    }
  }
}
