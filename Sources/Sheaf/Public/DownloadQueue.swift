import SheafCore
import Synchronization

/// Runs downloads, a limited number at once, in order.
///
/// ```swift
/// let queue = DownloadQueue(maximumConcurrentDownloads: 2)
/// for url in urls { queue.add(try Download(url, to: .directory("downloads"))) }
/// await queue.untilEmpty()
/// ```
///
/// A download in a queue waits for its turn: `resume()` puts it in line, `pause()` gives its place to the next one, and once
/// it has finished, failed or been cancelled it leaves the queue. A failed or cancelled one comes back, at the end, when it
/// is retried. All methods may be called from any thread. The queue stays alive while downloads are in it.
public final class DownloadQueue: Sendable {
  /// How important a download is compared with others in its queue.
  public enum Priority: Int, Sendable, Comparable, CaseIterable {
    /// After all others.
    case low = -1
    /// As they come.
    case normal = 0
    /// Before all others.
    case high = 1

    /// Whether one goes after the other.
    public static func < (one: Priority, other: Priority) -> Bool { one.rawValue < other.rawValue }
  }

  struct State {
    var line: WaitingLine<Download>
    var readers = Readers<[Download]>()
  }

  let limit = RateLimit()
  let state: Mutex<State>
  let store: QueueStore?

  /// Makes an empty queue.
  /// - Parameter maximumConcurrentDownloads: how many downloads may be under way at once; 0 holds all back.
  public convenience init(maximumConcurrentDownloads: Int = 4) {
    self.init(limit: maximumConcurrentDownloads, store: nil)
  }

  init(limit: Int, store: QueueStore?) {
    state = Mutex(State(line: WaitingLine(limit: limit)))
    self.store = store
  }

  // MARK: - Limits

  /// How many downloads may be under way at once. When it is lowered, those that run go on; 0 holds all others back.
  public var maximumConcurrentDownloads: Int {
    get { state.withLock { $0.line.limit } }
    set { change { $0.line.limit = newValue } }
  }

  /// While it is true, no other download is started; those that run go on.
  public var isSuspended: Bool {
    get { state.withLock { $0.line.isSuspended } }
    set { change { $0.line.isSuspended = newValue } }
  }

  /// Bytes per second that all its downloads together may receive; nil is no limit. A change holds for transfers under
  /// way, too; a download that was under way before it was added is not counted.
  public var bytesPerSecond: Int64? {
    get { limit.bytesPerSecond }
    set { limit.bytesPerSecond = newValue }
  }

  // MARK: - Content

  /// The downloads in the queue, in order: those that run, wait or are paused.
  public var downloads: [Download] { state.withLock { $0.line.entries.map(\.member) } }

  /// How many downloads are in the queue.
  public var count: Int { state.withLock { $0.line.entries.count } }

  /// Whether nothing is in the queue.
  public var isEmpty: Bool { count == 0 }

  /// Whether `download` is in the queue.
  public func contains(_ download: Download) -> Bool { state.withLock { $0.line.index(of: download) != nil } }

  /// Adds a download and starts it when it is its turn. A paused one waits to be resumed; one that has ended is started
  /// again if it failed or was cancelled, and not added if it has finished.
  ///
  /// A download is in one queue at most: in another one already, it moves here.
  /// - Parameters:
  ///   - download: what is to be fetched.
  ///   - priority: how important it is.
  ///   - index: where in the order, from 0; nil, or more than there are, for the end.
  public func add(_ download: Download, priority: Priority = .normal, at index: Int? = nil) {
    guard download.state != .finished else { return }
    if let old = download.join(self), old !== self { (old as? DownloadQueue)?.forget(download) }
    change { $0.line.add(download, priority: priority.rawValue, at: index) }
    switch download.state {
    case .ready: download.resume()
    case .failed, .cancelled: download.retry()
    default: break
    }
    changed(download)
  }

  /// Puts a download of the queue elsewhere in the order: then it is at `index`, from 0, or at the end if there is no such
  /// place. What runs goes on.
  public func move(_ download: Download, to index: Int) { change { $0.line.move(download, to: index) } }

  /// Makes a download of the queue more or less important. What runs goes on.
  public func setPriority(_ priority: Priority, of download: Download) {
    change { $0.line.setPriority(priority.rawValue, of: download) }
  }

  /// The importance of a download of the queue; nil if it is not in it.
  public func priority(of download: Download) -> Priority? {
    state.withLock { state in
      state.line.index(of: download).flatMap { Priority(rawValue: state.line.entries[$0].priority) }
    }
  }

  /// Takes a download out of the queue without a word to it: what runs goes on, and what waits is paused.
  public func remove(_ download: Download) {
    guard contains(download) else { return }
    if [.ready, .waiting].contains(download.state) { download.pause() }
    forget(download)
  }

  // MARK: - All of them

  /// Pauses all downloads of the queue.
  public func pauseAll() {
    // From the end, so that nobody gets a place that has just become free.
    for download in downloads.reversed() { download.pause() }
  }

  /// Resumes all paused downloads of the queue, in order.
  public func resumeAll() {
    for download in downloads { download.resume() }
  }

