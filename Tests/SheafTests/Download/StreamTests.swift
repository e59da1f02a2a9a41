import SheafCore
import Synchronization
import TestSupport
import Testing

@testable import Sheaf

/// Reads a stream to its end, or as far as `enough` says, and compares every byte.
private struct ReadStream: Sendable {
  var bytes: Int64 = 0
  /// The first byte that was wrong.
  var difference: Int64?
  var failure: DownloadError?
  var largestChunk = 0
  let stream: ByteStream

  init(_ stream: ByteStream, of entity: Entity, from start: Int64 = 0, enough: Int64 = .max) async {
    self.stream = stream
    do throws(DownloadError) {
      var iterator = stream.makeAsyncIterator()
      while bytes < enough, let chunk = try await iterator.next() {
        let place = start + bytes
        if difference == nil,
          place + Int64(chunk.count) > entity.size
            || chunk != entity.bytes(in: place..<place + Int64(chunk.count))
        {
          difference = place
        }
        largestChunk = max(largestChunk, chunk.count)
        bytes += Int64(chunk.count)
      }
    } catch {
      failure = error
    }
  }
}

@Suite("Streams", .timeLimit(.minutes(2)))
struct StreamTests {
  private func options(_ configure: (inout DownloadOptions) -> Void = { _ in }) -> DownloadOptions {
    var options = DownloadOptions()
    options.timeout = .seconds(20)
    configure(&options)
    return options
  }

