import SheafCore

extension Download {
  /// The file's bytes in order from `start` on, as they come, and to the file as well.
  ///
  /// The download is started if it has not been, and goes on if readers do not: what they have not read is on the disk. While
  /// there is a reader, what it waits for is fetched first. Any number may read at once, while the download runs and after it
  /// has finished. What is read before the download has ended has not been compared with the file's digest.
  /// - Parameter start: an offset in bytes, from 0. Beyond the end of the file there is nothing to read.
  public func bytes(from start: Int64 = 0) -> FileBytes { FileBytes(download: self, start: max(0, start)) }

  /// All bytes of `range`, or as many of them as the file has, which are fetched before all others: the directory at
  /// the end of an archive, a header. The download is started if it has not been; while it is paused, this waits.
  /// - Parameter range: half-open, in bytes.
  /// - Throws: `DownloadError`: how the download failed, if it did before the bytes were there; `interrupted` if the waiting
  ///   task is cancelled.
  public func read(_ range: Range<Int64>) async throws(DownloadError) -> [UInt8] {
    let range = ByteRange(max(0, range.lowerBound), max(0, range.lowerBound, range.upperBound))
    return try await reading { run throws(SheafCore.Failure) in
      try await run.bytes(in: range)
    } finished: { file throws(SheafCore.Failure) in
      try await file.bytes(in: range)
    }
  }

  /// Calls `body` with the run under way, as soon as there is one, or `finished` once the file is complete.
  func reading<Result>(
    _ body: (DownloadRun) async throws(SheafCore.Failure) -> Result,
    finished: (FinishedDownload) async throws(SheafCore.Failure) -> Result
  ) async throws(DownloadError) -> Result {
    while true {
      guard !Task.isCancelled else { throw .stopped }
      let news = hub.eventReader(hearsEarlier: false)
      if state == .ready { start() }
      let (run, result, isOver) = life.withLock { ($0.run, $0.outcome, $0.lifecycle.isOver) }
      do throws(SheafCore.Failure) {
        if isOver, let result {
          switch result {
          case .success(let file): return try await finished(FinishedDownload(target: target, length: file.bytes))
          case .failure(let error): throw SheafCore.Failure(error)
          }
        }
        if let run { return try await body(run) }
      } catch {
        // Paused, it goes on some time.
        guard error.kind == .interrupted, !isOver, !Task.isCancelled else { throw DownloadError(error) }
      }
      while let event = await news.next() { if case .state = event { break } }
    }
  }
}

/// The bytes of a download's file, in order.
public struct FileBytes: AsyncSequence, Sendable {
  /// Up to 1 MiB of the file, at least one byte.
  public typealias Element = [UInt8]
  /// How the download failed.
  public typealias Failure = DownloadError

  let download: Download
  let start: Int64

  /// Makes an iterator, which reads from the start.
  public func makeAsyncIterator() -> Iterator { Iterator(download: download, offset: start) }

  /// Waits for one chunk after the other.
  public struct Iterator: AsyncIteratorProtocol {
    static let largestChunk = 1 << 20

    let download: Download
    var offset: Int64
    private var run: ObjectIdentifier?
    private var generation: Int?
    /// Whose bytes were read before.
    private var identity: Identity?

    init(download: Download, offset: Int64) {
      self.download = download
      self.offset = offset
    }

    /// The next chunk; nil at the end of the file, once the download has finished.
    /// - Throws: how the download failed; `badResponse` if the file has changed since the first chunk; `interrupted` if
    ///   the waiting task is cancelled.
    public mutating func next() async throws(DownloadError) -> [UInt8]? {
      let (offset, lastRun, generation, identity) = (offset, run, generation, identity)
      let next = try await download.reading { run throws(SheafCore.Failure) in
        let isSame = lastRun == ObjectIdentifier(run)
        let chunk = try await run.bytes(
          from: offset, atMost: Self.largestChunk, generation: isSame ? generation : nil)
        let found = await run.machine.identityInForce
        if !isSame, let identity, found?.difference(from: identity) != nil || found?.validator.strength != .strong {
          throw .changed
        }
        return Chunk(bytes: chunk?.bytes, generation: chunk?.generation, run: ObjectIdentifier(run), identity: found)
      } finished: { file throws(SheafCore.Failure) in
        let end = Swift.min(file.length, offset + Int64(Self.largestChunk))
        let bytes = offset < end ? try await file.bytes(in: ByteRange(offset, end)) : []
        return Chunk(bytes: bytes.isEmpty ? nil : bytes, generation: generation, run: lastRun, identity: identity)
      }
      guard let bytes = next.bytes else { return nil }
      self.offset += Int64(bytes.count)
      (run, self.generation, self.identity) = (next.run, next.generation, next.identity)
      return bytes
    }

    /// The same; the isolation makes no difference.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(DownloadError) -> [UInt8]? {
      try await next()
    }

    private struct Chunk {
      let bytes: [UInt8]?
      let generation: Int?
      let run: ObjectIdentifier?
      let identity: Identity?
    }
  }
}

/// The file of a download that has finished.
struct FinishedDownload: Sendable {
  let target: Target
  let length: Int64

  func bytes(in range: ByteRange) async throws(Failure) -> [UInt8] {
    let range = ByteRange(min(range.lower, length), min(range.upper, length))
    guard !range.isEmpty else { return [] }
    let engine: Engine
    do throws(CurlFailure) { engine = try Engine.shared } catch {
      throw Failure(.unknown, "libcurl cannot start: \(error.message)")
    }
    return try await PartReader(thread: engine.hashing).read(range, of: nil, or: target, in: engine.files)
  }
}

extension Failure {
  fileprivate static let changed = Failure(
    .badResponse, "the file changed on the server after its first bytes had been handed out",
    suggestion: "throw them away and start over")

  /// Back again.
  fileprivate init(_ error: DownloadError) {
    self.init(Kind(rawValue: error.code.rawValue) ?? .interrupted, error.message, suggestion: error.suggestion)
  }
}
