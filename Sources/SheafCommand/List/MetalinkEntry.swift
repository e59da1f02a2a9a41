import Sheaf
import SheafCore

/// One download of a Metalink document.
struct MetalinkEntry: Sendable {
  /// The best one.
  let url: String
  private let file: MetalinkDocument.File

  /// - Throws: `DownloadError` for a file that can be had from nowhere.
  init(_ file: MetalinkDocument.File, of document: String) throws(DownloadError) {
    guard let url = file.urls.first else {
      throw DownloadError(
        Failure(
          .metalink, "the Metalink document '\(printable(document))' has no http or https URL for '\(file.name)'"))
    }
    self.url = url
    self.file = file
  }

  /// Every download of the documents at `paths`, in their order.
  static func all(of paths: [String]) throws(DownloadError) -> [MetalinkEntry] {
    var entries: [MetalinkEntry] = []
    for path in paths {
      for file in try MetalinkDocument(path: path).files { entries.append(try MetalinkEntry(file, of: path)) }
    }
    return entries
  }

  /// The options of this download: those of the command line, with what the document says.
  func applied(to options: CommandOptions) -> CommandOptions {
    var own = options
    own.download = file.options(from: options.download)
    if own.output == nil { own.output = file.name }
    return own
  }
}

extension String {
  /// Whether an operand is a Metalink document and no URL.
  var isMetalinkOperand: Bool {
    let name = lowercased()
    return (name.hasSuffix(".meta4") || name.hasSuffix(".metalink")) && !contains("://")
  }
}
