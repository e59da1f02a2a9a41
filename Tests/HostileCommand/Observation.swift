import TestSupport

/// All that can be known of a run from outside.
struct Observation: Sendable {
  /// Nil when it had to be killed.
  let status: ExitStatus?
  let output: String
  let errors: String
  let seconds: Double
  let log: OriginLog
  /// The names that were not in the directory before.
  let newNames: [String]
  /// What is wrong with the finished file in terms of the nearest version; nil when it is one of the versions.
  let difference: String?
  /// Files of others that are no longer what they were.
  let damaged: [String]
  let entity: Entity

  var succeeded: Bool { status == .exited(0) }

  /// The names that a user would take for finished files.
  var finishedNames: [String] { newNames.filter { !Self.isUnfinished($0) } }

  static func isUnfinished(_ name: String) -> Bool {
    [".part", ".sheaf", ".aria2", ".st", ".lftp-pget-status"].contains { name.hasSuffix($0) }
  }
}
