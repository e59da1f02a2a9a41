import Sheaf

extension CommandOptions {
  /// The options of an entry whose download is made at once, which looks at the URL: a second look is only taken where
  /// the URL's problem must be told before those of the lines below it.
  func making(_ entry: ListEntry) throws(ListProblem) -> CommandOptions {
    entry.changesOptions ? try applying(entry) : self
  }

  /// The options of one entry: these, with what its own lines change.
  func applying(_ entry: ListEntry) throws(ListProblem) -> CommandOptions {
    do throws(UsageError) {
      for url in [entry.url] + entry.mirrors { try checkURL(url) }
    } catch {
      throw ListProblem(line: entry.line, error)
    }
    guard entry.changesOptions else { return self }
    var options = self
    options.patternValues = entry.values
    options.download.mirrors += entry.mirrors
    for setting in entry.settings {
      do throws(UsageError) {
        try Self.listParser.apply(setting.text, to: &options)
        try options.checkOutput()
      } catch {
        throw ListProblem(line: setting.line, error)
      }
    }
    return options
  }

  private static let listParser = ArgumentParser(OptionTable.fetching.filter { $0.scope == .download })
}

extension ListEntry {
  fileprivate var changesOptions: Bool { !settings.isEmpty || !mirrors.isEmpty || !values.isEmpty }
}

extension ListProblem {
  init(line: Int, _ error: UsageError) {
    self.init(line: line, error.message, suggestion: error.suggestion)
  }

  init(line: Int, _ error: DownloadError) {
    self.init(line: line, error.message, suggestion: error.suggestion ?? "see sheaf --help")
  }
}
