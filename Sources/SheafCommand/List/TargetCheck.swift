import Sheaf
import SheafCore

/// Looks through all that a command line asks for before anything is started: whether each download could be made, and
/// whether two of them would write the same file.
struct TargetCheck {
  private let options: CommandOptions
  /// Where each target was named first. Of the target only a hash is kept, for lists may be long.
  private var places: [Int: Place] = [:]

  private enum Place {
    case argument(String)
    case line(Int)
  }

  init(_ options: CommandOptions) { self.options = options }

  /// Checks the URLs of the command line and, if it can be read twice, the list, which is rewound.
  /// - Returns: how many downloads there are; nil if only the end of a pipe will tell.
  mutating func count(_ list: inout ListFile?) throws(UsageError) -> Int? {
    for url in options.urls {
      let target: String
      do throws(DownloadError) {
        target = try Download.target(of: url, to: options.destination, options: options.download)
      } catch {
        throw UsageError(error.message, suggestion: error.suggestion ?? "see sheaf --help")
      }
      if places.updateValue(.argument(url), forKey: target.hashValue) != nil {
        throw UsageError(
          "two URLs would be written to '\(printable(target))'",
          suggestion: "leave one out, or use one command for each with -o")
      }
    }
    guard var whole = list else { return options.urls.count }
    guard whole.isRepeatable else { return nil }
    var count = options.urls.count
    while let outcome = whole.next() {
      do throws(ListProblem) {
        try check(try outcome.get())
      } catch {
        throw UsageError("\(whole.name):\(error.line): \(error.message)", suggestion: error.suggestion)
      }
      count += 1
    }
    whole.rewind()
    list = whole
    return count
  }

  private mutating func check(_ entry: ListEntry) throws(ListProblem) {
    let own = try options.making(entry)
    let target: String
    do throws(DownloadError) {
      target = try Download.target(of: entry.url, to: own.destination, options: own.download)
    } catch {
      throw ListProblem(line: entry.line, error)
    }
    guard let first = places.updateValue(.line(entry.line), forKey: target.hashValue) else { return }
    let place =
      switch first {
      case .argument(let url): "'\(redactedURL(url))'"
      case .line(let number): "line \(number)"
      }
    throw ListProblem(
      line: entry.line, "\(place) would be written to '\(printable(target))' too",
      suggestion: "leave one out, or name one of them with out=")
  }
}
