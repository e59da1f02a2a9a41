import Sheaf
import SheafCore

/// One download that is asked for: by the command line, a document or a list.
enum Order: Sendable {
  /// The values are those of the pattern that the URL was made from.
  case argument(url: String, values: [String])
  case described(MetalinkEntry)
  case listed(ListEntry)
  /// A line of a list that is no order.
  case mistaken(ListProblem)

  /// As it was given, secrets included; empty for a mistake.
  var url: String {
    switch self {
    case .argument(let url, _): url
    case .described(let entry): entry.url
    case .listed(let entry): entry.url
    case .mistaken: ""
    }
  }

  /// The line of the list where it begins.
  var line: Int? {
    switch self {
    case .argument, .described: nil
    case .listed(let entry): entry.line
    case .mistaken(let problem): problem.line
    }
  }

  /// The options of this download, made from those of the command line.
  func options(from base: CommandOptions) throws(ListProblem) -> CommandOptions {
    let base = try profiled(base)
    switch self {
    case .argument(_, let values):
      guard !values.isEmpty else { return base }
      var own = base
      own.patternValues = values
      return own
    case .described(let entry): return entry.applied(to: base)
    case .listed(let entry): return try base.making(entry)
    case .mistaken(let problem): throw problem
    }
  }
}

extension Order {
  private func profiled(_ base: CommandOptions) throws(ListProblem) -> CommandOptions {
    do throws(UsageError) {
      return try base.layers.profiled(base, for: url)
    } catch {
      throw ListProblem(line: line ?? 0, error)
    }
  }
}

/// The orders of a run, one after the other: those of the command line's URLs, of its Metalink documents, then of its list.
///
/// None is made before it is asked for, so their number does not matter. A copy made before the first is a sequence of its
/// own if they can be had twice.
struct OrderSequence: Sendable {
  private var urls: ArraySlice<String>
  private var entries: ArraySlice<MetalinkEntry>
  private(set) var list: ListFile?
  private let usesPatterns: Bool
  private let expandsArguments: Bool
  private let shard: Shard?
  /// How many came before, those of other shards included.
  private var position = 0
  /// What is made from a pattern at the moment.
  private var expansion: Expansion?

  private enum Expansion: Sendable {
    case argument(URLPattern, next: Int)
    /// Of the URL and the mirrors.
    case entry(ListEntry, [URLPattern], next: Int)
  }

  init(_ options: CommandOptions, _ entries: [MetalinkEntry] = [], list: ListFile? = nil) {
    urls = options.urls[...]
    self.entries = entries[...]
    self.list = list
    usesPatterns = options.usesPatterns
    expandsArguments = options.usesPatterns && options.keepsURLsApart
    shard = options.shard
  }

  /// The same from here on, read apart from this one; only if they can be had twice.
  /// - Throws: a failure if there is no memory.
  func independent() throws(Failure) -> OrderSequence {
    var copy = self
    copy.list = try list?.independent()
    return copy
  }

  /// They can be had twice, and getting one never waits for another program.
  var isRepeatable: Bool { list?.isRepeatable ?? true }

  /// The next ones are written out on the command line or in its documents.
  var isSpelledOut: Bool { !expandsArguments && !(urls.isEmpty && entries.isEmpty) }

  /// What the next ones are, for a message; nil if there are none.
  var rest: String? {
    if !urls.isEmpty || !entries.isEmpty { return "the rest of the URLs" }
    if case .argument = expansion { return "the rest of the URLs" }
    return (list?.name).map { "the rest of \($0)" }
  }

  /// The next one; nil at the end. May wait for whoever writes the list, if it is no file.
  mutating func next() -> Order? {
    while let order = nextOfAll() {
      defer { position += 1 }
      if shard?.takes(position) ?? true { return order }
    }
    return nil
  }

  private mutating func nextOfAll() -> Order? {
    while true {
      if let order = nextOfExpansion() { return order }
      if let url = urls.popFirst() {
        guard expandsArguments else { return .argument(url: url, values: []) }
        // Checked before; a command line that makes no sense does not get here.
        if let pattern = try? URLPattern(url) { expansion = .argument(pattern, next: 0) }
      } else if let entry = entries.popFirst() {
        return .described(entry)
      } else if let outcome = list?.next() {
        switch outcome {
        case .failure(let problem): return .mistaken(problem)
        case .success(let entry):
          guard usesPatterns else { return .listed(entry) }
          do throws(ListProblem) {
            expansion = .entry(entry, try Self.patterns(of: entry), next: 0)
          } catch {
            return .mistaken(error)
          }
        }
      } else {
        list = nil
        return nil
      }
    }
  }

  private mutating func nextOfExpansion() -> Order? {
    switch expansion {
    case nil: return nil
    case .argument(let pattern, let index):
      expansion = index + 1 < pattern.count ? .argument(pattern, next: index + 1) : nil
      let (url, values) = pattern[index]
      return .argument(url: url, values: values)
    case .entry(let entry, let patterns, let index):
      let all = patterns.map { $0[index] }
      expansion = index + 1 < patterns[0].count ? .entry(entry, patterns, next: index + 1) : nil
      return .listed(
        ListEntry(
          url: all[0].url, mirrors: all.dropFirst().map(\.url), line: entry.line, settings: entry.settings,
          values: all[0].values))
    }
  }

  private static func patterns(of entry: ListEntry) throws(ListProblem) -> [URLPattern] {
    var patterns: [URLPattern] = []
    for text in [entry.url] + entry.mirrors {
      do throws(UsageError) {
        patterns.append(try URLPattern(argument: text))
      } catch {
        throw ListProblem(line: entry.line, error)
      }
    }
    guard patterns.allSatisfy({ $0.count == patterns[0].count }) else {
      throw ListProblem(
        line: entry.line, "a mirror's pattern stands for another number of URLs",
        suggestion: "give all URLs of the line the same parts")
    }
    return patterns
  }
}
