import Sheaf

/// A program that is called because something happened to a download.
struct HookCall: Equatable, Sendable {
  /// What it may be called for.
  enum Occasion: String, CaseIterable, Sendable {
    case start
    case complete
    case error
    case stop
  }

  /// What happened.
  enum Ending: Equatable, Sendable {
    case complete(bytes: Int64)
    case error(ExitStatus, String)
  }

  /// The download that it happened to.
  struct Subject: Equatable, Sendable {
    let gid: GID
    /// As it was given, secrets included.
    let url: String
    /// Where the finished file is or will be.
    let path: String
  }

  let command: String
  /// aria2's: the GID, the number of files, the path of the first.
  let arguments: [String]
  /// What is added to the environment.
  let environment: [(name: String, value: String)]

  static func == (one: Self, other: Self) -> Bool {
    one.command == other.command && one.arguments == other.arguments
      && one.environment.elementsEqual(other.environment) { $0 == $1 }
  }
}

/// The programs to call, by what happened.
struct Hooks: Equatable, Sendable {
  private var commands: [HookCall.Occasion: String] = [:]

  var isEmpty: Bool { commands.isEmpty }

  subscript(occasion: HookCall.Occasion) -> String? {
    get { commands[occasion] }
    set { commands[occasion] = newValue }
  }

  /// The call for a download that begins.
  func began(_ subject: HookCall.Subject) -> HookCall? {
    commands[.start].map { call($0, .start, subject, []) }
  }

  /// The call for a download that has ended. As in aria2, the command for `stop` stands in where there is none for how it
  /// ended.
  func ended(_ subject: HookCall.Subject, _ ending: HookCall.Ending) -> HookCall? {
    let facts: [(name: String, value: String)]
    let occasion: HookCall.Occasion
    switch ending {
    case .complete(let bytes):
      occasion = .complete
      facts = Self.facts(.ok) + [("SHEAF_BYTES", "\(bytes)")]
    case .error(let status, let message):
      occasion = .error
      facts = Self.facts(status) + [("SHEAF_MESSAGE", message)]
    }
    return (commands[occasion] ?? commands[.stop]).map { call($0, occasion, subject, facts) }
  }

  private static func facts(_ status: ExitStatus) -> [(name: String, value: String)] {
    [("SHEAF_STATUS", "\(status.rawValue)"), ("SHEAF_STATUS_NAME", status.name)]
  }

  private func call(
    _ command: String, _ occasion: HookCall.Occasion, _ subject: HookCall.Subject,
    _ facts: [(name: String, value: String)]
  ) -> HookCall {
    HookCall(
      command: command, arguments: [subject.gid.description, "1", subject.path],
      environment: [
        ("SHEAF_EVENT", occasion.rawValue), ("SHEAF_GID", subject.gid.description),
        ("SHEAF_URL", redactedURL(subject.url)), ("SHEAF_PATH", subject.path),
      ] + facts)
  }
}
