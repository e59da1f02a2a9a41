/// The states of a download as its user sees them, and what each call does in each of them.
///
/// ```
///   ready ──resume──▶ waiting ──takeTurn──▶ executing ──ended──▶ finished, failed
///                        ▲                   │     ▲
///                        │                 pause   └──(resume before it has stopped lines up again)
///                        └──resume── paused ◀── pausing
///   any but finished: cancel ──▶ cancelling ──▶ cancelled;   failed, cancelled: retry ──▶ waiting
/// ```
///
/// Stopping and removing take a moment, in which the download is `pausing` or `cancelling`.
package struct Lifecycle: Hashable, Sendable {
  /// Where the download is.
  package enum State: Hashable, Sendable {
    /// Nothing has happened yet.
    case ready
    /// It is to run as soon as it is its turn.
    case waiting
    case executing
    /// A last checkpoint is being taken; `resumes` says that it lines up again after it.
    case pausing(resumes: Bool)
    case paused
    /// It is being stopped, or what it left is being removed.
    case cancelling(keepsPartial: Bool)
    case cancelled
    case finished
    case failed
  }

  /// What its user asks for.
  package enum Call: Hashable, Sendable {
    /// Start, or go on after a pause.
    case resume
    case pause
    case cancel(keepingPartial: Bool)
    /// Start again what failed or was cancelled, with what is there.
    case retry
  }

  /// How a run ended.
  package enum Ending: Hashable, Sendable {
    case finished
    /// It was told to stop, and did with work left.
    case stopped
    case failed
  }

  /// What is to be done after a transition.
  package enum Effect: Hashable, Sendable {
    /// Carry the download out; `ended` tells how that went.
    case begin
    /// Stop the run; it ends a little later.
    case stop
    /// Remove part file and manifest; `removed` tells when.
    case remove
  }

  package private(set) var state = State.ready

  package init() {}

  /// Nothing happens any more without another call.
  package var isOver: Bool {
    switch state {
    case .finished, .failed, .cancelled: true
    default: false
    }
  }

  /// Connections, threads or files are in use.
  package var isActive: Bool {
    switch state {
    case .executing, .pausing, .cancelling: true
    default: false
    }
  }

  package mutating func call(_ call: Call) -> Effect? {
    switch call {
    case .resume: resume()
    case .pause: pause()
    case .cancel(let keepingPartial): cancel(keepingPartial)
    case .retry: retry()
    }
  }

  /// It is its turn to run.
  package mutating func takeTurn() -> Effect? {
    guard state == .waiting else { return nil }
    state = .executing
    return .begin
  }

  /// The run that `begin` asked for is over.
  package mutating func ended(_ ending: Ending) -> Effect? {
    switch (state, ending) {
    case (.executing, .finished), (.pausing, .finished), (.cancelling, .finished):
      // The file had its name before anybody could stop it.
      state = .finished
    case (.pausing(let resumes), .stopped):
      state = resumes ? .waiting : .paused
    case (.executing, .failed), (.executing, .stopped), (.pausing, .failed):
      state = .failed
    case (.cancelling(keepsPartial: true), _):
      state = .cancelled
    case (.cancelling(keepsPartial: false), _):
      return .remove
    case (.ready, _), (.waiting, _), (.paused, _), (.cancelled, _), (.finished, _), (.failed, _):
      break
    }
    return nil
  }

  /// What `remove` asked for is done, as far as it could be.
  package mutating func removed() {
    if case .cancelling = state { state = .cancelled }
  }

  private mutating func resume() -> Effect? {
    switch state {
    case .ready, .paused: state = .waiting
    case .pausing: state = .pausing(resumes: true)
    case .waiting, .executing, .cancelling, .cancelled, .finished, .failed: break
    }
    return nil
  }

  private mutating func pause() -> Effect? {
    switch state {
    case .ready, .waiting:
      state = .paused
    case .executing:
      state = .pausing(resumes: false)
      return .stop
    case .pausing:
      state = .pausing(resumes: false)
    case .paused, .cancelling, .cancelled, .finished, .failed:
      break
    }
    return nil
  }

  private mutating func cancel(_ keepingPartial: Bool) -> Effect? {
    switch state {
    case .finished:
      return nil
    case .executing:
      state = .cancelling(keepsPartial: keepingPartial)
      return .stop
    case .pausing:
      state = .cancelling(keepsPartial: keepingPartial)
      return nil
    case .cancelling(let keepsPartial):
      // Removing is not undone.
      state = .cancelling(keepsPartial: keepsPartial && keepingPartial)
      return nil
    case .ready, .waiting, .paused, .failed, .cancelled:
      guard !keepingPartial else {
        state = .cancelled
        return nil
      }
      state = .cancelling(keepsPartial: false)
      return .remove
    }
  }

  private mutating func retry() -> Effect? {
    switch state {
    case .failed, .cancelled: state = .waiting
    case .ready, .waiting, .executing, .pausing, .paused, .cancelling, .finished: break
    }
    return nil
  }
}
