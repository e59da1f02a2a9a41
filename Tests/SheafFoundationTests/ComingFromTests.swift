import Foundation
import SheafFoundation
import Synchronization
import TestSupport
import Testing

/// The rows of docs/coming-from.md.
@Suite("Coming from elsewhere", .serialized)
struct ComingFromTests {
  private static let entity = Entity(seed: 111, size: 40 << 20)
  /// Two requests bring 3 MiB each and fall silent, and no other is answered: never complete, however late the pause comes.
  private static let slow = Behaviour.correct
    .stalling(after: 3 << 20, on: .first(2))
    .cut(.head(after: 0), .stall, on: .after(2))

  private static var options: DownloadOptions {
    var options = DownloadOptions()
    options.durability = .off
    options.connections = 2
    options.checkpointInterval = .milliseconds(5)
    return options
  }

  private func some(of download: Download) async {
    for await progress in download.progress where progress.bytes >= 2 << 20 { return }
  }

  @Test(
    "1. operation and queue of one at a time: continued by Range, earlier bytes counted, pause, resume, cancel, membership"
  )
  func operationAndQueue() async throws {
    let (origin, directory) = (try Origin(entity: Self.entity, behaviour: Self.slow), try TemporaryDirectory())
    origin.serve(Entity(seed: 112, size: 1000), at: "/second")
    let queue = DownloadQueue(maximumConcurrentDownloads: 1)
    let url = try #require(URL(string: origin.url))
    let first = try Download(url, to: .file(directory.file("first")), options: Self.options)
    let second = try Download(
      origin.url("/second"), to: .file(directory.file("second")), options: Self.options)
    #expect(first.state == .ready)
    queue.add(first)
    queue.add(second)
    #expect(first.state == .executing && second.state == .waiting)
    #expect(queue.contains(first) && queue.contains(second))
    await some(of: first)
    first.pause()
    _ = try await second.value
    #expect(!queue.contains(second) && queue.contains(first))
    #expect(first.state == .paused)
    origin.serve(Self.entity)
    let events = first.events
    first.resume()
    let result = try await first.value
    #expect(result.resumedBytes > 0)
    #expect(!queue.contains(first))
    var starts: [Int64] = []
    for await event in events {
      if case .progress(let progress) = event { #expect(progress.bytes >= progress.resumedBytes) }
      if case .started(let start) = event { starts.append(start.resumedBytes) }
    }
    #expect(starts.last == result.resumedBytes)
    // The first request after the pause asked for what was missing, of the same file.
    #expect(origin.log.requests.contains { $0.headers["If-Range"] != nil })

    let third = try Download(origin.url("/third"), to: .file(directory.file("third")), options: Self.options)
    origin.serve(Self.entity, behaviour: Self.slow, at: "/third")
    queue.add(third)
    await some(of: third)
    queue.cancelAll()
    #expect(queue.isEmpty)
    await #expect(throws: DownloadError.self) { try await third.value }
    #expect(third.state == .cancelled)
    #expect(directory.names() == ["first", "second"])
  }

  @Test(
    "2. resumed after the program was restarted; asking again for a complete file changes nothing",
    arguments: ["f.mp3", "f.zip"])
  func restarted(name: String) async throws {
    let (origin, directory) = (try Origin(entity: Self.entity, behaviour: Self.slow), try TemporaryDirectory())
    let earlier = try Download(origin.url, to: .file(directory.file(name)), options: Self.options)
    earlier.start()
    await some(of: earlier)
    earlier.cancel(keepingPartial: true)
    _ = try? await earlier.value
    origin.serve(Self.entity)
    let result = try await Download(origin.url, to: .file(directory.file(name)), options: Self.options).value
    #expect(result.resumedBytes > 0)
    #expect(Self.entity.matches(fileAt: directory.file(name)))
    origin.clearLog()
    let again = try await Download(origin.url, to: .file(directory.file(name)), options: Self.options).value
    #expect(again.wasAlreadyComplete)
    #expect(origin.log.bytesSent < 1 << 20)
    #expect(Self.entity.matches(fileAt: directory.file(name)))
  }

  @Test("3. reusable operation with progress and completion, on the main thread; finished operations leave the queue")
  func operation() async throws {
    let (origin, directory) = (try Origin(entity: Self.entity), try TemporaryDirectory())
    let queue = OperationQueue()
    let url = try #require(URL(string: origin.url))
    let operation = try DownloadOperation(url, to: .file(directory.file("f")), options: Self.options)
    // Where the program has no run loop, the main queue is served by another thread.
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    let elsewhere = Mutex(0)
    operation.onProgress { _ in if DispatchQueue.getSpecific(key: key) != true { elsewhere.withLock { $0 += 1 } } }
    await withCheckedContinuation { done in
      operation.onCompletion { result in
        if DispatchQueue.getSpecific(key: key) != true { elsewhere.withLock { $0 += 1 } }
        if (try? result.get()) == nil { Issue.record("it failed") }
        done.resume()
      }
      queue.addOperation(operation)
    }
    await offThePool { queue.waitUntilAllOperationsAreFinished() }
    #expect(queue.operationCount == 0)
    #expect(operation.isFinished)
    #expect(elsewhere.withLock { $0 } == 0)
    #expect(Self.entity.matches(fileAt: directory.file("f")))
  }

  /// The first request asks for the name only.
  private static func named(halfway: Bool) -> Behaviour {
    let named = Behaviour.correct.amending { _, answer in
      answer.headers["Content-Disposition"] = "attachment; filename=\"song.mp3\""
    }
    guard halfway else { return named }
    return named.stalling(after: 3 << 20, on: .first(3)).cut(.head(after: 0), .stall, on: .after(3))
  }

  @Test("4. task with resume data: paused, given away, resumed at an offset, with the suggested name, in place")
  func resumeData() async throws {
    let (origin, directory) = (try Origin(), try TemporaryDirectory())
    origin.serve(Self.entity, behaviour: Self.named(halfway: true), at: "/download")
    var options = Self.options
    options.naming = .server
    let task = try Download(origin.url("/download?id=7"), to: .directory(directory.path), options: options)
    let events = task.events
    task.start()
    await some(of: task)
    task.pause()
    for await event in events { if case .state(.paused) = event { break } }
    let data = try #require(await task.resumeData).data
    origin.serve(Self.entity, behaviour: Self.named(halfway: false), at: "/download")
    let resumed = try Download(resuming: try ResumeData(data: data), options: Self.options)
    let news = resumed.events
    let file = try await resumed.value
    #expect(file.fileURL.lastPathComponent == "song.mp3")
    #expect(file.resumedBytes > 0)
    for await event in news { if case .started(let start) = event { #expect(start.resumedBytes > 0) } }
    #expect(directory.names() == ["song.mp3"])
    #expect(Self.entity.matches(fileAt: directory.file("song.mp3")))
  }
}
