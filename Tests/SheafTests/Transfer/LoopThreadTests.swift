import Synchronization
import Testing

@testable import Sheaf

/// Words from other threads arrive in order, and all of them.
@Suite("LoopThread")
struct LoopThreadTests {
  private final class Heard: Sendable {
    let words = Mutex<[(sender: Int, number: Int)]>([])
  }

  private actor Listener {
    nonisolated let thread: LoopThread
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(_ thread: LoopThread) { self.thread = thread }

    func isHere() -> Bool { thread.isCurrent }
  }

  @Test("keeps the order of each sender, and loses nothing at the end", arguments: 1...4)
  func order(senders: Int) throws {
    let heard = Heard()
    let loop = LoopThread(multi: try MultiHandle())
    loop.start { 60_000 }
    let threads = (0..<senders).map { JoinableThread(name: "sender-\($0)") }
    for (sender, thread) in threads.enumerated() {
      thread.start {
        for number in 0..<2000 { loop.post { heard.words.withLock { $0.append((sender, number)) } } }
      }
    }
    for thread in threads { thread.join() }
    loop.stop()
    let words = heard.words.withLock { $0 }
    #expect(words.count == senders * 2000)
    for sender in 0..<senders {
      #expect(words.filter { $0.sender == sender }.map(\.number) == Array(0..<2000))
    }
  }

  @Test("what work adds at the end is done as well")
  func chain() throws {
    let heard = Heard()
    let loop = LoopThread(multi: try MultiHandle())
    loop.start { 60_000 }
    @Sendable func say(_ number: Int) {
      heard.words.withLock { $0.append((0, number)) }
      if number < 100 { loop.post { say(number + 1) } }
    }
    loop.post { say(0) }
    loop.stop()
    #expect(heard.words.withLock { $0.map(\.number) } == Array(0...100))
  }

  @Test("runs an actor's jobs and closures on one thread, and wakes for both")
  func jobs() async throws {
    let loop = LoopThread(multi: try MultiHandle())
    loop.start { 60_000 }
    let listener = Listener(loop)
    for _ in 0..<100 {
      #expect(await listener.isHere())
      let isHere = await withCheckedContinuation { continuation in
        loop.post { continuation.resume(returning: loop.isCurrent) }
      }
      #expect(isHere)
    }
    loop.stop()
  }
}
