import Foundation
import SheafFoundation
import Synchronization
import TestSupport
import Testing

@Suite("Download operations")
struct DownloadOperationTests {
  private static let entity = Entity(seed: 91, size: 100_000)
  private static let silent = Behaviour.correct.cut(.head(after: 0), .stall)

  private static var options: DownloadOptions {
    var options = DownloadOptions()
    options.durability = .off
    return options
  }

  private func operations(
    _ count: Int, _ origin: Origin, _ directory: TemporaryDirectory, behaviour: Behaviour = .correct
  ) throws -> [DownloadOperation] {
    try (0..<count).map { number in
      origin.serve(Self.entity, behaviour: behaviour, at: "/\(number)")
      let url = try #require(URL(string: origin.url("/\(number)")))
      return try DownloadOperation(url, to: .file(directory.file("\(number)")), options: Self.options)
    }
  }

  private func untilFinished(_ operations: [DownloadOperation]) async {
    await offThePool { for operation in operations { operation.waitUntilFinished() } }
  }

  @Test("a queue of one at a time runs them in order, and they leave it")
  func inOrder() async throws {
    let (origin, directory) = (try Origin(), try TemporaryDirectory())
    let operations = try operations(5, origin, directory)
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    let completions = Mutex(0)
    for operation in operations {
      #expect(operation.isReady && !operation.isExecuting && !operation.isFinished && !operation.isCancelled)
      operation.onCompletion(on: Delivery { $0() }) { _ in completions.withLock { $0 += 1 } }
      queue.addOperation(operation)
    }
    await untilFinished(operations)
    #expect(origin.log.requests.map(\.path) == (0..<5).map { "/\($0)" })
    for operation in operations {
      #expect(operation.isFinished && !operation.isExecuting && !operation.isCancelled)
      #expect(try operation.result?.get().bytes == Self.entity.size)
    }
    await offThePool { queue.waitUntilAllOperationsAreFinished() }
    #expect(queue.operationCount == 0)
    while completions.withLock({ $0 }) < 5 { await Task.yield() }
  }

  @Test("dependencies are kept")
  func dependencies() async throws {
    let (origin, directory) = (try Origin(), try TemporaryDirectory())
    let operations = try operations(3, origin, directory)
    operations[0].addDependency(operations[2])
    operations[1].addDependency(operations[0])
    let queue = OperationQueue()
    #expect(!operations[0].isReady)
    for operation in operations { queue.addOperation(operation) }
    await untilFinished(operations)
    #expect(origin.log.requests.map(\.path) == ["/2", "/0", "/1"])
  }

  @Test("a paused one keeps its place, and goes on")
  func paused() async throws {
    let (origin, directory) = (try Origin(), try TemporaryDirectory())
    let operations = try operations(2, origin, directory, behaviour: Self.silent)
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    for operation in operations { queue.addOperation(operation) }
    #expect(await origin.reached { !$0.requests.isEmpty })
    operations[0].pause()
    #expect(operations[0].isPaused && operations[0].isExecuting && !operations[0].isFinished)
    origin.serve(Self.entity, at: "/0")
    origin.serve(Self.entity, at: "/1")
    operations[0].resume()
    await untilFinished(operations)
    #expect(try operations[0].result?.get().bytes == Self.entity.size)
  }

  @Test("cancelled while it is paused, before its start, or all at once, it leaves the queue")
  func cancelled() async throws {
    let (origin, directory) = (try Origin(), try TemporaryDirectory())
    let operations = try operations(4, origin, directory, behaviour: Self.silent)
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    for operation in operations { queue.addOperation(operation) }
    #expect(await origin.reached { !$0.requests.isEmpty })
    operations[2].cancel()
    operations[0].pause()
    operations[0].cancel()
    await untilFinished([operations[0]])
    #expect(operations[0].isCancelled && operations[0].isFinished && !operations[0].isExecuting)
    queue.cancelAllOperations()
    await offThePool { queue.waitUntilAllOperationsAreFinished() }
    #expect(operations.allSatisfy { $0.isCancelled && $0.isFinished })
    #expect(queue.operationCount == 0)
    #expect(directory.names() == [])
  }

  @Test("a failure is a result, and no cancellation")
  func failed() async throws {
    let (origin, directory) = (try Origin(), try TemporaryDirectory())
    let url = try #require(URL(string: origin.url("/missing")))
    let operation = try DownloadOperation(url, to: .file(directory.file("f")), options: Self.options)
    let queue = OperationQueue()
    queue.addOperation(operation)
    await untilFinished([operation])
    #expect(operation.isFinished && !operation.isCancelled)
    #expect(throws: DownloadError.self) { try operation.result?.get() }
    #expect(operation.download.state == .failed)
  }

  @Test("resume data goes through Data and JSONEncoder")
  func resumeData() throws {
    let text = #"{"sheaf":"resume","version":1,"url":"http://h/f","path":"/f","length":9,"etag":"\"a\""}"#
    let data = try ResumeData(data: Data(text.utf8))
    #expect(try ResumeData(data: data.data) == data)
    #expect(try JSONDecoder().decode(ResumeData.self, from: try JSONEncoder().encode(data)) == data)
    #expect(throws: (any Error).self) {
      try JSONDecoder().decode(ResumeData.self, from: Data(#"{"url":"http://h/f","path":"f","length":9}"#.utf8))
    }
  }
}
