import SheafCore
import Synchronization

/// One file being fetched, from one source or several.
///
/// ```swift
/// let download = try Download("https://example.org/big.iso", to: .directory("."))
/// let file = try await download.value
/// ```
///
/// It can be paused and resumed, cancelled, and tried again, from any thread; docs/states.md says what each call does in
/// each ``State``. Letting go of a download does not stop it.
public final class Download: Sendable {
  /// Where a download is in its life.
  public enum State: String, Sendable, CaseIterable {
    /// Nothing has happened yet.
    case ready
    /// It is to run as soon as its queue has room.
    case waiting
    /// It is being carried out.
    case executing
    /// It was told to pause, and a last checkpoint is being taken.
    case pausing
    /// It does nothing; what it has is on the disk, if the server lets it be continued.
    case paused
    /// It was cancelled, and is being stopped or what it left is being removed.
    case cancelling
    /// It was cancelled.
    case cancelled
    /// The file is complete under its name.
    case finished
    /// It ended with an error.
    case failed
  }

  /// What is to be carried out, as often as it takes.
  struct Order: Sendable {
    /// As it was given.
    let url: String
    let location: Location
    /// As far as it is known before the server is asked.
    let target: Target
    let options: DownloadOptions
    /// Only the directory is given, and the name is still to be found out.
    var isUnnamed = false
    var repair: RepairOrder?
  }

  struct Life {
    var lifecycle = Lifecycle()
    var run: DownloadRun?
    var hasRun = false
    /// Where the file goes, once the name is known.
    var target: Target?
    var outcome: Result<DownloadResult, DownloadError>?
    var waiters: [Int: Waiter] = [:]
    var waiterCount = 0
    /// What gives it its turn; without one it is always its turn.
    var queue: (any TurnGiver)?
  }

  struct Waiter {
    var continuation: CheckedContinuation<Result<DownloadResult, DownloadError>, Never>?
    /// Its task was cancelled: it waits only until the download rests.
    var isCancelled = false
  }

  let order: Order
  /// Its own limit.
  let limit: RateLimit
  let hub = EventHub()
  let life = Mutex(Life())

  /// Prepares a download; nothing happens before `start()`, `value`, or its queue starts it.
  /// - Throws: `DownloadError` with code `usage` if the URL or an option makes no sense.
  public init(_ url: String, to destination: Destination, options: DownloadOptions = DownloadOptions())
    throws(DownloadError)
  {
    do throws(Failure) {
      let (location, target) = try Self.checked(url, to: destination, options: options)
      var order = Order(url: url, location: location, target: target, options: options)
      if case .directory = destination { order.isUnnamed = options.naming == .server || options.hooks.name != nil }
      self.order = order
      limit = RateLimit(bytesPerSecond: options.bytesPerSecond)
    } catch {
      throw DownloadError(error)
    }
  }

  /// Prepares a repair.
  init(_ location: Location, target: Target, options: DownloadOptions, repairing repair: RepairOrder) {
    order = Order(url: location.url, location: location, target: target, options: options, repair: repair)
    limit = RateLimit(bytesPerSecond: options.bytesPerSecond)
  }

  /// The path that a download with these arguments would give its file, without making one.
  /// - Throws: what making it would throw.
  package static func target(
    of url: String, to destination: Destination, options: DownloadOptions
  ) throws(DownloadError) -> String {
    do throws(Failure) {
      return try checked(url, to: destination, options: options).1.path
    } catch {
      throw DownloadError(error)
    }
  }

  private static func checked(
    _ url: String, to destination: Destination, options: DownloadOptions
  ) throws(Failure) -> (Location, Target) {
    try options.check()
    let location = try Location(ofDownload: url)
    return (location, try Target(destination, urlPath: location.path))
  }

  // MARK: - What it is

  /// Where the file goes. If its name is to come from elsewhere than the URL, it is not known before the download has begun.
  public var path: String { target.path }

  var target: Target { life.withLock { $0.target } ?? order.target }

  /// The URL without user information and query, for people.
  public var name: String { order.location.redacted }

  /// Where the download is now.
  public var state: State { State(life.withLock { $0.lifecycle.state }) }

  /// How the download ended; nil until it has finished, failed or been cancelled, and again after `retry()`.
  public var result: Result<DownloadResult, DownloadError>? {
    life.withLock { $0.lifecycle.isOver ? $0.outcome : nil }
  }

