/// A shell that can complete command lines.
enum Shell: String, CaseIterable, Sendable {
  case bash
  case zsh
  case fish

  /// The script that teaches it the options of all commands.
  var completion: String {
    switch self {
    case .bash: Self.bashCompletion
    case .zsh: Self.zshCompletion
    case .fish: Self.fishCompletion
    }
  }

  /// A text in single quotes, in any of the three.
  static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
}
