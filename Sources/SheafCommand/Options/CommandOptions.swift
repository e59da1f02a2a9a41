#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import Sheaf

/// What a command line that fetches asks for.
struct CommandOptions: Sendable {
  /// Where names and passwords come from.
  enum NetrcPlace: Sendable, Equatable {
    case home
    case file(String)
  }

  /// Where it is remembered how servers did.
  enum ServerPlace: Sendable, Equatable {
    case home
    case file(String)
    case nowhere
  }

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
  /// Metalink documents, each file of which is a download.
  var metalinkFiles: [String] = []
  /// The file's path, relative to `directory` unless absolute.
  var output: String?
  var directory: String?
  /// Bytes that are fetched ahead of who reads standard output; nil for as many as usual.
  var window: Int64?
  /// What goes to standard output is decoded: it is gzip.
  var decompresses = false
  var netrc: NetrcPlace?
  var servers = ServerPlace.home
  /// How many downloads may be under way at once.
  var concurrentDownloads = 16
  var verbosity = Verbosity.normal
  /// Say in the end what kept a download from being faster.
  var explains = false
  /// Report in JSON on standard output.
  var json = false
  /// What each download is given.
  var download = DownloadOptions()

  /// The file's bytes are the command's output.
  var isForStandardOutput: Bool { output == "-" }

  /// Where the library puts the file.
  var destination: Destination {
    guard let output else { return .directory(directory ?? ".") }
    guard let directory, !output.hasPrefix("/") else { return .file(output) }
    return .file(directory.hasSuffix("/") ? directory + output : "\(directory)/\(output)")
  }
}

extension CommandOptions {
  /// Reads `operands` as URLs and Metalink documents, and checks what no single option can know.
  mutating func accept(_ operands: [String]) throws(UsageError) {
    urls = operands.filter { !$0.isMetalinkOperand }
    metalinkFiles += operands.filter(\.isMetalinkOperand)
    guard !urls.isEmpty || !metalinkFiles.isEmpty || list != nil else {
      throw UsageError("no URL given", suggestion: "try sheaf https://... or sheaf --help")
    }
    for url in urls {
      try checkURL(url)
    }
    try checkOutput(mayBeStandard: true)
    try check(count: urls.count + metalinkFiles.count)
    guard metalinkFiles.isEmpty || download.headers.isEmpty else {
      throw UsageError(
        "header fields for servers that a Metalink document names",
        suggestion: "use --netrc, which tells each server its own password alone, or give the URL instead")
    }
  }

  /// Refuses what makes sense for one download alone.
  /// - Parameter count: how many there are besides those of the list, as far as is known.
  func check(count: Int) throws(UsageError) {
    guard count > 1 || list != nil else { return }
    let isList = list != nil
    let several = isList ? "a list" : metalinkFiles.isEmpty ? "\(count) URLs" : "\(count) files"
    guard output == nil else {
      throw UsageError(
        "one output name for \(several)",
        suggestion: isList ? "use -d DIR, or out= in the list" : "use -d DIR, or one command for each URL")
    }
    guard download.mirrors.isEmpty else {
      throw UsageError(
        "mirrors of one file for \(several)",
        suggestion: isList
          ? "put all URLs of a file on one line, with TABs between" : "use one command for each file")
    }
    guard download.checksum == nil else {
      throw UsageError(
        "one checksum for \(several)",
        suggestion: isList ? "use checksum= in the list" : "use one command for each URL")
    }
  }

  /// Refuses output names that name no file.
  /// - Parameter mayBeStandard: whether the bytes may go to standard output.
  func checkOutput(mayBeStandard: Bool = false) throws(UsageError) {
    guard isForStandardOutput || window == nil && !decompresses else {
      throw UsageError(
        "\(decompresses ? "--decompress" : "--window") is for standard output", suggestion: "use it with -o -")
    }
    guard let output else { return }
    guard !isForStandardOutput else {
      guard mayBeStandard, list == nil else {
        throw UsageError("standard output takes one URL of the command line", suggestion: "give a file name")
      }
      guard metalinkFiles.isEmpty, directory == nil else {
        throw UsageError(
          "\(directory == nil ? "a Metalink document" : "a directory") makes no sense with standard output",
          suggestion: "give a file name, or one URL")
      }
      return
    }
    guard !output.hasSuffix("/") else {
      throw UsageError("the output name ends with a slash", suggestion: "give the directory by itself")
    }
  }
}

extension CommandOptions {
  /// These, with the netrc file read, if one is to be used.
  func readingNetrc() throws(UsageError) -> CommandOptions {
    let path: String
    switch netrc {
    case nil: return self
    case .file(let name): path = name
    case .home:
      guard let home = getenv("HOME") else { throw UsageError("there is no HOME", suggestion: "use --netrc-path FILE") }
      path = String(cString: home) + "/.netrc"
    }
    var options = self
    do throws(DownloadError) {
      options.download.netrc = try Netrc(path: path)
    } catch {
      throw UsageError(error.message, suggestion: error.suggestion ?? "see sheaf --help")
    }
    return options
  }
}
