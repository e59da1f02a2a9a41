import SheafCore

/// What a Metalink document, of version 4 (RFC 5854) or 3, says of the files it describes.
///
/// ```swift
/// let document = try MetalinkDocument(path: "big.iso.meta4")
/// for file in document.files {
///   guard let url = file.urls.first else { continue }
///   let download = try Download(url, to: .file(file.name), options: file.options())
///   print(try await download.value.path)
/// }
/// ```
///
/// It is as trustworthy as the way the document came.
public struct MetalinkDocument: Hashable, Sendable {
  /// One file that the document describes.
  public struct File: Hashable, Sendable {
    /// A safe file name without directories, whatever the document says; no other file of the document has it.
    public var name: String { described.name }
    /// Its length in bytes, if the document says.
    public var size: Int64? { described.size }
    /// Where it is, the best first, each once and at most 16: http and https URLs. They may hold passwords.
    public let urls: [String]

    let described: Metalink.File

    init(_ described: Metalink.File) {
      self.described = described
      var urls: [String] = []
      for source in described.sources where urls.count < Self.mostURLs && !urls.contains(source.url) {
        if (try? Location(ofDownload: source.url)) != nil { urls.append(source.url) }
      }
      self.urls = urls
    }
  }

  /// In the document's order, at least one.
  public let files: [File]

  private let metalink: Metalink

  /// Reads a document.
  /// - Throws: `DownloadError` with code `metalink`.
  public init(_ bytes: [UInt8]) throws(DownloadError) {
    try self.init("the Metalink document") { () throws(Failure) in bytes }
  }

  /// Reads the document at a path, of at most 32 MiB. Blocks as long as the disk takes.
  /// - Throws: `DownloadError` with code `metalink`, also if the file cannot be read.
  public init(path: String) throws(DownloadError) {
    try self.init("the Metalink document '\(printable(path))'") { () throws(Failure) in try MetalinkReader.read(path) }
  }

  private init(_ name: String, read: () throws(Failure) -> [UInt8]) throws(DownloadError) {
    do throws(Failure) {
      let bytes = try read()
      do throws(MetalinkProblem) {
        metalink = try parseMetalink(bytes)
      } catch {
        throw Failure(.metalink, "\(name) \(error)")
      }
      files = metalink.files.map { File($0) }
    } catch {
      throw DownloadError(error)
    }
  }

  /// The file that one of these names means, the first name that fits; the only one whatever it is called.
  func file(named names: [String]) -> File? { metalink.file(named: names).map { File($0) } }
}

extension MetalinkDocument.File {
  /// One download asks no more than these.
  private static let mostURLs = 16

  /// The options for a download from the first URL: `base`, with the other URLs as mirrors after those it has, the length
  /// and the digests of the pieces that the file must have, and the strongest digest of the whole, unless `base` has one or
  /// a file with some.
  public func options(from base: DownloadOptions = DownloadOptions()) -> DownloadOptions {
    var options = sourced(base)
    options.pieces = described.pieces
    options.expectedBytes = described.size
    return options
  }

  /// `base` with the mirrors and the digest alone.
  func sourced(_ base: DownloadOptions) -> DownloadOptions {
    var options = base
    let others = urls.dropFirst().filter { !base.mirrors.contains($0) }
    options.mirrors += others.prefix(max(0, Self.mostURLs - 1 - base.mirrors.count))
    if base.checksum == nil, base.checksumFile == nil, let digest = described.digests.first {
      options.checksum = Checksum(digest)
    }
    return options
  }
}
