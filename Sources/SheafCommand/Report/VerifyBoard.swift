import Sheaf
import SheafCore
import Synchronization

/// Where those who verify files report to, from any thread: results on standard output, the rest on standard error.
final class VerifyBoard: Sendable {
  private struct State {
    var bytes: Int64 = 0
    var total: Int64 = 0
    var throttle = Throttle()
    var isDrawn = false
    var hasFailed = false
    var warned: Set<String> = []
  }

  private let options: VerifyOptions
  private let results: any Output
  private let messages: any Output
  private let terminal: (any Screen)?
  private let startedAt = ContinuousClock.now
  private let state = Mutex(State())

  /// - Parameter terminal: what `messages` go to, if progress is to be shown there.
  init(_ options: VerifyOptions, results: any Output, messages: any Output, terminal: (any Screen)?) {
    self.options = options
    self.results = results
    self.messages = messages
    self.terminal = terminal
  }

  func begin(bytes: Int64) { state.withLock { $0.total = bytes } }

  /// So many bytes more have been compared.
  func advance(_ count: Int64) {
    state.withLock { state in
      state.bytes += count
      guard let terminal, state.throttle.admits(at: .now), messages.isReady else { return }
      let line = line(state).rendered(width: terminal.columns - 1)
      _ = messages.write(Terminal.clearLine + line)
      state.isDrawn = true
    }
  }

  /// The signature around a checksum file was not looked at; said once for each.
  func warnOfSignature(_ list: String) {
    state.withLock { state in
      guard !options.isQuiet, state.warned.insert(list).inserted else { return }
      say("sheaf: warning: \(printable(list)) is signed; its signature is not checked: gpg --verify does that", &state)
    }
  }

  func tell(_ path: String, _ outcome: Result<DigestCheck, DownloadError>) {
    state.withLock { state in
      if options.json { return print(Self.json(path, outcome), &state) }
      switch outcome {
      case .success:
        if !options.isQuiet { print("\(printable(path)): OK", &state) }
      case .failure(let error):
        if error.code == .checksum, !options.isQuiet { print("\(printable(path)): FAILED", &state) }
        say(errorLine(error.message, error.suggestion), &state)
      }
    }
  }

  /// Clears the progress line; true if results could not be written.
  func end() -> Bool {
    state.withLock { state in
      clear(&state)
      return state.hasFailed
    }
  }

  private func print(_ line: String, _ state: inout State) {
    clear(&state)
    if !state.hasFailed, results.write(line: line) != nil { state.hasFailed = true }
  }

  private func say(_ line: String, _ state: inout State) {
    clear(&state)
    _ = messages.write(line: line)
  }

  private func clear(_ state: inout State) {
    if state.isDrawn { _ = messages.write(Terminal.clearLine) }
    state.isDrawn = false
  }

  private func line(_ state: State) -> ProgressLine {
    let rate = Double(state.bytes) / max(0.001, seconds(startedAt.duration(to: .now)))
    let left = max(0, state.total - state.bytes)
    return ProgressLine(
      name: options.paths.count == 1 ? printable(lastComponent(options.paths[0])) : "\(options.paths.count) files",
      bytes: state.bytes, total: state.total, bytesPerSecond: rate,
      timeLeft: rate > 0 ? .seconds(Double(left) / rate) : nil, connections: nil)
  }

  private static func json(_ path: String, _ outcome: Result<DigestCheck, DownloadError>) -> String {
    let members: [(name: String, value: JSON)] =
      switch outcome {
      case .success(let check): [("matches", .bool(true)), ("check", JSON(check))]
      case .failure(let error):
        [
          ("matches", .bool(false)), ("code", .integer(Int64(ExitStatus(error.code).rawValue))),
          ("name", .string(error.code.rawValue)), ("message", .string(error.message)),
        ]
      }
    return JSON.object([("event", .string("verified")), ("path", .string(path))] + members).text
  }
}
