import Sheaf
import Synchronization
import TestSupport
import Testing

/// A download's states as its user sees them, with real transfers.
@Suite("The states of a download")
struct StateTests {
  private static let entity = Entity(seed: 61, size: 40 << 20)

  private static var options: DownloadOptions {
    var options = DownloadOptions()
    options.durability = .off
    options.connections = 4
    options.checkpointInterval = .milliseconds(5)
    return options
  }

  /// Two requests bring 3 MiB each and fall silent, and no other is answered: never complete, however late the pause comes.
  private static let halfway = Behaviour.correct
    .stalling(after: 3 << 20, on: .first(2))
    .cut(.head(after: 0), .stall, on: .after(2))

  private func download(
    _ origin: Origin, in directory: TemporaryDirectory, name: String = "file.bin"
  ) throws -> Download {
    try Download(origin.url, to: .file(directory.file(name)), options: Self.options)
  }

  /// A download that has been paused in the middle, and its server, which serves all from now on.
  private func paused(_ origin: Origin, in directory: TemporaryDirectory) async throws -> Download {
    let download = try download(origin, in: directory)
    let (events, progress) = (download.events, download.progress)
    download.start()
    for await one in progress where one.bytes >= 2 << 20 { break }
    download.pause()
    #expect([.pausing, .paused].contains(download.state))
    await events.first(.paused)
    origin.serve(Self.entity)
    return download
  }

  @Test("pauses with all it has on the disk, and goes on in place")
  func pauses() async throws {
    let directory = try TemporaryDirectory()
    let origin = try Origin(entity: Self.entity, behaviour: Self.halfway)
    let download = try await paused(origin, in: directory)
    #expect(directory.names() == ["file.bin.part", "file.bin.sheaf"])
    #expect(download.result == nil)
    let events = download.events
    download.resume()
    let result = try await download.value
    #expect(result.resumedBytes > 0)
    #expect(result.resumedBytes + result.fetchedBytes - result.wastedBytes == Self.entity.size)
    #expect(Self.entity.matches(fileAt: directory.file("file.bin")))
    #expect(download.state == .finished)
    var progress: [DownloadEvent.Progress] = []
    var states: [Download.State] = []
    for await event in events {
      if case .progress(let one) = event { progress.append(one) }
      if case .state(let state) = event { states.append(state) }
    }
    #expect(progress.allSatisfy { $0.resumedBytes > 0 && $0.bytes >= $0.resumedBytes })
    #expect(states == [.executing, .finished])
  }

  @Test("resumed before it has stopped, it goes on all the same")
  func resumedAtOnce() async throws {
    let directory = try TemporaryDirectory()
    let origin = try Origin(entity: Self.entity, behaviour: Self.halfway)
    let download = try download(origin, in: directory)
    download.start()
    for await one in download.progress where one.bytes >= 2 << 20 { break }
    origin.serve(Self.entity)
    download.pause()
    download.resume()
    _ = try await download.value
    #expect(Self.entity.matches(fileAt: directory.file("file.bin")))
  }

  @Test("cancelled, it leaves nothing, or what there is; retried, it is fetched", arguments: [false, true])
  func cancels(keepingPartial: Bool) async throws {
    let directory = try TemporaryDirectory()
    let origin = try Origin(entity: Self.entity, behaviour: Self.halfway)
    let download = try download(origin, in: directory)
    download.start()
    for await one in download.progress where one.bytes >= 2 << 20 { break }
    download.cancel(keepingPartial: keepingPartial)
    let error = await error(of: download)
    #expect(error?.code == (keepingPartial ? .interrupted : .cancelled))
    #expect(download.state == .cancelled)
    #expect(directory.names() == (keepingPartial ? ["file.bin.part", "file.bin.sheaf"] : []))
    origin.serve(Self.entity)
    download.retry()
    let result = try await download.value
    #expect((result.resumedBytes > 0) == keepingPartial)
    #expect(Self.entity.matches(fileAt: directory.file("file.bin")))
  }