  @Test(
    "bring every byte in order, whatever the window",
    arguments: [(0, 64 << 20), (1, 1), (100_000, 4096), (3 << 20, 1 << 20), (40 << 20, 4 << 20), (40 << 20, 64 << 20)]
      as [(Int64, Int64)])
  func inOrder(size: Int64, window: Int64) async throws {
    let entity = Entity(seed: 31, size: size + (size > 1 ? 123 : 0))
    let origin = try Origin(entity: entity)
    let read = await ReadStream(try ByteStream(origin.url, window: window, options: options()), of: entity)
    #expect(read.failure == nil && read.difference == nil)
    #expect(read.bytes == entity.size)
    #expect(read.largestChunk <= 1 << 20)
    let result = try #require(read.stream.result)
    #expect(result.bytes == entity.size)
    if size > 30 << 20 { #expect(origin.log.concurrentConnectionsPeak > 1) }
  }

  @Test(
    "come from servers of all kinds",
    arguments: [
      "correct", "weak-etag", "no-validator", "ignores-ranges", "chunked", "close-delimited", "whole-file-206",
      "shorter-ranges", "closes-after-1m", "refuses-later-ranges", "redirects-once", "unknown-total",
      "at-most-4-connections", "last-modified-only",
    ], [1 << 20, 64 << 20] as [Int64])
  func servers(name: String, window: Int64) async throws {
    let entity = Entity(seed: 32, size: (20 << 20) + 77)
    let behaviour = try #require(NamedBehaviour.named(name)).behaviour(for: entity)
    let origin = try Origin(entity: entity, behaviour: behaviour)
    let stream = try ByteStream(origin.url, window: window, options: options { $0.timeout = .seconds(1) })
    let read = await ReadStream(stream, of: entity)
    #expect(read.difference == nil)
    if name == "closes-after-1m" && read.failure != nil {
      Issue.record("\(read.failure?.description ?? "")")
    }
    #expect(read.failure == nil, "\(read.failure?.description ?? "")")
    #expect(read.bytes == entity.size)
  }

  @Test(
    "begin where they are told to, also where the server knows no ranges", arguments: ["correct", "ignores-ranges"])
  func fromOffset(name: String) async throws {
    let entity = Entity(seed: 33, size: (12 << 20) + 5)
    let behaviour = try #require(NamedBehaviour.named(name)).behaviour(for: entity)
    let origin = try Origin(entity: entity, behaviour: behaviour)
    let start: Int64 = (5 << 20) + 3
    let stream = try ByteStream(origin.url, from: start, window: 1 << 20, options: options())
    let read = await ReadStream(stream, of: entity, from: start)
    #expect(read.failure == nil && read.difference == nil)
    #expect(read.bytes == entity.size - start)
    #expect(stream.result?.bytes == entity.size - start)
    let beyond = try ByteStream(origin.url, from: entity.size + 1, options: options())
    #expect(await ReadStream(beyond, of: entity).failure?.code == .badResponse)
    let atEnd = try ByteStream(origin.url, from: entity.size, options: options())
    let empty = await ReadStream(atEnd, of: entity)
    #expect(empty.failure == nil && empty.bytes == 0)
  }

  @Test(
    "a reader who waits holds everything up: no more than the window comes", arguments: ["correct", "ignores-ranges"])
  func backPressure(name: String) async throws {
    let entity = Entity(seed: 34, size: 96 << 20)
    let behaviour = try #require(NamedBehaviour.named(name)).behaviour(for: entity)
    let origin = try Origin(entity: entity, behaviour: behaviour)
    let window: Int64 = 8 << 20
    let stream = try ByteStream(origin.url, window: window, options: options())
    var iterator = stream.makeAsyncIterator()
    var position: Int64 = 0
    while let chunk = try await iterator.next() {
      #expect(chunk == entity.bytes(in: position..<position + Int64(chunk.count)))
      position += Int64(chunk.count)
      // What the sockets' buffers hold counts as sent, too.
      let inBuffers: Int64 = 40 << 20
      #expect(origin.log.bytesSent <= position + window + inBuffers)
    }
    #expect(position == entity.size)
  }

  @Test("a digest that is right is reported, and one that is wrong ends the stream after its last byte")
  func digests() async throws {
    let entity = Entity(seed: 35, size: 20 << 20)
    let origin = try Origin(entity: entity)
    let right = try Checksum(parsing: "sha-256=\(SheafCore.hexadecimal(entity.sha256()))")
    let stream = try ByteStream(origin.url, window: 2 << 20, options: options { $0.checksum = right })
    let read = await ReadStream(stream, of: entity)
    #expect(read.failure == nil && read.bytes == entity.size)
    #expect(stream.result?.verified == ["sha-256"])
    let wrong = try Checksum(parsing: "sha-256=\(String(repeating: "07", count: 32))")
    let other = try ByteStream(origin.url, window: 2 << 20, options: options { $0.checksum = wrong })
    let misread = await ReadStream(other, of: entity)
    #expect(misread.failure?.code == .checksum)
    #expect(misread.failure?.description.contains(".part") == false)
    #expect(misread.bytes == entity.size && misread.difference == nil)
    #expect(other.result == nil)
  }

  @Test("a file that changes after its first bytes have been read ends the stream, never with other bytes")
  func changes() async throws {
    let entity = Entity(seed: 36, size: 64 << 20)
    let origin = try Origin(entity: entity)
    let stream = try ByteStream(origin.url, window: 4 << 20, options: options())
    var iterator = stream.makeAsyncIterator()
    var position: Int64 = 0
    var failure: DownloadError?
    do throws(DownloadError) {
      while let chunk = try await iterator.next() {
        #expect(chunk == entity.bytes(in: position..<position + Int64(chunk.count)))
        position += Int64(chunk.count)
        if position > 8 << 20 { origin.serve(Entity(seed: 37, size: 64 << 20)) }
      }
    } catch {
      failure = error
    }
    #expect(failure?.code == .badResponse)
    #expect(failure?.message.contains("handed out") == true, "\(failure?.message ?? "")")
    #expect(position > 8 << 20 && position < 64 << 20)
  }

  @Test("letting go of the iterator, or cancelling the reader, ends all transfers", arguments: [true, false])
  func stops(isCancelled: Bool) async throws {
    let entity = Entity(seed: 38, size: 256 << 20)
    let origin = try Origin(entity: entity, behaviour: .correct.rate(1 << 20))
    let stream = try ByteStream(origin.url, options: options())
    if isCancelled {
      let reader = Task { await ReadStream(stream, of: entity) }
      #expect(await origin.reached(seconds: 60) { $0.bytesSent > 2 << 20 })
      reader.cancel()
      #expect(await reader.value.failure?.code == .interrupted)
    } else {
      let read = await ReadStream(stream, of: entity, enough: 1)
      #expect(read.failure == nil)
    }
    // News end when the run does.
    for await _ in stream.events {}
    #expect(origin.log.bytesSent < entity.size)
  }

  @Test(
    "numbers that make no sense are refused", arguments: [(-1, 1), (0, 0), (0, -5), (0, Int64.max)] as [(Int64, Int64)])
  func usage(start: Int64, window: Int64) {
    #expect(throws: DownloadError.self) { try ByteStream("http://127.0.0.1:1/", from: start, window: window) }
  }

  @Test("a server that is not there, and one that has no such file")
  func failures() async throws {
    let entity = Entity(seed: 39, size: 10)
    let gone = try ByteStream("http://127.0.0.1:\(try LoopbackSocket.freePort())/x", options: options())
    #expect(await ReadStream(gone, of: entity).failure?.code == .network)
    let origin = try Origin(entity: entity)
    let missing = try ByteStream(origin.url("/other"), options: options())
    #expect(await ReadStream(missing, of: entity).failure?.code == .notFound)
  }
}

@Suite("Reading a file while it comes", .timeLimit(.minutes(2)))
struct FileReaderTests {
  private func run(
    _ origin: Origin, _ directory: TemporaryDirectory, _ configure: (inout DownloadOptions) -> Void = { _ in }
  ) throws -> DownloadRun {
    var options = DownloadOptions()
    options.durability = .off
    configure(&options)
    let location = try Location(ofDownload: origin.url)
    return try DownloadRun(
      location, target: try Target(.file(directory.file("file.bin")), urlPath: ""), options: options,
      channel: EventHub())
  }

