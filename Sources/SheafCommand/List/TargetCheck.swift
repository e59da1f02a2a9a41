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

  /// Checks all orders.
  /// - Returns: how many they are.
  mutating func count(_ orders: OrderSequence) throws(UsageError) -> Int {
    var orders = orders
    let name = orders.list?.name
    var count = 0
    while let order = orders.next() {
      if let line = order.line, let name {
        do throws(ListProblem) {
          try check(order, on: line)
        } catch {
          throw UsageError("\(name):\(error.line): \(error.message)", suggestion: error.suggestion)
        }
      } else {
        try check(order)
      }
      count += 1
    }
    return count
  }

  private mutating func check(_ order: Order) throws(UsageError) {
    let target: String?
    do throws(ListProblem) {
      target = try self.target(of: order)
    } catch {
      throw UsageError(error.message, suggestion: error.suggestion)
    }
    if let target, let conflict = note(target, at: .argument(order.url)) {
      let downloads = options.metalinkFiles.isEmpty ? "URLs" : "downloads"
      throw UsageError(
        "two \(downloads) would be written to '\(printable(conflict.path))'",
        suggestion: "leave one out, or use one command for each with -o")
    }
  }

  private mutating func check(_ order: Order, on line: Int) throws(ListProblem) {
    guard let target = try target(of: order), let conflict = note(target, at: .line(line)) else { return }
    let place =
      switch conflict.first {
      case .argument(let url): "'\(redactedURL(url))'"
      case .line(let number): "line \(number)"
      }
    throw ListProblem(
      line: line, "\(place) would be written to '\(printable(conflict.path))' too",
      suggestion: "leave one out, or name one of them with out=")
  }

  /// Nil if only the server knows the name: then whoever comes second finds the file there, or in use.
  private func target(of order: Order) throws(ListProblem) -> String? {
    let own = try order.options(from: options)
    do throws(DownloadError) {
      let target = try Download.target(of: order.url, to: own.destination, options: own.download)
      return own.download.naming == .server && own.output == nil ? nil : target
    } catch {
      throw ListProblem(line: order.line ?? 0, error)
    }
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
