/// A piece of an explanation, for the terminal and the manual page alike.
enum Paragraph: Equatable, Sendable {
  case text(String)
  /// Lines as they are typed or stand in a file.
  case example([String])
  /// Terms, and what each means.
  case terms([Term])

  struct Term: Equatable, Sendable {
    let name: String
    let meaning: String

    init(_ name: String, _ meaning: String) {
      self.name = name
      self.meaning = meaning
    }
  }
}

extension Paragraph {
  /// The paragraph for a terminal, its lines no longer than `width`, with the line feed that ends the last one.
  func text(width: Int = 100) -> String {
    switch self {
    case .text(let text): return Self.wrapped(text, width: width, indent: 0)
    case .example(let lines): return lines.map { "  \($0)\n" }.joined()
    case .terms(let terms):
      let column = min(26, 4 + (terms.map(\.name.count).max() ?? 0))
      return terms.map { term in
        let meaning = Self.wrapped(term.meaning, width: width, indent: column)
        let name = "  " + term.name
        return name.count + 2 <= column
          ? name + meaning.dropFirst(name.count) : name + "\n" + meaning
      }.joined()
    }
  }

  /// Breaks lines at blanks; a word that is longer than a line has one of its own.
  private static func wrapped(_ text: String, width: Int, indent: Int) -> String {
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] += " \(word)"
      } else {
        lines.append(margin + word)
      }
    }
    return lines.map { $0 + "\n" }.joined()
  }
}
