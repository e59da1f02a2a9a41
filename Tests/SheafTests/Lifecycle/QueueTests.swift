import Sheaf
import TestSupport
import Testing

@Suite("A queue of downloads")
struct QueueTests {
  private static let entity = Entity(seed: 81, size: 100_000)

  private static var options: DownloadOptions {
    var options = DownloadOptions()
    options.durability = .off
    return options
  }

  /// An origin with `count` files, each of which is answered when `release` lets it.
  private struct Stage {
    let origin: Origin
    let directory: TemporaryDirectory
    let downloads: [Download]

    init(_ count: Int, behaviour: Behaviour = .correct) throws {
      let origin = try Origin()
      let directory = try TemporaryDirectory()
      for number in 0..<count { origin.serve(QueueTests.entity, behaviour: behaviour, at: "/\(number)") }
      self.origin = origin
      self.directory = directory
      downloads = try (0..<count).map {
        try Download(origin.url("/\($0)"), to: .file(directory.file("\($0)")), options: QueueTests.options)
      }
    }

    /// From now on all is served.
    func release() {
      for number in downloads.indices { origin.serve(QueueTests.entity, at: "/\(number)") }
    }
  }

  /// Nothing is answered.
  private static let silent = Behaviour.correct.cut(.head(after: 0), .stall)

  @Test("runs one after the other, in order")
  func inOrder() async throws {
    let stage = try Stage(8)
    let queue = DownloadQueue(maximumConcurrentDownloads: 1)
    for download in stage.downloads { queue.add(download) }
    await queue.untilEmpty()
    #expect(stage.origin.log.requests.map(\.path) == (0..<8).map { "/\($0)" })
    #expect(stage.downloads.allSatisfy { $0.state == .finished })
    #expect(queue.isEmpty)
  }

  @Test("never more than the limit, which may be changed while it runs")
  func limits() async throws {
    let stage = try Stage(6, behaviour: Self.silent)
    let queue = DownloadQueue(maximumConcurrentDownloads: 2)
    for download in stage.downloads { queue.add(download) }
    func states() -> [Download.State] { stage.downloads.map(\.state) }
    #expect(states() == [.executing, .executing, .waiting, .waiting, .waiting, .waiting])
    queue.maximumConcurrentDownloads = 4
    #expect(states() == [.executing, .executing, .executing, .executing, .waiting, .waiting])
    queue.maximumConcurrentDownloads = 1
    #expect(states().count { $0 == .executing } == 4)
    #expect(queue.count == 6)
    queue.cancelAll()
    #expect(queue.isEmpty)
    for download in stage.downloads {
      _ = try? await download.value
      #expect(download.state == .cancelled)
    }
    #expect(stage.directory.names() == [])
  }

  @Test("a paused download gives its place to the next and gets back in line")
  func paused() async throws {
    let stage = try Stage(3, behaviour: Self.silent)
    let queue = DownloadQueue(maximumConcurrentDownloads: 1)
    for download in stage.downloads { queue.add(download) }
    let events = stage.downloads[0].events
    stage.downloads[0].pause()
    await events.first(.paused)
    #expect(stage.downloads.map(\.state) == [.paused, .executing, .waiting])
    stage.downloads[0].resume()
    #expect(stage.downloads.map(\.state) == [.waiting, .executing, .waiting])
    #expect(queue.downloads == [stage.downloads[1], stage.downloads[2], stage.downloads[0]])
    stage.release()
    // Those that asked before have to ask again.
    stage.downloads[1].pause()
    stage.downloads[1].resume()
    await queue.untilEmpty()
    #expect(stage.downloads.allSatisfy { $0.state == .finished })
  }

  @Test("one that is cancelled while it waits or is paused leaves, and blocks nobody")
  func cancelled() async throws {
    let stage = try Stage(4, behaviour: Self.silent)
    let queue = DownloadQueue(maximumConcurrentDownloads: 1)
    for download in stage.downloads { queue.add(download) }
    stage.downloads[1].cancel()
    stage.downloads[2].pause()
    stage.downloads[2].cancel()
    #expect(queue.downloads == [stage.downloads[0], stage.downloads[3]])
    #expect(!queue.contains(stage.downloads[1]))
    stage.release()
    stage.downloads[0].cancel()
    await queue.untilEmpty()
    #expect(stage.downloads[3].state == .finished)
  }

  @Test("one that failed leaves, and comes back when it is retried")
  func failed() async throws {
    let stage = try Stage(2)
    let missing = try Download(
      stage.origin.url("/missing"), to: .file(stage.directory.file("missing")), options: Self.options)
    let queue = DownloadQueue(maximumConcurrentDownloads: 1)
    queue.add(missing)
    for download in stage.downloads { queue.add(download) }
    await queue.untilEmpty()
    #expect(missing.state == .failed)
    stage.origin.serve(Self.entity, at: "/missing")
    queue.isSuspended = true
    missing.retry()
    #expect(queue.contains(missing))
    #expect(missing.state == .waiting)
    queue.isSuspended = false
    #expect(try await missing.value.bytes == Self.entity.size)
    await queue.untilEmpty()
  }

  @Test("order, priority, and a download that is taken out")
  func order() async throws {
    let stage = try Stage(6)
    let queue = DownloadQueue(maximumConcurrentDownloads: 1)
    queue.isSuspended = true
    for download in stage.downloads.dropLast() { queue.add(download) }
    queue.add(stage.downloads[5], at: 1)
    queue.move(stage.downloads[4], to: 0)
    queue.setPriority(.high, of: stage.downloads[3])
    queue.setPriority(.low, of: stage.downloads[4])
    queue.remove(stage.downloads[2])
    #expect(queue.priority(of: stage.downloads[3]) == .high)
    #expect(queue.priority(of: stage.downloads[2]) == nil)
    #expect(stage.downloads[2].state == .paused)
    queue.isSuspended = false
    await queue.untilEmpty()
    #expect(stage.origin.log.requests.map(\.path) == ["/3", "/0", "/5", "/1", "/4"])
    // Out of the queue it goes its own way.
    stage.downloads[2].resume()
    #expect(try await stage.downloads[2].value.bytes == Self.entity.size)
  }

