import SheafCore
import Synchronization

/// One file being fetched from one source.
///
/// ```swift
/// let download = try Download("https://example.org/big.iso", to: .directory("."))
/// for await event in download.events { print(event) }
/// let file = try await download.value
/// ```
public final class Download: Sendable {
  /// News of the download, for one reader. It ends when the download has ended. A slow reader loses
  /// older progress, nothing else.
  public let events: AsyncStream<DownloadEvent>

  /// Prepares a download; nothing happens before `start()` or `value`.
  /// - Throws: `DownloadError` with code `usage` if the URL or an option makes no sense.
  public init(_ url: String, to destination: Destination, options: DownloadOptions = DownloadOptions())
    throws(DownloadError)
  {
    events = AsyncStream { _ in }
  }

  /// Starts the download, once; further calls change nothing.
  public func start() {}

  /// Stops the download after a last checkpoint. `value` then throws `interrupted`, and the part file and
  /// manifest stay, so that the same download can continue later, in this or another process.
  public func stop() {}

  /// The result, when there is one; starts the download if that has not happened.
  ///
  /// Cancelling the waiting task stops the download as `stop()` does.
  /// - Throws: `DownloadError`.
  public var value: DownloadResult {
    get async throws(DownloadError) { throw DownloadError(Failure(.unknown, "not built yet")) }
  }
}
