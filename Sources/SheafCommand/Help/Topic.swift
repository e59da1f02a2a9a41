/// What `sheaf help TOPIC` explains, and the manual page in a section of its own.
enum Topic: String, CaseIterable, Sendable {
  case options
  case lists
  case patterns
  case fleet
  case config
  case sessions
  case hooks
  case dialects
  case resume
  case verification
  case exitStatuses = "exit-statuses"
  case environment
  case files

  /// The heading.
  var title: String {
    switch self {
    case .options: "Options"
    case .lists: "Lists of downloads"
    case .patterns: "URL patterns"
    case .fleet: "Many machines"
    case .config: "Configuration"
    case .sessions: "Sessions"
    case .hooks: "Hooks"
    case .dialects: "Command lines of other programs"
    case .resume: "Interrupting and resuming"
    case .verification: "Verification"
    case .exitStatuses: "Exit status"
    case .environment: "Environment"
    case .files: "Files"
    }
  }

  var paragraphs: [Paragraph] {
    switch self {
    case .options: []
    case .lists: Self.aboutLists
    case .patterns: Self.aboutPatterns
    case .fleet: Self.aboutFleet
    case .config: Self.aboutConfig
    case .sessions: Self.aboutSessions
    case .hooks: Self.aboutHooks
    case .dialects: Self.aboutDialects
    case .resume: Self.aboutResume
    case .verification: Self.aboutVerification
    case .exitStatuses: Self.aboutExitStatuses
    case .environment: Self.aboutEnvironment
    case .files: Self.aboutFiles
    }
  }
}