  @Test("pauses and resumes all of them")
  func all() async throws {
    let stage = try Stage(5, behaviour: Self.silent)
    let queue = DownloadQueue(maximumConcurrentDownloads: 2)
    for download in stage.downloads { queue.add(download) }
    let events = stage.downloads.map(\.events)
    queue.pauseAll()
    for one in events { await one.first(.paused) }
    #expect(queue.count == 5)
    stage.release()
    queue.resumeAll()
    await queue.untilEmpty()
    #expect(stage.downloads.allSatisfy { $0.state == .finished })
  }

  @Test("says what is in it after each change")
  func snapshots() async throws {
    let stage = try Stage(1, behaviour: Self.silent)
    let queue = DownloadQueue(maximumConcurrentDownloads: 1)
    var snapshots = queue.snapshots.makeAsyncIterator()
    #expect(await snapshots.next() == [])
    queue.add(stage.downloads[0])
    #expect(await snapshots.next() == stage.downloads)
    stage.downloads[0].cancel()
    while let content = await snapshots.next(), !content.isEmpty {}
    #expect(queue.isEmpty)
  }

  @Test("moves to another queue and is in one at most")
  func moves() async throws {
    let stage = try Stage(1, behaviour: Self.silent)
    let (one, other) = (DownloadQueue(maximumConcurrentDownloads: 0), DownloadQueue(maximumConcurrentDownloads: 1))
    one.add(stage.downloads[0])
    #expect(stage.downloads[0].state == .waiting)
    other.add(stage.downloads[0])
    #expect(one.isEmpty)
    #expect(stage.downloads[0].state == .executing)
    stage.downloads[0].cancel()
    #expect(other.isEmpty)
  }

  @Test("what a file keeps of it is there again: order, priority, what was paused")
  func restored() async throws {
    let stage = try Stage(4, behaviour: Self.silent)
    let file = stage.directory.file("queue")
    do {
      let queue = try DownloadQueue(restoredFrom: file, maximumConcurrentDownloads: 1)
      #expect(queue.isEmpty)
      for download in stage.downloads { queue.add(download) }
      queue.setPriority(.high, of: stage.downloads[3])
      stage.downloads[1].pause()
      try await queue.saved()
      // As a crash leaves it: nothing else is done with this one.
      for download in stage.downloads { queue.remove(download) }
      for download in stage.downloads {
        download.cancel(keepingPartial: true)
        _ = try? await download.value
      }
    }
    let lines = """
      {"url":"\(stage.origin.url("/0"))","path":"\(stage.directory.file("0"))"}
      {"url":"\(stage.origin.url("/1"))","path":"\(stage.directory.file("1"))","paused":true}
      {"url":"\(stage.origin.url("/2"))","path":"\(stage.directory.file("2"))"}
      {"url":"\(stage.origin.url("/3"))","path":"\(stage.directory.file("3"))","priority":1}

      """
    try stage.directory.write(lines, to: "queue")
    stage.release()
    stage.origin.clearLog()
    let queue = try DownloadQueue(restoredFrom: file, maximumConcurrentDownloads: 1, options: Self.options)
    let downloads = queue.downloads
    #expect(downloads.map(\.path) == (0..<4).map { stage.directory.file("\($0)") })
    #expect(downloads[1].state == .paused)
    for download in downloads where download != downloads[1] { _ = try await download.value }
    #expect(stage.origin.log.requests.map(\.path) == ["/0", "/3", "/2"])
    try await queue.saved()
    #expect(
      String(decoding: try stage.directory.read("queue"), as: UTF8.self)
        == "{\"url\":\"\(stage.origin.url("/1"))\",\"path\":\"\(stage.directory.file("1"))\",\"paused\":true}\n")
    downloads[1].resume()
    await queue.untilEmpty()
  }

  @Test("the file is empty when the queue is, however many ended at the same time")
  func keptToTheEnd() async throws {
    let stage = try Stage(200)
    let queue = try DownloadQueue(restoredFrom: stage.directory.file("queue"), maximumConcurrentDownloads: 8)
    for download in stage.downloads { queue.add(download) }
    await queue.untilEmpty()
    try await queue.saved()
    #expect(try stage.directory.read("queue").isEmpty)
    #expect(stage.downloads.allSatisfy { $0.state == .finished })
  }

  @Test(
    "a file that makes no sense is refused, with the line",
    arguments: [
      "{}", "x", "[]", #"{"url":"http://127.0.0.1/a"}"#, #"{"url":"http://127.0.0.1/a","path":"a"}"#,
      #"{"url":"gopher://127.0.0.1/a","path":"/a"}"#, #"{"url":"http://127.0.0.1/a","path":"/a","priority":9}"#,
      #"{"url":"http://127.0.0.1/a","path":"/a","paused":1}"#,
      #"{"url":"http://127.0.0.1/a","path":"/a","mirrors":[1]}"#,
      #"{"url":"http://127.0.0.1/a","path":"/a","checksum":"sha-256=0"}"#,
    ])
  func damaged(line: String) throws {
    let directory = try TemporaryDirectory()
    try directory.write("\n\(line)\n", to: "queue")
    #expect {
      _ = try DownloadQueue(restoredFrom: directory.file("queue"))
    } throws: { error in
      let error = error as? DownloadError
      return error?.code == .usage && error?.message.contains("queue:2:") == true
    }
  }
}
