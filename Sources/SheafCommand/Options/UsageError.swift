/// A command line that makes no sense: what is wrong with it, then what to try.
struct UsageError: Error, Equatable {
  let message: String
  let suggestion: String

  init(_ message: String, suggestion: String = "see sheaf --help") {
    self.message = message
    self.suggestion = suggestion
  }
}
