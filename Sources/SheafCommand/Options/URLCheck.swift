import Sheaf
import SheafCore

/// Refuses what cannot be fetched before anything is done.
func checkURL(_ text: String) throws(UsageError) {
  do throws(Failure) {
    _ = try Location(ofDownload: text)
  } catch {
    let subcommand = closest(to: text, among: Subcommand.allCases.map(\.rawValue)).map { "did you mean sheaf \($0)?" }
    throw UsageError(error.message, suggestion: subcommand ?? error.suggestion ?? "see sheaf --help")
  }
}

extension URLPattern {
  /// The pattern that was given as an argument or stands in a list.
  init(argument text: String) throws(UsageError) {
    do throws(Failure) {
      try self.init(text)
    } catch {
      throw UsageError(error.message, suggestion: error.suggestion ?? "see sheaf help patterns")
    }
  }
}
