import Sheaf

/// What a command line that fetches asks for.
struct CommandOptions: Sendable {
  /// How much is told.
  enum Verbosity: Sendable {
    /// Errors only.
    case quiet
    case normal
    /// Decisions and retries too.
    case verbose
  }

  var urls: [String] = []
  /// The file's path, relative to `directory` unless absolute.
  var output: String?
  var directory: String?
  /// How many downloads may be under way at once.
  var concurrentDownloads = 5
  var verbosity = Verbosity.normal
  /// Report in JSON on standard output.
  var json = false
  /// What each download is given.
  var download = DownloadOptions()

  /// Where the library puts the file.
  var destination: Destination {
    guard let output else { return .directory(directory ?? ".") }
    guard let directory, !output.hasPrefix("/") else { return .file(output) }
    return .file(directory.hasSuffix("/") ? directory + output : "\(directory)/\(output)")
  }
}

extension CommandOptions {
  /// Reads `operands` as URLs and checks what no single option can know.
  mutating func accept(_ operands: [String]) throws(UsageError) {
    guard !operands.isEmpty else {
      throw UsageError("no URL given", suggestion: "try sheaf https://... or sheaf --help")
    }
    for operand in operands {
      try checkURL(operand)
    }
    urls = operands
    if let output {
      guard urls.count == 1 else {
        throw UsageError(
          "one output name for \(urls.count) URLs", suggestion: "use -d DIR, or one command for each URL")
      }
      guard output != "-" else {
        throw UsageError("writing to standard output is not supported", suggestion: "give -o a file name")
      }
      guard !output.hasSuffix("/") else {
        throw UsageError("the output name ends with a slash", suggestion: "use -d for a directory")
      }
    }
    guard download.checksum == nil || urls.count == 1 else {
      throw UsageError("one checksum for \(urls.count) URLs", suggestion: "use one command for each URL")
    }
  }
}
