/// How a run ended, in a word.
enum Verdict: String, Sendable {
  /// Status 0 and the right file.
  case right
  /// Another status; what is there is not said to be complete.
  case failed
  /// Status 0 and not the right file.
  case wrong
  /// Did not end in time.
  case hang
  /// Cannot be asked of this contender.
  case skipped
}

/// A run and what is to be said against it.
struct CellResult: Sendable {
  let cell: Cell
  var verdict: Verdict
  /// Sentences; none is a pass.
  var complaints: [String] = []
  var status = "-"
  var seconds = 0.0
  var requests = 0
  var bytes: Int64 = 0
  /// The end of what it printed, for reports.
  var said = ""

  var passed: Bool { complaints.isEmpty }
}
