import TestSupport

/// What is being downloaded, and what lies there already, while calls fail.
enum ErrorShape: String, CaseIterable, Sendable {
  /// With a manifest and some checkpoints.
  case large
  /// Without a manifest.
  case small
  /// What an earlier run left that was killed.
  case resumed
  /// An old file is to be replaced.
  case replacing
  /// A file system without exclusive renaming, so that a hard link is made.
  case linking

  var entity: Entity {
    switch self {
    case .small: Entity(seed: 71, size: 300_001)
    case .large, .resumed, .replacing, .linking: Entity(seed: 72, size: (9 << 20) + 4321)
    }
  }

  var old: Entity? { self == .replacing ? Entity(seed: 70, size: 100_000) : nil }

  var options: [String] { self == .replacing ? ["--allow-overwrite"] : [] }

  /// What fails in any case.
  var circumstance: String? { self == .linking ? "inject=renameat2:error=EINVAL" : nil }

  /// The calls that may fail beside that.
  var calls: [String] {
    let calls = InjectedError.calls
    return self == .linking ? calls.filter { $0 != "renameat2" } : calls
  }
}