  /// Bytes per second that it may receive; nil is no limit. A change holds for transfers under way, too; in a queue the
  /// queue's own limit holds besides.
  public var bytesPerSecond: Int64? {
    get { limit.bytesPerSecond }
    set { limit.bytesPerSecond = newValue }
  }

  // MARK: - What can be asked of it

  /// Starts the download. The same as `resume()`.
  public func start() { resume() }

  /// Starts the download, or goes on with it after a pause; in a queue it takes its place at the end of the line.
  ///
  /// What it has already is not fetched again, if the server can prove that the file is still the same. One that has
  /// ended is not started: see `retry()`.
  public func resume() { change { $0.lifecycle.call(.resume) } }

  /// Stops the download after a last checkpoint, which takes a moment, and keeps what there is. In a queue another one
  /// gets its place.
  public func pause() { change { $0.lifecycle.call(.pause) } }

  /// Ends the download. It leaves its queue at once; `value` throws when it has stopped.
  ///
  /// A file that is complete stays. `retry()` starts the download again.
  /// - Parameter keepingPartial: leaves what there is beside the target, so that a later download continues with it;
  ///   false removes it.
  public func cancel(keepingPartial: Bool = false) {
    change { life in
      let before = life.lifecycle.state
      let effect = life.lifecycle.call(.cancel(keepingPartial: keepingPartial))
      if life.lifecycle.state == .cancelled, [.ready, .waiting, .paused].contains(before) {
        life.outcome = .failure(.stopped)
      }
      return effect
    }
  }

  /// Starts again what has failed or was cancelled; it continues with what is there.
  public func retry() { change { $0.lifecycle.call(.retry) } }

