import SheafCore

/// What a server says of a file before it is fetched.
public struct SourceDescription: Sendable {
  /// A digest that the server says the whole file has.
  public struct OfferedDigest: Hashable, Sendable {
    /// The digest.
    public let checksum: Checksum
    /// Where it stood, such as `Repr-Digest of example.org`.
    public let source: String
  }

  /// The URL that was asked for, without user information and query values.
  public let url: String
  /// Where redirects led from there, in the same form; the same if there were none.
  public let finalURL: String
  /// How many redirects that were.
  public let redirects: Int
  /// The name that a download into a directory would give the file.
  public let name: String
  /// The file's length in bytes; nil if the server does not tell.
  public let bytes: Int64?
  /// The server answers a request for a part with that part, so that several connections can share a file.
  public let answersRanges: Bool
  /// What can prove that two answers are of the same file.
  public let identity: IdentityStrength
  /// The ETag, if there is a usable one.
  public let entityTag: String?
  /// The Last-Modified date as the server wrote it, where there is no strong ETag.
  public let lastModified: String?
  /// The digests that the server offers and that do not contradict each other, the strongest first.
  public let digests: [OfferedDigest]
  /// Other places for the file that the server names (RFC 6249), the best first, without query values.
  public let mirrors: [String]
}

extension Download {
  /// Asks a server about a file with one request, whose body it does not read. Nothing is written anywhere.
  ///
  /// What may pass is tried again, as in a download. Cancelling the task ends it with `interrupted`.
  /// - Throws: `DownloadError`, with what a download of the URL would end with.
  public static func describe(
    _ url: String, options: DownloadOptions = DownloadOptions()
  ) async throws(DownloadError) -> SourceDescription {
    do throws(Failure) {
      try options.check()
      let location = try Location(ofDownload: url)
      let engine: Engine
      do throws(CurlFailure) {
        engine = try Engine.shared
      } catch {
        throw Failure(.unknown, "libcurl cannot start: \(error.message)")
      }
      let probe = Probe(
        location, settings: TransferSettings(options, for: location), options: options, loop: engine.home())
      let result = await withTaskCancellationHandler {
        do throws(Failure) {
          return Result<Probe.Answer, Failure>.success(try await probe.ask())
        } catch {
          return .failure(error)
        }
      } onCancel: {
        Task { await probe.cancel() }
      }
      return SourceDescription(location, try result.get())
    } catch {
      throw DownloadError(error)
    }
  }
}

extension SourceDescription {
  fileprivate init(_ location: Location, _ answer: Probe.Answer) {
    url = location.redacted
    finalURL = answer.location.redacted
    redirects = answer.hops
    name = fileName(fromURLPath: location.path)
    bytes = answer.identity.total
    answersRanges = answer.answersRanges
    identity = IdentityStrength(answer.identity.validator.strength)
    (entityTag, lastModified) =
      switch answer.identity.validator {
      case .strongTag(let tag): (printable(tag), nil)
      case .strongDate(let date): (nil, printable(date))
      case .weak(let tag, let date): (tag.map { printable($0) }, date.map { printable($0) })
      case .none: (nil, nil)
      }
    digests = answer.claims.consistent.map { claim in
      OfferedDigest(
        checksum: Checksum(claim.digest), source: claim.by(answer.location.origin.host).source ?? "the server")
    }
    mirrors = answer.mirrors.map(\.redacted)
  }
}