  /// Cancels all downloads of the queue, which is empty then.
  /// - Parameter keepingPartial: leaves what there is of them.
  public func cancelAll(keepingPartial: Bool = false) {
    for download in downloads.reversed() { download.cancel(keepingPartial: keepingPartial) }
  }

  /// Waits until nothing is in the queue. Paused downloads are in it.
  ///
  /// Cancelling the waiting task ends the wait and nothing else.
  public func untilEmpty() async {
    for await downloads in snapshots where downloads.isEmpty { return }
  }

  // MARK: - Turns

  /// What is in the queue after each change, the present content first: always the newest.
  public var snapshots: Updates<[Download]> {
    let channel = Channel<[Download]>.newest
    state.withLock { state in
      channel.send(state.line.entries.map(\.member))
      state.readers.add(channel)
    }
    return Updates(channel: channel)
  }

  /// Changes the line, lets those begin whose turn it is now, and tells who wants to know.
  private func change(_ body: (inout State) -> Void) {
    let begun = state.withLock { state in
      body(&state)
      var begun: [(Download, Download.Step)] = []
      while let next = state.line.next {
        if let step = next.takeTurn() { begun.append((next, step)) }
        note(next, &state)
      }
      // In the lock, so that the newest is kept, and told, last; kept first, so that whoever is told can wait for it.
      if let store { store.save { [entries = state.line.entries] in Self.records(of: entries) } }
      for reader in state.readers.present() { reader.send(state.line.entries.map(\.member)) }
      return begun
    }
    for (download, step) in begun { download.carryOut(step) }
  }

  /// Notes how things stand with a download, which may be that it has left.
  private func note(_ download: Download, _ state: inout State) {
    switch download.state {
    case .ready: break
    case .waiting: state.line.note(.waiting, of: download)
    case .executing, .pausing: state.line.note(.active, of: download)
    case .paused: state.line.note(.idle, of: download)
    // Leaves at once, although it may take a moment to stop.
    case .cancelling, .cancelled, .finished, .failed: state.line.remove(download)
    }
  }

  private func forget(_ download: Download) {
    download.leave(self)
    change { $0.line.remove(download) }
  }

  // MARK: - Keeping it

  /// Makes a queue whose content is kept in a file and outlives the process: what a crash or an end left in it is in it
  /// again, in order, the paused ones paused and the others in line. docs/queues.md describes the file.
  ///
  /// Of the options, only the checksum, the mirrors and whether to overwrite are kept; header fields and passwords never
  /// are. URLs are kept as they were given, in a file that only its owner may read. Reads the file in the calling thread.
  /// - Parameters:
  ///   - path: where the file is; it is made when something is added, if there is none.
  ///   - maximumConcurrentDownloads: how many downloads may be under way at once; 0 holds all back.
  ///   - options: for the downloads in the file.
  /// - Throws: `DownloadError` if the file cannot be read, or with code `usage` if a line makes no sense.
  public convenience init(
    restoredFrom path: String, maximumConcurrentDownloads: Int = 4, options: DownloadOptions = DownloadOptions()
  ) throws(DownloadError) {
    do throws(Failure) {
      let file = StateFile(absolute(path), largest: Self.largestFile)
      let bytes = try file.read() ?? []
      let disk: SerialThread
      do throws(CurlFailure) { disk = try Engine.shared.disk } catch {
        throw Failure(.unknown, "libcurl cannot start: \(error.message)")
      }
      self.init(limit: maximumConcurrentDownloads, store: QueueStore(file, disk: disk))
      var downloads: [(Download, QueueRecord)] = []
      for (number, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
      where !line.isEmpty {
        do {
          let record = try QueueRecord(parsing: line)
          downloads.append((try record.download(options), record))
        } catch let problem as QueueProblem {
          throw Failure(.usage, "\(printable(path)):\(number + 1): the line \(problem.text)")
        } catch let error as DownloadError {
          throw Failure(.usage, "\(printable(path)):\(number + 1): \(error.message)", suggestion: error.suggestion)
        } catch {
          throw Failure(.usage, "\(printable(path)):\(number + 1): the line cannot be read")
        }
      }
      for (download, record) in downloads {
        if record.isPaused { download.pause() }
        add(download, priority: record.priority)
      }
    } catch {
      throw DownloadError(error)
    }
  }

  /// Waits until the file has what is in the queue now; a queue that is kept nowhere has nothing to wait for.
  /// - Throws: `DownloadError` if the file could not be written.
  public func saved() async throws(DownloadError) {
    if let failure = await store?.saved() { throw DownloadError(failure) }
  }

  /// A hundred thousand downloads, and more.
  private static let largestFile = 256 << 20

  private static func records(of entries: [WaitingLine<Download>.Entry]) -> [QueueRecord] {
    entries.map { entry in
      QueueRecord(
        entry.member, priority: Priority(rawValue: entry.priority) ?? .normal, isPaused: entry.standing == .idle)
    }
  }
}

extension DownloadQueue: TurnGiver {
  func changed(_ download: Download) {
    change { state in
      // One that left comes back when it is retried.
      guard download.isIn(self) else { return }
      if download.state == .waiting { state.line.add(download, priority: Priority.normal.rawValue) }
      note(download, &state)
    }
  }
}
