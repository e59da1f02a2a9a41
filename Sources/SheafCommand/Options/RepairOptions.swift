import Sheaf
import SheafCore

/// What `sheaf repair` is asked for.
struct RepairOptions: Sendable {
  /// The damaged or unfinished file.
  var path = ""
  /// Nil if the Metalink document is to say it.
  var url: String?
  var metalinkFile: String?
  /// How many blocks to compare with the source; nil for as many as usual.
  var samples: Int?
  /// What any command that fetches has.
  var fetch = CommandOptions()

  static func invocation(_ arguments: [String], in surroundings: Surroundings) throws(UsageError) -> Invocation {
    let parser = ArgumentParser(OptionTable.repairing)
    var options = RepairOptions()
    switch try parser.parse(arguments, into: &options) {
    case .request: return .print(Help.text(of: .repairing))
    case .operands(let operands):
      if let configuration = try surroundings.configuration(options.fetch.configuration, []) {
        var fetch = try configuration.base()
        _ = try ArgumentParser(OptionTable.fetching).parse(configuration.arguments, into: &fetch)
        if operands.count > 1 { fetch = try configuration.profiled(fetch, for: operands[1]) }
        // A name for all files, or a list, is nothing for one that is there.
        fetch.list = nil
        fetch.directory = nil
        fetch.metalinkFiles = []
        options = RepairOptions(fetch: fetch)
        _ = try parser.parse(arguments, into: &options)
      }
      try options.accept(operands)
      return .repair(options)
    }
  }

  private mutating func accept(_ operands: [String]) throws(UsageError) {
    guard let path = operands.first, !path.isEmpty else {
      throw UsageError("sheaf repair needs a file", suggestion: "try sheaf repair FILE URL")
    }
    guard !path.contains("://") else {
      throw UsageError("the file comes first, then its URL", suggestion: "try sheaf repair FILE URL")
    }
    guard operands.count > 1 || metalinkFile != nil else {
      let shown = printable(path)
      throw UsageError("nothing says where \(shown) comes from", suggestion: "try sheaf repair \(shown) URL")
    }
    let urls = operands.dropFirst()
    guard !urls.isEmpty || !fetch.download.hasSecrets else {
      throw UsageError(
        "header fields or passwords for a server that a Metalink document names", suggestion: "give the URL too")
    }
    for url in urls { try checkURL(url) }
    self.path = path
    url = urls.first
    fetch.download.mirrors = urls.dropFirst() + fetch.download.mirrors
    guard fetch.download.mirrors.count < 16 else {
      throw UsageError("\(fetch.download.mirrors.count + 1) URLs of one file", suggestion: "give the best 16")
    }
    try fetch.checkOutput()
  }
}

extension Option {
  /// The same for options of which `Options` is a part.
  func within<Whole>(_ path: any WritableKeyPath<Whole, Options> & Sendable) -> Option<Whole> {
    let form: Option<Whole>.Form =
      switch form {
      case .flag(let apply): .flag { apply(&$0[keyPath: path]) }
      case .toggle(let apply): .toggle { apply($0, &$1[keyPath: path]) }
      case .value(let placeholder, let apply):
        .value(placeholder) { argument, whole throws(UsageError) in try apply(argument, &whole[keyPath: path]) }
      case .request(.help): .request(.help)
      case .request(.version): .request(.version)
      }
    return Option<Whole>(names, scope: scope, group: group, help: help, form: form)
  }
}
