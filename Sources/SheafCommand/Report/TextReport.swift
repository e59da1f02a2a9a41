import Sheaf
import SheafCore

/// News for people: paths on standard output, all else on standard error.
struct TextReport: Report {
  private let verbosity: CommandOptions.Verbosity
  private let explains: Bool
  /// Standard output is for paths.
  private let printsPaths: Bool
  /// There may be more than one download to tell apart.
  private let isOneOfSeveral: Bool
  /// So many that a line for all of them says more than one for each.
  private let isOneOfMany: Bool
  /// Nil without a terminal.
  private var progress: TotalProgress?
  /// What the downloads under way are called, unprintable: the path or, until that is known, the URL.
  private var names: [Int: Name] = [:]
  private var totals = Totals()
  /// Says now and then where everything stands; nil if not at all.
  private var standing: TotalProgress?

  private enum Name {
    case url(String)
    case path(String)
  }

  /// Up to this many downloads have a summary each.
  private static let few = 20

  /// - Parameter count: how many downloads there will be; nil if that is not known.
  /// - Parameter summary: how often a line says where everything stands; nil for never.
  init(
    count: Int?, verbosity: CommandOptions.Verbosity, explains: Bool = false, showsProgress: Bool,
    summary interval: Duration? = nil, printsPaths: Bool = true
  ) {
    self.printsPaths = printsPaths
    self.verbosity = verbosity
    self.explains = explains
    isOneOfSeveral = count ?? .max > 1
    isOneOfMany = count ?? .max > Self.few
    progress = showsProgress && verbosity != .quiet ? TotalProgress(count: count) : nil
    standing = interval.map { TotalProgress(count: count, throttle: Throttle(every: $0, isDueAtOnce: false)) }
  }

  var tellsDecisions: Bool { verbosity == .verbose }

  mutating func tell(_ news: News, of index: Int, at now: ContinuousClock.Instant) -> [Print] {
    switch news {
    case .began(let url): names[index] = .url(url)
    case .event(.started(let start)): names[index] = .path(start.path)
    default: break
    }
    var prints = lines(for: news, of: index)
    if progress != nil {
      let drawn = drawing(news, of: index, at: now)
      prints = drawn == [.progress(nil)] ? drawn + prints : prints + drawn
    }
    let name = if case .event(.started) = news { name(index) } else { "" }
    if standing?.note(news, of: index, name: name) == true, let line = standing?.line(at: now) {
      prints.append(.note("sheaf: \(line.sentence)"))
    }
    switch news {
    case .finished, .failed, .notStarted: names[index] = nil
    default: break
    }
    totals.note(news, at: now)
    return prints
  }

  mutating func close(at now: ContinuousClock.Instant) -> [Print] {
    var prints: [Print] = progress == nil ? [] : [.progress(nil)]
    if isOneOfMany, verbosity != .quiet, let text = totals.summary(at: now) {
      prints.append(.message("sheaf: \(text)"))
    }
    return prints
  }

  private mutating func drawing(_ news: News, of index: Int, at now: ContinuousClock.Instant) -> [Print] {
    let name = if case .event(.started) = news { name(index) } else { "" }
    if progress?.note(news, of: index, name: name) == true, let line = progress?.line(at: now) {
      return [.progress(line)]
    }
    return progress?.isOver == true ? [.progress(nil)] : []
  }

  private func lines(for news: News, of index: Int) -> [Print] {
    switch news {
    case .finished(let result):
      let explanation = explains ? [Print.message("sheaf: \(about(index))\(limits(of: result))")] : []
      if verbosity == .quiet { return explanation }
      let path = printsPaths ? [Print.result(printable(result.path))] : []
      if isOneOfMany && verbosity != .verbose { return explanation + path }
      let costs = verbosity == .verbose ? [Print.message("sheaf: \(about(index))\(costs(of: result))")] : []
      return costs + [.message("sheaf: \(summary(of: result))")] + explanation + path
    case .failed(let error, let url):
      // An entry of a list that makes no sense was never begun, and its message says where it stands.
      let about = names[index] == nil ? "" : about(index, url)
      return [.message(errorLine(about + error.message, error.suggestion))]
    case .notStarted(let url):
      return [.message(errorLine(redactedURL(url) + ": stopped before it began", howToContinue))]
    case .restNotStarted(let rest): return [.message(errorLine("\(rest) was not begun", howToContinue))]
    case .event(.warning(let message)) where verbosity != .quiet:
      return [.message("sheaf: warning: \(about(index))\(message)")]
    case .event(.retrying(let reason)) where verbosity == .verbose:
      return [.message("sheaf: \(about(index))trying again: \(reason)")]
    case .event(.decision(let message)) where verbosity == .verbose:
      return [.message("sheaf: \(about(index))\(message)")]
    case .event, .began: return []
    }
  }

  /// The name and a colon, where there is more than one download to tell apart.
  private func about(_ index: Int, _ url: String = "") -> String {
    isOneOfSeveral ? "\(name(index, url)): " : ""
  }

  private func name(_ index: Int, _ url: String = "") -> String {
    switch names[index] {
    case .path(let path): lastComponent(path)
    case .url(let url): redactedURL(url)
    case nil: redactedURL(url)
    }
  }
}

/// What failed, then what to try, on one line.
func errorLine(_ message: String, _ suggestion: String?) -> String {
  "sheaf: error: \(message)\(suggestion.map { "; \($0)" } ?? "")"
}

/// The last part of a path, safe to print.
func lastComponent(_ path: String) -> String {
  printable(path.split(separator: "/").last ?? path[...])
}
