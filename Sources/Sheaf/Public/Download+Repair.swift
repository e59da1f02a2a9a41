import SheafCore

/// What repairing a file may go by, besides the file itself and what the source has.
public struct RepairEvidence: Sendable {
  /// The digests of the file's pieces and of the whole, its size, its sources.
  public var metalink: MetalinkDocument?

  /// How many blocks to compare with the source where nothing proves them, 1 or more; nil for as many as usual.
  public var samples: Int?

  /// No evidence.
  public init() {}
}

extension Download {
  /// Prepares the repair of a damaged, truncated or unfinished file, whatever has fetched it; nothing happens before
  /// `start()` or `value`.
  ///
  /// What is good in it is kept and the rest is fetched. Until the new file is complete and takes its place in one step,
  /// the old one stays as it is. A file that is right already is left alone.
  /// - Parameters:
  ///   - path: the damaged file.
  ///   - url: the source; nil for the best ones that the Metalink document has. `DownloadOptions.mirrors` has others.
  ///   - destination: where the result goes; nil for the place of the damaged file.
  ///   - evidence: what tells good bytes from bad ones, besides the source.
  ///   - options: as for any download.
  /// - Throws: `DownloadError` with code `usage` if an argument makes no sense, `metalink` if the document does not.
  public convenience init(
    repairing path: String, from url: String?, to destination: Destination? = nil,
    evidence: RepairEvidence = RepairEvidence(), options: DownloadOptions = DownloadOptions()
  ) throws(DownloadError) {
    do throws(Failure) {
      try options.check()
      guard evidence.samples ?? 1 >= 1 else { throw Failure(.usage, "at least one block must be compared") }
      let damaged = try Target(.file(path), urlPath: "")
      let described = try evidence.file(named: [damaged.name] + [url].compactMap { $0.flatMap(Self.name) })
      guard let url = url ?? described?.urls.first else {
        throw Failure(.usage, "nothing says where the file comes from", suggestion: "give its URL")
      }
      let location = try Location(ofDownload: url)
      var options = options
      if let described {
        let mirrors = options.mirrors
        options = described.sourced(options)
        // Of a URL that the document does not have first, only the user says where else its file is.
        if url != described.urls.first { options.mirrors = mirrors }
      }
      let target: Target
      if let destination {
        target = try Target(destination, urlPath: location.path)
      } else {
        target = damaged
        options.overwrites = true
      }
      let order = RepairOrder(
        damaged: damaged, pieces: described?.described.pieces, size: described?.size, samples: evidence.samples)
      self.init(location, target: target, options: options, repairing: order)
    } catch {
      throw DownloadError(error)
    }
  }

  private static func name(ofURL url: String) -> String? {
    (try? Location(ofDownload: url)).map { fileName(fromURLPath: $0.path) }
  }
}

extension RepairEvidence {
  /// What the document says of the file, if there is a document.
  fileprivate func file(named names: [String]) throws(Failure) -> MetalinkDocument.File? {
    guard let document = metalink else { return nil }
    guard let file = document.file(named: names) else {
      throw Failure(
        .metalink, "the Metalink document describes several files, and none is called \(printable(names[0]))",
        suggestion: "rename the file as it is called there")
    }
    return file
  }
}
