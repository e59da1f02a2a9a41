import SheafCore

/// What it takes to go on with an unfinished download later, in another process, or from another URL: where its bytes
/// are and which file they belong to. The bytes themselves are in the part file, beside the target.
///
/// ```swift
/// download.pause()
/// let data = await download.resumeData
/// // … later …
/// let download = try Download(resuming: data)
/// ```
///
/// It may be stored anywhere, by `Codable` or as `bytes`, which is one JSON object:
///
/// ```json
/// {"sheaf":"resume","version":1,"url":"https://example.org/big.iso","path":"/home/me/big.iso","length":4294967296,
///  "etag":"\"5f-61\""}
/// ```
///
/// The URL is in it as it was given, with whatever secrets it has; header fields and passwords are not. Nothing in it is
/// believed: a download that is resumed compares what is on the disk, and what the server has, as any other does. Resume
/// data whose part file has gone starts over, with a warning.
public struct ResumeData: Hashable, Sendable {
  /// The URL as it was given.
  public let url: String
  /// The target's absolute path.
  public let path: String
  /// The whole file's length in bytes.
  public let length: Int64
  /// The strong ETag that the file had, as the server wrote it, if it had one.
  public let etag: String?
  /// The Last-Modified that the file had, as the server wrote it, if that was what it was known by.
  public let lastModified: String?

  init?(_ manifest: Manifest, url: String, path: String) {
    self.url = url
    self.path = path
    length = manifest.total
    switch manifest.validator {
    case .strongTag(let tag): (etag, lastModified) = (tag, nil)
    case .strongDate(let date): (etag, lastModified) = (nil, date)
    case .weak(let tag, let date): (etag, lastModified) = (tag, date)
    case .none: (etag, lastModified) = (nil, nil)
    }
  }

  /// Reads what `bytes` once gave.
  /// - Throws: `DownloadError` with code `invalidResumeData` for anything else.
  public init(bytes: some Collection<UInt8>) throws(DownloadError) {
    guard let object = JSON(parsing: bytes) else { throw Self.invalid("it is no JSON object") }
    guard object["sheaf"]?.stringValue == "resume" else { throw Self.invalid("it is not Sheaf's") }
    guard object["version"]?.integerValue == 1 else { throw Self.invalid("it is of another version") }
    guard let url = object["url"]?.stringValue, let path = object["path"]?.stringValue,
      let length = object["length"]?.integerValue
    else { throw Self.invalid("a member is missing or of another type") }
    for name in ["etag", "last-modified"] {
      if let value = object[name], value.stringValue == nil { throw Self.invalid("\(name) is no string") }
    }
    try self.init(
      url: url, path: path, length: length, etag: object["etag"]?.stringValue,
      lastModified: object["last-modified"]?.stringValue)
  }

  private init(url: String, path: String, length: Int64, etag: String?, lastModified: String?) throws(DownloadError) {
    guard path.utf8.first == UInt8(ascii: "/"), !path.utf8.contains(0) else {
      throw Self.invalid("its path is not absolute")
    }
    guard length > 0 else { throw Self.invalid("its length is \(length)") }
    do throws(Failure) {
      _ = try Location(ofDownload: url)
      _ = try Target(.file(path), urlPath: "")
    } catch {
      throw Self.invalid(error.message)
    }
    self.url = url
    self.path = path
    self.length = length
    self.etag = etag
    self.lastModified = lastModified
  }

  /// One JSON object in UTF-8, without a line break.
  public var bytes: [UInt8] {
    var members: [(name: String, value: JSON)] = [
      ("sheaf", .string("resume")), ("version", .integer(1)), ("url", .string(url)), ("path", .string(path)),
      ("length", .integer(length)),
    ]
    if let etag { members.append(("etag", .string(etag))) }
    if let lastModified { members.append(("last-modified", .string(lastModified))) }
    return Array(JSON.object(members).text.utf8)
  }

  private static func invalid(_ reason: String) -> DownloadError {
    DownloadError(
      .invalidResumeData, "the resume data cannot be used: \(reason)", suggestion: "start the download anew")
  }
}

extension ResumeData: Codable {
  private enum CodingKeys: String, CodingKey {
    case url, path, length, etag
    case lastModified = "last-modified"
  }

  /// Reads the members of the JSON object that `bytes` is.
  /// - Throws: `DecodingError`, or `DownloadError` with code `invalidResumeData` for values that make no sense.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      url: try container.decode(String.self, forKey: .url), path: try container.decode(String.self, forKey: .path),
      length: try container.decode(Int64.self, forKey: .length),
      etag: try container.decodeIfPresent(String.self, forKey: .etag),
      lastModified: try container.decodeIfPresent(String.self, forKey: .lastModified))
  }

  /// Writes the members of the JSON object that `bytes` is.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(url, forKey: .url)
    try container.encode(path, forKey: .path)
    try container.encode(length, forKey: .length)
    try container.encodeIfPresent(etag, forKey: .etag)
    try container.encodeIfPresent(lastModified, forKey: .lastModified)
  }
}

extension Download {
  /// Prepares to go on with what resume data stands for; nothing happens before `start()`.
  /// - Parameters:
  ///   - data: what an earlier download gave.
  ///   - url: where the file is now; nil for the URL that it was fetched from. Bytes are kept only if what is there proves to
  ///     be the same file.
  ///   - options: as they were the first time. They are not in the resume data.
  /// - Throws: `DownloadError` with code `usage` if the URL or an option makes no sense.
  public convenience init(
    resuming data: ResumeData, from url: String? = nil, options: DownloadOptions = DownloadOptions()
  ) throws(DownloadError) {
    var options = options
    options.continues = true
    options.expectsEarlierBytes = true
    try self.init(url ?? data.url, to: .file(data.path), options: options)
  }

  /// What it takes to go on later; nil as long as nothing is on the disk that could be continued. While the download runs
  /// it is as of the last checkpoint.
  public var resumeData: ResumeData? {
    get async {
      guard let manifest = await ManifestReader.manifest(of: target) else { return nil }
      return ResumeData(manifest, url: order.url, path: absolute(path))
    }
  }
}
