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
