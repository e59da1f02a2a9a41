import Sheaf
import Synchronization
import Testing

@testable import SheafCommand

@Suite("A run of downloads")
struct RunTests {
  /// A download that ends when told to, or when stopped.
  final class Scripted: RunnableDownload {
    enum Ending: Sendable {
      case success
      case failure(DownloadError)
      /// Only by being stopped.
      case never
    }

    private let isOver: AsyncStream<Never>
    private let over: AsyncStream<Never>.Continuation
    private let ending: Ending
    private let started: @Sendable () -> Void
    private let ended: @Sendable () -> Void
    private let stops = Mutex(0)

    init(
      _ ending: Ending, started: @escaping @Sendable () -> Void = {}, ended: @escaping @Sendable () -> Void = {}
    ) {
      self.ending = ending
      self.started = started
      self.ended = ended
      (isOver, over) = AsyncStream.makeStream()
    }

    var stopCount: Int { stops.withLock { $0 } }

    func start(telling listener: @escaping @Sendable (DownloadEvent) -> Void) {
      started()
      if case .never = ending { return }
      over.finish()
    }

    func stop() {
      stops.withLock { $0 += 1 }
      over.finish()
    }

    var value: DownloadResult {
      get async throws(DownloadError) {
        for await _ in isOver {}
        // Others get a turn, so that more than one is under way if the run lets them.
        for _ in 0..<10 { await Task.yield() }
        ended()
        switch ending {
        case .success: return Samples.result()
        case .failure(let error): throw error
        case .never: throw Samples.error(.interrupted, "stopped", howToContinue)
        }
      }
    }
  }

  let stop = StopSwitch()
  let messages = ReporterTests.Captured()

  func run(_ downloads: [Scripted], limit: Int = 1) -> Run {
    run(ScriptedJobs(count: downloads.count) { downloads[$0] }, limit: limit)
  }

  func run(_ jobs: ScriptedJobs, limit: Int) -> Run {
    let report = TextReport(count: jobs.count, verbosity: .normal, showsProgress: false)
    let reporter = Reporter(
      report, results: ReporterTests.Captured(), messages: messages, terminal: nil, outputFailed: {})
    return Run(jobs: jobs, limit: limit, reporter: reporter, stop: stop)
  }

  /// Jobs whose downloads are made by a closure, when they are asked for and not before.
  final class ScriptedJobs: JobSource {
    let count: Int
    private let make: @Sendable (Int) throws(DownloadError) -> any RunnableDownload
    private let given = Mutex(0)

    init(count: Int, make: @escaping @Sendable (Int) throws(DownloadError) -> any RunnableDownload) {
      self.count = count
      self.make = make
    }

    func next() async -> Job? {
      let index = given.withLock { given in
        defer { given += 1 }
        return given
      }
      guard index < count else { return nil }
      return Job(index: index, url: "http://h/a") { [make] () throws(DownloadError) in try make(index) }
    }

    func close() {}
    var leftOver: String? { nil }
  }

  @Test("has no more downloads in memory than may be under way, however many there are")
  func manyJobs() async {
    let alive = Gauge()
    let jobs = ScriptedJobs(count: 100_000) { _ in Counted(alive) }
    #expect(await run(jobs, limit: 16)() == .ok)
    #expect(alive.total == 100_000)
    #expect(alive.peak <= 17)
  }

  /// A download that ends at once and is counted while it exists.
  final class Counted: RunnableDownload {
    private let gauge: Gauge

    init(_ gauge: Gauge) {
      self.gauge = gauge
      gauge.rise()
    }

    deinit { gauge.fall() }

    func start(telling listener: @escaping @Sendable (DownloadEvent) -> Void) {}
    func stop() {}
    var value: DownloadResult { get async throws(DownloadError) { Samples.result() } }
  }

  @Test("goes on after a download that cannot be made")
  func badJob() async {
    let jobs = ScriptedJobs(count: 3) { index throws(DownloadError) in
      if index == 1 { throw Samples.error(.usage, "urls.txt:2: bad") }
      return Scripted(.success)
    }
    #expect(await run(jobs, limit: 1)() == .usage)
    #expect(messages.text.contains("sheaf: error: urls.txt:2: bad\n"))
    #expect(messages.text.split(separator: "\n").count == 3)
  }

  @Test("ends with ok when all went well")
  func success() async {
    #expect(await run([Scripted(.success), Scripted(.success)])() == .ok)
  }

  @Test("ends with the status of the last error")
  func lastError() async {
    let downloads = [
      Scripted(.failure(Samples.error(.notFound, "n"))), Scripted(.failure(Samples.error(.checksum, "c"))),
      Scripted(.success),
    ]
    #expect(await run(downloads)() == .checksum)
  }

  @Test("stops what runs and begins nothing more")
  func stopping() async {
    let begun = Mutex(0)
    let stop = stop
    // The second to start throws the switch, as a signal would.
    let started: @Sendable () -> Void = {
      let count = begun.withLock { count in
        count += 1
        return count
      }
      if count == 2 { stop.stopAll() }
    }
    let downloads = (0..<5).map { _ in Scripted(.never, started: started) }
    #expect(await run(downloads, limit: 2)() == .interrupted)
    #expect(begun.withLock { $0 } == 2)
    #expect(downloads.filter { $0.stopCount > 0 }.count == 2)
    let lines = messages.text.split(separator: "\n")
    #expect(lines.count == 5)
    #expect(lines.allSatisfy { $0.hasSuffix(howToContinue) })
    #expect(lines.filter { $0.contains("before it began") }.count == 3)
  }

  @Test("keeps to the limit and leaves none out", arguments: [1, 3, 100])
  func limit(limit: Int) async {
    let gauge = Gauge()
    let downloads = (0..<20).map { _ in Scripted(.success, started: { gauge.rise() }, ended: { gauge.fall() }) }
    #expect(await run(downloads, limit: limit)() == .ok)
    #expect(gauge.peak <= limit)
    #expect(gauge.total == 20)
  }

  /// How many downloads are, were at most, and were in all under way.
  final class Gauge: Sendable {
    private let counts = Mutex((now: 0, peak: 0, total: 0))
    var peak: Int { counts.withLock { $0.peak } }
    var total: Int { counts.withLock { $0.total } }

    func rise() {
      counts.withLock { counts in
        counts.now += 1
        counts.total += 1
        counts.peak = max(counts.peak, counts.now)
      }
    }

    func fall() { counts.withLock { $0.now -= 1 } }
  }
}
