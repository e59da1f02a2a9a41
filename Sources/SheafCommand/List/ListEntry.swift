/// One download of a list: the line with its URL and the option lines below it, or why they make no sense.
struct ListEntry: Equatable, Sendable {
  /// One `name=value` line below a URL.
  struct Setting: Equatable, Sendable {
    let text: String
    let line: Int
  }

  let url: String
  /// Other URLs of the same file.
  let mirrors: [String]
  /// Of the URL, from 1.
  let line: Int
  let settings: [Setting]
  /// Those of the pattern that the URL was made from, for its output name.
  let values: [String]

  init(url: String, mirrors: [String] = [], line: Int, settings: [Setting], values: [String] = []) {
    self.url = url
    self.mirrors = mirrors
    self.line = line
    self.settings = settings
    self.values = values
  }
}

/// A line of a list that makes no sense.
struct ListProblem: Error, Equatable {
  let line: Int
  let message: String
  let suggestion: String

  init(line: Int, _ message: String, suggestion: String = "see sheaf --help") {
    self.line = line
    self.message = message
    self.suggestion = suggestion
  }
}
