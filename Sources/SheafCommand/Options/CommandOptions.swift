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
  /// The list with more of them; `-` is standard input.
  var list: String?
  /// The file's path, relative to `directory` unless absolute.
  var output: String?
  var directory: String?
  /// How many downloads may be under way at once.
  var concurrentDownloads = 16
  var verbosity = Verbosity.normal
  /// Say in the end what kept a download from being faster.
  var explains = false
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
    guard !operands.isEmpty || list != nil else {
      throw UsageError("no URL given", suggestion: "try sheaf https://... or sheaf --help")
    }
    for operand in operands {
      try checkURL(operand)
    }
    urls = operands
    let several = list == nil ? "\(urls.count) URLs" : "a list"
    if output != nil, urls.count > 1 || list != nil {
      throw UsageError(
        "one output name for \(several)",
        suggestion: list == nil ? "use -d DIR, or one command for each URL" : "use -d DIR, or out= in the list")
    }
    try checkOutput()
    guard download.checksum == nil || (urls.count == 1 && list == nil) else {
      throw UsageError(
        "one checksum for \(several)",
        suggestion: list == nil ? "use one command for each URL" : "use checksum= in the list")
    }
  }

  /// Refuses output names that name no file.
  func checkOutput() throws(UsageError) {
    guard let output else { return }
    guard output != "-" else {
      throw UsageError("writing to standard output is not supported", suggestion: "give a file name")
    }
    guard !output.hasSuffix("/") else {
      throw UsageError("the output name ends with a slash", suggestion: "give the directory by itself")
    }
  }
}
