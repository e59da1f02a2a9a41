/// What came out of a run.
struct Tally: Sendable {
  var passed = 0
  var failed = 0
  /// Figures that were measured on the way, and what was left out and why.
  var remarks: [String] = []

  mutating func add(_ complaints: [String]) {
    if complaints.isEmpty { passed += 1 } else { failed += 1 }
  }

  static func + (left: Tally, right: Tally) -> Tally {
    Tally(passed: left.passed + right.passed, failed: left.failed + right.failed, remarks: left.remarks + right.remarks)
  }
}
