/// What may stand for an option's value or an operand, as far as a shell can help with it.
///
/// It is told by the word that stands for the value in the help, so that the two never differ.
enum ValueHint: Equatable, Sendable {
  case files
  case directories
  case choices([String])
  case anything

  init(placeholder: String) {
    let words = placeholder.split(separator: "|").map(String.init)
    if words.count > 1, words.allSatisfy({ $0 == $0.lowercased() }) {
      self = .choices(words)
    } else if words.contains("DIR") {
      self = .directories
    } else if words.contains(where: { ["FILE", "@FILE", "DOCUMENT", "NEW"].contains($0) }) {
      self = .files
    } else {
      self = .anything
    }
  }
}
