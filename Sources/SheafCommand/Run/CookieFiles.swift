import Sheaf

/// Where a run's cookies come from and go to.
struct CookieFiles: Sendable, Equatable {
  var source: String?
  var destination: String?

  /// The jar for the downloads to share; nil if no cookies are kept.
  func open() throws(UsageError) -> CookieJar? {
    guard source != nil || destination != nil else { return nil }
    do throws(DownloadError) {
      let jar = try CookieJar()
      if let source { try jar.load(source) }
      return jar
    } catch {
      throw UsageError(error.message, suggestion: error.suggestion ?? "see sheaf --help")
    }
  }
}

extension CommandOptions {
  /// These, with all that is to be read or started once for the whole run.
  func prepared() throws(UsageError) -> CommandOptions {
    var options = try readingNetrc().readingPassword().startingLimit()
    options.download.cookies = try cookies.open()
    return options
  }

  /// Writes what is to be kept of the run. Returns why that was not possible.
  func saveCookies() -> DownloadError? {
    guard let path = cookies.destination, let jar = download.cookies else { return nil }
    do throws(DownloadError) {
      try jar.save(to: path)
      return nil
    } catch {
      return error
    }
  }
}
