#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif
import Sheaf
import SheafCore

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

  /// How it is shown where downloads stand.
  enum ProgressStyle: String, CaseIterable, Sendable {
    /// A line that is redrawn, on a terminal only.
    case bar
    /// A line now and then.
    case plain
    /// JSON objects on standard error.
    case json
    case none
  }

  var urls: [String] = []
  /// URLs are patterns, each of which stands for many.
  var usesPatterns = false
  /// Of the pattern that a download's URL was made from.
  var patternValues: [String] = []
  /// Each URL of the command line is a file of its own; else they are places of one file.
  var keepsURLsApart = true
  /// The part of all downloads that this run carries out.
  var shard: Shard?
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
  /// News are told in the shape of aria2's console.
  var speaksAria2 = false
  /// Nil for a bar, and where that cannot be, nothing.
  var progress: ProgressStyle?
  /// How often a line says where everything stands; zero for never, nil for what goes with the style.
  var summaryInterval: Duration?
  /// The file that everything is told to, with the time.
  var log: String?
  /// Ask about the files, and fetch none.
  var isDryRun = false
  /// Report in JSON on standard output.
  var json = false
  var overallLimit = OverallLimit()
  var cookies = CookieFiles()
  /// Where the password comes from, if not from the command line.
  var password: PasswordPlace?
  /// A name was given alone.
  var lacksPassword = false
  /// The programs to run when something happens.
  var hooks = Hooks()
  /// What hooks and the session call the download.
  var gid: GID?
  /// The list that what is not finished is written into.
  var sessionFile: String?
  /// How often, besides in the end; zero for never.
  var sessionInterval = Duration.zero
  /// Where the configuration file is looked for.
  var configuration = Configuration.Place.home
  /// What these options were made from; profiles for hosts are among it.
  var layers = Configuration.empty
  /// What was read or started once, for every download of the run.
  private(set) var preparations: [@Sendable (inout DownloadOptions) -> Void] = []
  /// What each download is given.
  var download = DownloadOptions()

  /// The file's bytes are the command's output.
  var isForStandardOutput: Bool { output == "-" }

  /// Changes what every download is given, also those whose host has a profile.
  mutating func prepare(_ change: @escaping @Sendable (inout DownloadOptions) -> Void) {
    change(&download)
    preparations.append(change)
  }

  /// Where the library puts the file.
  var destination: Destination {
    guard let named = output else { return .directory(directory ?? ".") }
    let output = URLPattern.substituted(patternValues, in: named)
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
    try checkURLs()
    try checkOutput(mayBeStandard: true)
    try check(count: try argumentCount() + metalinkFiles.count)
    guard metalinkFiles.isEmpty || !download.hasSecrets else {
      throw UsageError(
        "header fields or passwords for servers that a Metalink document names",
        suggestion: "use --netrc, which tells each server its own password alone, or give the URL instead")
    }
  }

  /// Looks at the URLs. Those that are places of one file become one with mirrors.
  private mutating func checkURLs() throws(UsageError) {
    var places: [String] = []
    for url in urls {
      guard usesPatterns else {
        try checkURL(url)
        places.append(url)
        continue
      }
      let pattern = try URLPattern(argument: url)
      try checkURL(pattern[0].url)
      if !keepsURLsApart { places += (0..<min(pattern.count, Self.mostPlaces + 1)).map { pattern[$0].url } }
    }
    guard !keepsURLsApart, let first = places.first else { return }
    urls = [first]
    download.mirrors = places.dropFirst() + download.mirrors
    guard download.mirrors.count < Self.mostPlaces else {
      throw UsageError("too many URLs of one file", suggestion: "give the best \(Self.mostPlaces)")
    }
  }

  /// One download asks no more than these.
  private static let mostPlaces = 16

  /// How many downloads the URLs stand for.
  func argumentCount() throws(UsageError) -> Int {
    guard usesPatterns, keepsURLsApart else { return urls.count }
    var count = 0
    for url in urls { count += try URLPattern(argument: url).count }
    return count
  }

  /// Refuses what makes sense for one download alone.
  /// - Parameter count: how many there are besides those of the list, as far as is known.
  func check(count: Int) throws(UsageError) {
    guard count > 1 || list != nil else { return }
    let isList = list != nil
    let several = isList ? "a list" : metalinkFiles.isEmpty ? "\(count) URLs" : "\(count) files"
    guard output == nil || usesPatterns && output?.contains("#") == true else {
      throw UsageError(
        "one output name for \(several)",
        suggestion: isList
          ? "use -d DIR, or out= in the list"
          : usesPatterns
            ? "put #1 into it, for what the first part stands for" : "use -d DIR, or one command for each URL")
    }
    guard download.mirrors.isEmpty else {
      throw UsageError(
        "mirrors of one file for \(several)",
        suggestion: isList
          ? "put all URLs of a file on one line, with TABs between" : "use one command for each file")
    }
    guard gid == nil else {
      throw UsageError("one gid for \(several)", suggestion: "leave it out, or use gid= in a list")
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
      let netrc = try Netrc(path: path)
      options.prepare { $0.netrc = netrc }
    } catch {
      throw UsageError(error.message, suggestion: error.suggestion ?? "see sheaf --help")
    }
    return options
  }
}
