import Sheaf
import TestSupport

/// A download of this process, for threads that wait.
struct LibraryDownload: Sendable {
  typealias Outcome = Result<DownloadResult, DownloadError>

  private let download: Download
  private let result = Monitor<Outcome?>(nil)

  init(_ url: String, to path: String, _ options: DownloadOptions) throws {
    let download = try Download(url, to: .file(path), options: options)
    self.download = download
    Task { [result] in
      let outcome: Outcome
      do throws(DownloadError) {
        outcome = .success(try await download.value)
      } catch {
        outcome = .failure(error)
      }
      result.withLock { $0 = outcome }
    }
  }

  func stop() { download.cancel(keepingPartial: true) }

  /// Blocks until it has ended or the seconds are over; nil then.
  func outcome(within seconds: Double) -> Outcome? { result.wait(seconds: seconds) { $0 } }
}