  @Test("the far end comes first for one who waits for it, and everything comes in the end")
  func urgent() async throws {
    let entity = Entity(seed: 41, size: 96 << 20)
    // Whoever asks for what comes before the end gets a little of it and no more.
    let early = Occasion { exchange in
      let first = exchange.request.headers["Range"]?.dropFirst("bytes=".count).prefix { $0 != "-" }
      return first.flatMap { Int64($0) } ?? 0 < 90 << 20
    }
    let origin = try Origin(entity: entity, behaviour: .correct.stalling(after: 2 << 20, on: early))
    let directory = try TemporaryDirectory()
    let run = try run(origin, directory) { options in
      options.connections = 2
      options.timeout = .seconds(2)
    }
    let outcome = Mutex<Result<DownloadResult, SheafCore.Failure>?>(nil)
    let (ended, continuation) = AsyncStream.makeStream(of: Void.self)
    run.start { result in
      outcome.withLock { $0 = result }
      continuation.finish()
    }
    let place = entity.size - 300_000
    #expect(try await run.bytes(in: ByteRange(place, place + 1000)) == entity.bytes(in: place..<place + 1000))
    #expect(outcome.withLock { $0 } == nil)
    // What there is of a range that reaches beyond the end.
    #expect(
      try await run.bytes(in: ByteRange(entity.size - 5, entity.size + 5))
        == entity.bytes(in: entity.size - 5..<entity.size))
    origin.serve(entity)
    for await _ in ended {}
    #expect(try outcome.withLock { $0 }?.get().bytes == entity.size)
    #expect(entity.difference(fromFileAt: directory.file("file.bin")) == nil)
    // From the finished file.
    #expect(try await run.bytes(in: ByteRange(7, 1007)) == entity.bytes(in: 7..<1007))
    #expect(try await run.bytes(in: ByteRange(entity.size, entity.size + 1)).isEmpty)
  }

  @Test("read from some offset on to the end, while it comes and from the finished file")
  func follows() async throws {
    let entity = Entity(seed: 42, size: (24 << 20) + 9)
    let origin = try Origin(entity: entity)
    let directory = try TemporaryDirectory()
    let run = try run(origin, directory)
    run.start { _ in }
    for start in [0, 10 << 20] as [Int64] {
      var position = start
      var generation: Int?
      while let next = try await run.bytes(from: position, atMost: 1 << 20, generation: generation) {
        #expect(next.bytes == entity.bytes(in: position..<position + Int64(next.bytes.count)))
        position += Int64(next.bytes.count)
        generation = next.generation
      }
      #expect(position == entity.size)
    }
  }

  @Test("those who wait hear of the failure, and of their own cancellation")
  func failures() async throws {
    let entity = Entity(seed: 43, size: 64 << 20)
    let origin = try Origin(entity: entity, behaviour: .correct.rate(100_000))
    let directory = try TemporaryDirectory()
    let run = try run(origin, directory)
    run.start { _ in }
    let place = entity.size - 1000
    let cancelled = Task { try await run.bytes(in: ByteRange(place - (20 << 20), entity.size)) }
    let waiting = Task { try await run.bytes(in: ByteRange(0, entity.size)) }
    #expect(await origin.reached(seconds: 60) { $0.bytesSent > 0 })
    cancelled.cancel()
    #expect(await cancelled.failureKind == .interrupted)
    await run.stop()
    #expect(await waiting.failureKind == .interrupted)
  }
}

extension Task where Success == [UInt8], Failure == any Error {
  fileprivate var failureKind: SheafCore.Failure.Kind? {
    get async {
      if case .failure(let error as SheafCore.Failure) = await result { error.kind } else { nil }
    }
  }
}
