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

  /// Checks the URLs of the command line, the files of its Metalink documents and, if it can be read twice, the list, which
  /// is rewound.
  /// - Returns: how many downloads there are; nil if only the end of a pipe will tell.
  mutating func count(_ entries: [MetalinkEntry], _ list: inout ListFile?) throws(UsageError) -> Int? {
    for url in options.urls { try check(url, options) }
    for entry in entries { try check(entry.url, entry.applied(to: options)) }
    var count = options.urls.count + entries.count
    guard var whole = list else { return count }
    guard whole.isRepeatable else { return nil }
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

  private mutating func check(_ url: String, _ own: CommandOptions) throws(UsageError) {
    let target: String
    do throws(DownloadError) {
      target = try Download.target(of: url, to: own.destination, options: own.download)
    } catch {
      throw UsageError(error.message, suggestion: error.suggestion ?? "see sheaf --help")
    }
    if let conflict = note(target, at: .argument(url)) {
      let downloads = options.metalinkFiles.isEmpty ? "URLs" : "downloads"
      throw UsageError(
        "two \(downloads) would be written to '\(printable(conflict.path))'",
        suggestion: "leave one out, or use one command for each with -o")
    }
  }

  private mutating func check(_ entry: ListEntry) throws(ListProblem) {
    let own = try options.making(entry)
    let target: String
    do throws(DownloadError) {
      target = try Download.target(of: entry.url, to: own.destination, options: own.download)
    } catch {
      throw ListProblem(line: entry.line, error)
    }
    guard let conflict = note(target, at: .line(entry.line)) else { return }
    let place =
      switch conflict.first {
      case .argument(let url): "'\(redactedURL(url))'"
      case .line(let number): "line \(number)"
      }
    throw ListProblem(
      line: entry.line, "\(place) would be written to '\(printable(conflict.path))' too",
      suggestion: "leave one out, or name one of them with out=")
  }

  /// Notes a target.
  /// - Returns: a file that both this download and an earlier one would write, the target of one or what it writes beside
  ///   its target, and where the earlier one was named.
  private mutating func note(_ target: String, at place: Place) -> (first: Place, path: String)? {
    if let first = places.updateValue(place, forKey: target.hashValue) { return (first, target) }
    for ending in [".part", ".sheaf"] {
      if let first = places[(target + ending).hashValue] { return (first, target + ending) }
      guard target.hasSuffix(ending) else { continue }
      if let first = places[String(target.dropLast(ending.count)).hashValue] { return (first, target) }
    }
    return nil
  }
}