  /// The result, once there is one; starts the download if that has not happened. While the download is paused, it
  /// waits.
  ///
  /// Cancelling the waiting task pauses the download; when it has stopped, `interrupted` is thrown.
  /// - Throws: `DownloadError`: why the download failed; `cancelled` if it was cancelled, `interrupted` if that kept what
  ///   there is.
  public var value: DownloadResult {
    get async throws(DownloadError) {
      guard !Task.isCancelled else { throw .stopped }
      let number = life.withLock { life in
        life.waiterCount += 1
        life.waiters[life.waiterCount] = Waiter()
        return life.waiterCount
      }
      if state == .ready { start() }
      let result = await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          change { life in
            life.waiters[number]?.continuation = continuation
            return nil
          }
        }
      } onCancel: {
        change { life in
          life.waiters[number]?.isCancelled = true
          return life.lifecycle.call(.pause)
        }
      }
      return try result.get()
    }
  }

  // MARK: - Transitions

  /// Changes the life cycle and does what follows from that, in the order in which it has to be.
  func change(_ transition: (inout Life) -> Lifecycle.Effect?) {
    let step = life.withLock { life in
      let before = life.lifecycle.state
      var effect = transition(&life)
      if life.queue == nil, life.lifecycle.state == .waiting { effect = life.lifecycle.takeTurn() }
      return Step(before: before, effect: effect, life: &life)
    }
    carryOut(step)
  }

  /// It is the download's turn: nil if it does not want it any more.
  func takeTurn() -> Step? {
    life.withLock { life in
      let before = life.lifecycle.state
      guard let effect = life.lifecycle.takeTurn() else { return nil }
      return Step(before: before, effect: effect, life: &life)
    }
  }

  /// From now on `queue` gives it its turn; returns what did so before.
  func join(_ queue: any TurnGiver) -> (any TurnGiver)? {
    life.withLock { life in
      defer { life.queue = queue }
      return life.queue
    }
  }

  func isIn(_ queue: any TurnGiver) -> Bool { life.withLock { $0.queue === queue } }

  /// Does without its queue, if that is it.
  func leave(_ queue: any TurnGiver) {
    life.withLock { if $0.queue === queue { $0.queue = nil } }
  }

  /// What is left to do after a transition, outside the lock.
  struct Step {
    fileprivate var news: State?
    fileprivate var isOver: Bool
    fileprivate var wasOver: Bool
    fileprivate var effect: Lifecycle.Effect?
    fileprivate var run: DownloadRun?
    fileprivate var ended:
      [(CheckedContinuation<Result<DownloadResult, DownloadError>, Never>, Result<DownloadResult, DownloadError>)] = []
    fileprivate var queue: (any TurnGiver)?

    fileprivate init(before: Lifecycle.State, effect: Lifecycle.Effect?, life: inout Life) {
      let state = life.lifecycle.state
      news = State(state) == State(before) ? nil : State(state)
      isOver = life.lifecycle.isOver
      wasOver = [.finished, .failed, .cancelled].contains(before)
      self.effect = effect
      run = life.run
      queue = news == nil ? nil : life.queue
      let isResting = isOver || [.ready, .waiting, .paused].contains(state)
      for (number, waiter) in life.waiters where isResting {
        guard let continuation = waiter.continuation, isOver || waiter.isCancelled else { continue }
        life.waiters[number] = nil
        ended.append((continuation, isOver ? life.outcome ?? .failure(.stopped) : .failure(.stopped)))
      }
    }
  }

  func carryOut(_ step: Step) {
    // First of all: whoever hears of a pause finds the next one running.
    step.queue?.changed(self)
    if let state = step.news {
      if step.wasOver { hub.reopen() }
      hub.send(.state(state))
      if step.isOver { hub.finish() }
    }
    switch step.effect {
    case .begin: begin()
    // One that has not begun yet sees for itself.
    case .stop: if let run = step.run { Task { await run.stop() } }
    case .remove: remove()
    case nil: break
    }
    for (continuation, result) in step.ended { continuation.resume(returning: result) }
  }

  private func begin() {
    guard order.isUnnamed, life.withLock({ $0.target == nil }) else { return run() }
    Task {
      do throws(Failure) {
        let target = try await order.named()
        let isWanted = life.withLock { life in
          life.target = target
          return life.lifecycle.state == .executing
        }
        if isWanted { run() } else { ended(.failure(Failure(.interrupted, "stopped"))) }
      } catch {
        ended(.failure(error))
      }
    }
  }

  private func run() {
    let limits = [limit] + (life.withLock { $0.queue }.map { [$0.limit] } ?? [])
    do throws(Failure) {
      let run = try DownloadRun(
        order.location, target: target, options: order.options, channel: hub, repairing: order.repair,
        limits: limits)
      let isWanted = life.withLock { life in
        life.run = run
        life.hasRun = true
        life.outcome = nil
        return life.lifecycle.state == .executing
      }
      run.start { [self] in ended($0) }
      if !isWanted { Task { await run.stop() } }
    } catch {
      ended(.failure(error))
    }
  }

  private func ended(_ result: Result<DownloadResult, Failure>) {
    change { life in
      life.run = nil
      life.outcome = result.mapError { DownloadError($0, url: name) }
      switch result {
      case .success: return life.lifecycle.ended(.finished)
      case .failure(let failure): return life.lifecycle.ended(failure.kind == .interrupted ? .stopped : .failed)
      }
    }
  }

  /// Removes part file and manifest.
  private func remove() {
    let hasRun = life.withLock { $0.hasRun }
    Task {
      do throws(Failure) {
        try await PartStore.removeLeftovers(of: target, evenWithoutManifest: hasRun)
      } catch {
        hub.send(.warning("what there was of it could not be removed: \(error.message)"))
      }
      change { life in
        life.lifecycle.removed()
        life.outcome = .failure(.cancelled)
        return nil
      }
    }
  }
}

/// Gives downloads their turn.
protocol TurnGiver: AnyObject, Sendable {
  /// What its downloads share.
  var limit: RateLimit { get }

  /// The state of one of its downloads has changed.
  func changed(_ download: Download)
}

extension Download: Identifiable, Hashable {
  /// A download is equal to itself only.
  public static func == (one: Download, other: Download) -> Bool { one === other }

  /// Adds the download's identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Download.State {
  init(_ state: Lifecycle.State) {
    self =
      switch state {
      case .ready: .ready
      case .waiting: .waiting
      case .executing: .executing
      case .pausing: .pausing
      case .paused: .paused
      case .cancelling: .cancelling
      case .cancelled: .cancelled
      case .finished: .finished
      case .failed: .failed
      }
  }
}

extension DownloadError {
  /// It stopped with work left, and nothing more is known.
  static let stopped = DownloadError(.interrupted, "stopped", suggestion: "resume it to continue")
  /// It was ended for good.
  static let cancelled = DownloadError(.cancelled, "the download was cancelled")
}
