/// One of the long runs.
enum Part: String, CaseIterable, Sendable {
  case errors
  case sizes
  case limits
  case fileSystems = "file-systems"
  case kill
  case scenarios
  case churn
  case many
  case big

  var summary: String {
    switch self {
    case .errors: "each system call on the download's files fails, each time that it is made"
    case .sizes: "disks of every size that is too small"
    case .limits: "too few descriptors, files that may not be large enough"
    case .fileSystems: "ext4, xfs and btrfs: kill -9, full disks, power cuts"
    case .kill: "kill -9 at random moments, then the right file"
    case .scenarios: "random servers, random options, interruptions"
    case .churn: "downloads in one process from servers that misbehave"
    case .many: "1,000 downloads in one process"
    case .big: "1 TiB, resumed after 50 times kill -9"
    }
  }

  func play(_ options: SoakOptions) async throws -> Tally {
    switch self {
    case .errors: try await ErrorRun(options: options).play()
    case .sizes: try await SizeRun(options: options).play()
    case .limits: try await LimitRun(options: options).play()
    case .fileSystems: try await FileSystemRun(options: options).play()
    case .kill: try await KillRun(options: options).play()
    case .scenarios: try await ScenarioRun(options: options).play()
    case .churn: try await ChurnRun(options: options).play()
    case .many: try await ManyRun(options: options).play()
    case .big: try await BigRun(options: options).play()
    }
  }
}
