import Synchronization
import Testing

@testable import SheafCommand

@Suite("The reporter")
struct ReporterTests {
  /// Keeps what is written to it; fails with an error number when told to.
  final class Captured: Output {
    private let state: Mutex<(text: String, error: Int32?, isReady: Bool)>

    init(error: Int32? = nil, isReady: Bool = true) { state = Mutex(("", error, isReady)) }

    var text: String { state.withLock { $0.text } }
    var isReady: Bool { state.withLock { $0.isReady } }

    func write(_ text: String) -> Int32? {
      state.withLock { state in
        if state.error == nil { state.text += text }
        return state.error
      }
    }
  }

  struct FixedScreen: Screen { let columns: Int }

  let failures = Counter()

  final class Counter: Sendable {
    private let count = Mutex(0)
    var value: Int { count.withLock { $0 } }
    func increment() { count.withLock { $0 += 1 } }
  }

  func reporter(_ report: any Report, _ results: Captured, _ messages: Captured, screen: (any Screen)? = nil)
    -> Reporter
  {
    Reporter(
      report, results: results, messages: messages, terminal: screen,
      outputFailed: { [failures] in failures.increment() })
  }

  let json = JSONReport(isVerbose: false)
  let onTerminal = TextReport(count: 1, verbosity: .normal, showsProgress: true)

  @Test("keeps the progress line below other lines and clears it at the end")
  func terminal() async {
    let (results, messages) = (Captured(), Captured())
    let reporter = reporter(onTerminal, results, messages, screen: FixedScreen(columns: 16))
    await reporter.tell(Samples.start(resumed: 500), of: 0)
    #expect(messages.text == "\r\u{1B}[K50%")
    await reporter.tell(.event(.warning("w")), of: 0)
    #expect(messages.text == "\r\u{1B}[K50%\r\u{1B}[Ksheaf: warning: w\n\r\u{1B}[K50%")
    await reporter.tell(.finished(Samples.result()), of: 0)
    #expect(messages.text.contains("50%\r\u{1B}[Ksheaf: big.iso: 256 MiB"))
    #expect(messages.text.hasSuffix("sha-256\n"))
    #expect(results.text == "dir/big.iso\n")
  }

  @Test("draws nothing while the terminal is stopped")
  func stoppedTerminal() async {
    let messages = Captured(isReady: false)
    let reporter = reporter(onTerminal, Captured(), messages, screen: FixedScreen(columns: 16))
    await reporter.tell(Samples.start(), of: 0)
    #expect(messages.text == "")
  }

  @Test("skips progress, and nothing else, while the reader is behind")
  func slowReader() async {
    let results = Captured(isReady: false)
    let reporter = reporter(json, results, Captured())
    await reporter.tell(Samples.progress(1), of: 0)
    await reporter.tell(.event(.warning("w")), of: 0)
    #expect(results.text == "{\"event\":\"warning\",\"download\":1,\"message\":\"w\"}\n")
  }

  @Test("says once that standard output has failed, and stays quiet there", arguments: [(32, false), (28, true)])
  func failedOutput(error: Int32, isLoss: Bool) async {
    let messages = Captured()
    let reporter = reporter(json, Captured(error: error), messages)
    await reporter.tell(Samples.start(), of: 0)
    await reporter.tell(.finished(Samples.result()), of: 0)
    #expect(failures.value == 1)
    #expect(await reporter.close() == isLoss)
    #expect(messages.text.isEmpty != isLoss)
  }
}
