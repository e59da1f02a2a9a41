import Sheaf
import SheafCore
import Synchronization

/// `sheaf -o -`: a download whose bytes go to standard output, in order.
final class StandardOutputDownload: RunnableDownload {
  private struct State {
    var outcome: Result<DownloadResult, DownloadError>?
    var waiters: [CheckedContinuation<Result<DownloadResult, DownloadError>, Never>] = []
  }

  private let stream: ByteStream
  private let writer: StandardOutputWriter
  private let state = Mutex(State())

  init(_ url: String, _ options: CommandOptions) throws(DownloadError) {
    stream = try ByteStream(url, window: options.window ?? ByteStream.defaultWindow, options: options.download)
    do throws(Failure) {
      writer = try StandardOutputWriter(decompresses: options.decompresses)
    } catch {
      throw DownloadError(error)
    }
  }

  func start(telling listener: @escaping @Sendable (DownloadEvent) -> Void) {
    stream.listen(listener)
    Task { end(await carryOut()) }
  }

  private func carryOut() async -> Result<DownloadResult, DownloadError> {
    do {
      for try await chunk in stream { try await writer.write(chunk) }
      try await writer.finish()
    } catch let failure as Failure {
      stream.stop()
      return .failure(DownloadError(failure))
    } catch let error as DownloadError {
      return .failure(error)
    } catch {
      return .failure(DownloadError(Failure(.unknown, "\(error)")))
    }
    guard let result = stream.result else { return .failure(DownloadError(Failure(.unknown, "it has no result"))) }
    return .success(result)
  }

  /// The writer may be waiting for a reader who does nothing: that is not waited for.
  func stop() {
    stream.stop()
    end(
      .failure(
        DownloadError(Failure(.interrupted, "stopped", suggestion: "run the same command again to start over"))))
  }

  var value: DownloadResult {
    get async throws(DownloadError) {
      let result = await withCheckedContinuation { continuation in
        let outcome = state.withLock { state in
          if state.outcome == nil { state.waiters.append(continuation) }
          return state.outcome
        }
        if let outcome { continuation.resume(returning: outcome) }
      }
      return try result.get()
    }
  }

  /// What comes first counts.
  private func end(_ result: Result<DownloadResult, DownloadError>) {
    let waiters = state.withLock { state in
      guard state.outcome == nil else {
        return [] as [CheckedContinuation<Result<DownloadResult, DownloadError>, Never>]
      }
      state.outcome = result
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume(returning: result) }
  }
}