  @Test("cancelled while it is paused, it removes what there is")
  func cancelsPaused() async throws {
    let directory = try TemporaryDirectory()
    let origin = try Origin(entity: Self.entity, behaviour: Self.halfway)
    let download = try await paused(origin, in: directory)
    async let error = error(of: download)
    download.cancel()
    #expect(await error?.code == .cancelled)
    #expect(directory.names() == [])
    // Nothing is left to be removed.
    download.cancel()
    #expect(await self.error(of: download)?.code == .cancelled)
  }

  @Test("cancelled before it has begun, it touches no file")
  func cancelsReady() async throws {
    let directory = try TemporaryDirectory()
    try directory.write("mine", to: "file.bin.part")
    let origin = try Origin(entity: Self.entity)
    let download = try download(origin, in: directory)
    download.cancel()
    #expect(await error(of: download)?.code == .cancelled)
    download.start()
    #expect(download.state == .cancelled)
    #expect(directory.names() == ["file.bin.part"])
    #expect(origin.log.requests.isEmpty)
  }

  @Test("a finished file stays, whatever is asked")
  func finished() async throws {
    let directory = try TemporaryDirectory()
    let origin = try Origin(entity: Entity(seed: 62, size: 10_000))
    let download = try download(origin, in: directory)
    _ = try await download.value
    download.cancel()
    download.pause()
    download.retry()
    download.resume()
    #expect(download.state == .finished)
    #expect(try await download.value.bytes == 10_000)
    #expect(directory.names() == ["file.bin"])
  }

  @Test("what failed is tried again in place")
  func retries() async throws {
    let directory = try TemporaryDirectory()
    let origin = try Origin()
    let download = try Download(
      origin.url + "?token=secret", to: .file(directory.file("file.bin")), options: Self.options)
    let error = await error(of: download)
    #expect(error?.code == .notFound)
    #expect(error?.url == origin.url)
    #expect(download.state == .failed)
    #expect(await self.error(of: download)?.code == .notFound)
    origin.serve(Self.entity)
    download.retry()
    #expect(download.result == nil || download.state == .finished)
    _ = try await download.value
    #expect(Self.entity.matches(fileAt: directory.file("file.bin")))
  }

  @Test("cancelling the task that waits pauses the download")
  func cancelledTask() async throws {
    let directory = try TemporaryDirectory()
    let origin = try Origin(entity: Self.entity, behaviour: Self.halfway)
    let download = try download(origin, in: directory)
    let waiting = Task { await error(of: download) }
    for await one in download.progress where one.bytes >= 2 << 20 { break }
    waiting.cancel()
    #expect(await waiting.value?.code == .interrupted)
    #expect(download.state == .paused)
    #expect(directory.names() == ["file.bin.part", "file.bin.sheaf"])
    origin.serve(Self.entity)
    download.resume()
    #expect(try await download.value.resumedBytes > 0)
  }

  @Test("one of several who wait gives up, and the others go on waiting")
  func severalTasks() async throws {
    let directory = try TemporaryDirectory()
    let origin = try Origin(entity: Self.entity, behaviour: Self.halfway)
    let download = try download(origin, in: directory)
    let (first, second) = (Task { await error(of: download) }, Task { try await download.value })
    for await one in download.progress where one.bytes >= 2 << 20 { break }
    first.cancel()
    #expect(await first.value?.code == .interrupted)
    origin.serve(Self.entity)
    download.resume()
    #expect(try await second.value.bytes == Self.entity.size)
  }

  @Test("paused and resumed at random moments, it brings the right file", arguments: 0..<4)
  func random(seed: UInt64) async throws {
    var numbers = SeededGenerator(seed: seed)
    let directory = try TemporaryDirectory()
    let origin = try Origin(entity: Self.entity, behaviour: .correct.rate(8 << 20))
    let download = try download(origin, in: directory)
    download.start()
    for _ in 0..<25 {
      let progress = Int64.random(in: 0..<1 << 20, using: &numbers)
      let sent = origin.log.bytesSent
      // A step, or whatever is left of the file.
      _ = await origin.reached(seconds: 0.2) { $0.bytesSent >= sent + progress }
      if Bool.random(using: &numbers) { download.pause() }
      download.pause()
      if Bool.random(using: &numbers) { download.resume() }
      if Bool.random(using: &numbers) { download.pause() }
      download.resume()
    }
    let result = try await download.value
    #expect(result.bytes == Self.entity.size)
    #expect(Self.entity.difference(fromFileAt: directory.file("file.bin")) == nil)
    #expect(directory.names() == ["file.bin"])
  }

