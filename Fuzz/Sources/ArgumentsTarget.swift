import Sheaf
import SheafCore

@testable import SheafCommand

/// F13. A command line, its arguments between line feeds: a usage error, or options that obey their bounds.
func fuzzArguments(_ input: Input) {
  // The kernel ends arguments at a NUL.
  let arguments = input.rest.split(separator: 10, omittingEmptySubsequences: false).map {
    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
  }
  do throws(UsageError) {
    switch try Invocation(parsing: arguments) {
    case .print(let text): require(!text.isEmpty, "prints nothing")
    case .inspect(let options): require(!options.path.isEmpty, "inspects nothing")
    case .verify(let options): require(!options.paths.isEmpty, "verifies nothing")
    case .status(let options): require(!options.directories.isEmpty, "lists nothing")
    case .repair(let options):
      require(!options.path.isEmpty && (options.url != nil || options.metalinkFile != nil), "repairs nothing")
      require(options.samples ?? 1 >= 1 && options.fetch.download.mirrors.count < 16, "\(options)")
    case .fetch(let options): check(options)
    }
  } catch {
    require(!error.message.isEmpty && !error.suggestion.isEmpty, "says nothing")
    for text in [error.message, error.suggestion] {
      require(!text.unicodeScalars.contains(where: isUnprintable), "an unprintable usage error")
    }
  }
}

private func check(_ options: CommandOptions) {
  require(!options.urls.isEmpty || !options.metalinkFiles.isEmpty || options.list != nil, "fetches nothing")
  require(
    options.metalinkFiles.isEmpty || options.download.headers.isEmpty, "header fields for whoever a document names")
  for url in options.urls {
    require(!url.unicodeScalars.contains { $0.value < 32 || $0.value == 127 }, "controls in a URL")
    let isHTTP = ["http:/", "https:"].contains(String(url.prefix(6)).lowercased())
    require(isHTTP || options.usesPatterns, "'\(url)' is accepted")
  }
  if let output = options.output {
    let count = options.urls.count + options.metalinkFiles.count
    let mayBeMany = options.usesPatterns && output.contains("#")
    require(
      !output.isEmpty && output != "-" && !output.hasSuffix("/") && (count == 1 || mayBeMany), "output '\(output)'")
  }
  require(options.directory != "", "an empty directory")
  require(options.concurrentDownloads >= 1, "\(options.concurrentDownloads) downloads at once")
  if let shard = options.shard { require((0..<shard.count).contains(shard.index), "\(shard)") }
  require(options.download.mirrors.count < 16 || options.keepsURLsApart, "too many places")
  if case .file(let path) = options.destination { require(!path.hasSuffix("/"), "'\(path)' is a directory") }
  check(options.download)
}

private func check(_ options: DownloadOptions) {
  require((1...256).contains(options.connections), "\(options.connections) connections")
  require(options.split ?? 1 >= 1 && options.minimumSplitSize ?? 1 >= 1, "split")
  require(options.maximumTries >= 0, "\(options.maximumTries) tries")
  let year = Duration.seconds(366 * 86_400)
  for time in [options.timeout, options.connectTimeout, options.checkpointInterval] {
    require(.zero < time && time <= year, "a time of \(time)")
  }
  require(.zero <= options.retryWait && options.retryWait <= year, "a wait of \(options.retryWait)")
  let separators = Set("()<>@,;:\\\"/[]?={} \t".utf8)
  for field in options.headers {
    require(!field.name.isEmpty, "a header field without a name")
    require(field.name.utf8.allSatisfy { (33...126).contains($0) && !separators.contains($0) }, "'\(field.name)'")
  }
  for value in options.headers.map(\.value) + [options.userAgent ?? ""] {
    require(!value.utf8.contains { $0 == 0 || $0 == 10 || $0 == 13 }, "a line break in a header field")
    require(value.utf8.first != 32 && value.utf8.last != 32, "blanks around '\(value)'")
  }
  require(options.userAgent != "" && options.certificateAuthorityFile != "", "an empty value")
}
