import Dispatch
import Sheaf
import SheafCore
import Synchronization

/// The jobs that a command line asks for: its URLs, the files of its Metalink documents, then
/// its list, of which never more than one entry is in memory.
final class JobQueue: JobSource {
  private struct State {
    var urls: ArraySlice<String>
    var entries: ArraySlice<MetalinkEntry>
    var list: ListFile?
    var count = 0
    var isClosed = false
    var leftOver: String?
    /// Those who wait for the list's next entry, the longest first.
    var waiters: [CheckedContinuation<Job?, Never>] = []
  }

  private let options: CommandOptions
  /// Nil if it is not to be used.
  private let memory: ServerMemory?
  private let state: Mutex<State>
  /// Reads from pipes. Whoever writes into one may take as long as they like, and the pool's threads must not wait.
  private let reader = DispatchQueue(label: "sheaf-list")

  init(_ options: CommandOptions, _ entries: [MetalinkEntry], list: ListFile?) {
    self.options = options
    memory = ServerMemory(options.servers)
    state = Mutex(State(urls: options.urls[...], entries: entries[...], list: list))
  }

  func next() async -> Job? {
    let (job, mustWait) = state.withLock { state -> (Job?, Bool) in
      if let url = state.urls.popFirst() { return (makeJob(url, &state), false) }
      if let entry = state.entries.popFirst() { return (makeJob(entry, &state), false) }
      guard let list = state.list else { return (nil, false) }
      if state.isClosed {
        state.leftOver = "the rest of \(list.name)"
        return (nil, false)
      }
      return list.isRepeatable ? (jobFromList(&state), false) : (nil, true)
    }
    guard mustWait else { return job }
    return await withCheckedContinuation { continuation in
      let isClosed = state.withLock { state in
        if !state.isClosed { state.waiters.append(continuation) }
        return state.isClosed
      }
      if isClosed { return continuation.resume(returning: nil) }
      reader.async { self.serveFirstWaiter() }
    }
  }

  func close() {
    let waiters = state.withLock { state in
      state.isClosed = true
      if !state.waiters.isEmpty, let list = state.list { state.leftOver = "the rest of \(list.name)" }
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume(returning: nil) }
  }

  var leftOver: String? { state.withLock { $0.leftOver } }

  /// On the reader's queue, which alone touches the list of a pipe meanwhile.
  private func serveFirstWaiter() {
    // Out of the lock, for reading may take for ever.
    guard var list = state.withLock({ $0.isClosed ? nil : $0.list }) else { return release() }
    let outcome = list.next()
    let (waiter, job) = state.withLock { state -> (CheckedContinuation<Job?, Never>?, Job?) in
      state.list = outcome == nil ? nil : list
      guard !state.waiters.isEmpty else { return (nil, nil) }
      return (state.waiters.removeFirst(), outcome.map { makeJob($0, list.name, &state) })
    }
    waiter?.resume(returning: job)
    // At the end of the list nobody needs to wait.
    if outcome == nil { release() }
  }

  private func release() {
    let waiters = state.withLock { state in
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume(returning: nil) }
  }

  private func jobFromList(_ state: inout State) -> Job? {
    guard let outcome = state.list?.next(), let name = state.list?.name else {
      state.list = nil
      return nil
    }
    return makeJob(outcome, name, &state)
  }

  private func makeJob(_ url: String, _ state: inout State) -> Job {
    defer { state.count += 1 }
    return Job(index: state.count, url: url) { [self] () throws(DownloadError) in try download(url, options) }
  }

  private func makeJob(_ entry: MetalinkEntry, _ state: inout State) -> Job {
    defer { state.count += 1 }
    return Job(index: state.count, url: entry.url) { [self] () throws(DownloadError) in
      try download(entry.url, entry.applied(to: options))
    }
  }

  private func makeJob(_ outcome: ListGrammar.Outcome, _ list: String, _ state: inout State) -> Job {
    defer { state.count += 1 }
    let url = if case .success(let entry) = outcome { entry.url } else { "" }
    return Job(index: state.count, url: url) { [self] () throws(DownloadError) in
      do throws(ListProblem) {
        let entry = try outcome.get()
        let own = try options.making(entry)
        do throws(DownloadError) {
          return try download(entry.url, own)
        } catch {
          throw ListProblem(line: entry.line, error)
        }
      } catch {
        throw DownloadError(Failure(.usage, "\(list):\(error.line): \(error.message)", suggestion: error.suggestion))
      }
    }
  }

  private func download(_ url: String, _ own: CommandOptions) throws(DownloadError) -> any RunnableDownload {
    if own.isForStandardOutput { return try StandardOutputDownload(url, own) }
    guard let memory, !own.download.mirrors.isEmpty else {
      return try Download(url, to: own.destination, options: own.download)
    }
    var options = own.download
    let ranked = memory.ranked(options.mirrors)
    options.mirrors = ranked.mirrors
    return RememberedDownload(
      try Download(url, to: own.destination, options: options), memory, decision: ranked.decision)
  }
}