  @Test("closures hear of it in order, on the queue they asked for, and of the end once")
  func observes() async throws {
    let directory = try TemporaryDirectory()
    let origin = try Origin(entity: Self.entity, behaviour: .correct.redirecting(to: "/other.bin", on: .first(1)))
    origin.serve(Self.entity, at: "/other.bin")
    let download = try download(origin, in: directory)
    let queue = LabelledQueue()
    let heard = Mutex<[DownloadEvent]>([])
    let isElsewhere = Mutex(false)
    download.observe(on: queue.delivery) { event in
      if !queue.isCurrent { isElsewhere.withLock { $0 = true } }
      heard.withLock { $0.append(event) }
    }
    let ends = Mutex(0)
    let (stream, continuation) = AsyncStream.makeStream(of: Int64.self)
    download.whenEnded(on: queue.delivery) { result in
      ends.withLock { $0 += 1 }
      continuation.yield((try? result.get().bytes) ?? -1)
      continuation.finish()
    }
    download.start()
    for await bytes in stream { #expect(bytes == Self.entity.size) }
    _ = try await download.value
    #expect(ends.withLock { $0 } == 1)
    #expect(!isElsewhere.withLock { $0 })
    // Its last words may still be on their way to the queue.
    while !heard.withLock({ $0.contains { if case .state(.finished) = $0 { true } else { false } } }) {
      await Task.yield()
    }
    let events = heard.withLock { $0 }
    #expect(events.contains { if case .redirected(let url) = $0 { url.hasSuffix("/other.bin") } else { false } })
    #expect(events.contains { if case .started(let start) = $0 { start.total == Self.entity.size } else { false } })
  }

  @Test("later readers hear what comes, and a sequence ends with the download")
  func readers() async throws {
    let directory = try TemporaryDirectory()
    let origin = try Origin(entity: Entity(seed: 63, size: 10_000))
    let download = try download(origin, in: directory)
    let (first, second, progress) = (download.events, download.events, download.progress)
    _ = try await download.value
    for events in [first, second] {
      var states: [Download.State] = []
      for await event in events { if case .state(let state) = event { states.append(state) } }
      #expect(states == [.executing, .finished])
    }
    for await one in progress { #expect(one.total == 10_000) }
    for await _ in download.events { Issue.record("news after the end") }
  }

  @Test("a limit, its own or its queue's, may be lifted while it runs", arguments: [false, true])
  func limits(ofQueue: Bool) async throws {
    let directory = try TemporaryDirectory()
    let origin = try Origin(entity: Self.entity)
    let download = try download(origin, in: directory)
    let queue = DownloadQueue()
    // It would take half a day.
    if ofQueue { queue.bytesPerSecond = 1000 } else { download.bytesPerSecond = 1000 }
    queue.add(download)
    #expect(await origin.reached { $0.bytesSent > 0 })
    #expect(download.state == .executing)
    if ofQueue { queue.bytesPerSecond = nil } else { download.bytesPerSecond = nil }
    _ = try await download.value
    #expect(Self.entity.matches(fileAt: directory.file("file.bin")))
  }

  private func error(of download: Download) async -> DownloadError? {
    do throws(DownloadError) {
      _ = try await download.value
      return nil
    } catch {
      return error
    }
  }
}

extension Updates<DownloadEvent> {
  /// Waits until the download is in `state`.
  func first(_ state: Download.State) async {
    for await event in self { if case .state(state) = event { return } }
    Issue.record("never \(state)")
  }
}
