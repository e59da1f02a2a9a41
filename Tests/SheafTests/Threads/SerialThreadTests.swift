import Synchronization
import Testing

@testable import Sheaf

@Suite("A serial thread")
struct SerialThreadTests {
  private actor Resident {
    nonisolated let thread: SerialThread
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(_ thread: SerialThread) { self.thread = thread }

    func callBack(_ body: @Sendable () -> Void) { body() }
  }

  @Test("does closures in the order in which they came, and all of them before it stops")
  func order() {
    let thread = SerialThread(name: "test-serial")
    let done = Mutex<[Int]>([])
    for index in 0..<1000 { thread.post { done.withLock { $0.append(index) } } }
    thread.stop()
    #expect(done.withLock { $0 } == Array(0..<1000))
  }

  @Test("does what a closure posts, and actors' jobs between closures")
  func mixed() async {
    let thread = SerialThread(name: "test-serial")
    let resident = Resident(thread)
    let done = Mutex<[String]>([])
    thread.post {
      done.withLock { $0.append("closure") }
      thread.post { done.withLock { $0.append("later") } }
    }
    await resident.callBack { done.withLock { $0.append("job") } }
    thread.stop()
    let words = done.withLock { $0 }
    #expect(words.first == "closure" && Set(words) == ["closure", "job", "later"] && words.count == 3)
  }
}
