import Foundation
import SheafFoundation

/// The shape of `URLSessionDownloadTask`, for code that is written for it.
final class DownloadTask: Sendable {
  private let download: Download

  /// As `downloadTask(with:)`: the file goes to `directory`, with the name that the server suggests.
  init(with url: URL, directory: URL) throws(DownloadError) {
    var options = DownloadOptions()
    options.naming = .server
    download = try Download(url, to: .directory(directory.path), options: options)
  }

  /// As `downloadTask(withResumeData:)`.
  init(withResumeData data: Data) throws(DownloadError) {
    download = try Download(resuming: try ResumeData(data: data))
  }

  func resume() { download.resume() }
  func suspend() { download.pause() }
  func cancel() { download.cancel() }

  /// As `cancel(byProducingResumeData:)`; nil if the server offers nothing that a file could be continued by.
  func cancelByProducingResumeData() async -> Data? {
    download.cancel(keepingPartial: true)
    _ = try? await download.value
    return await download.resumeData?.data
  }

  /// As the delegate's `didResumeAtOffset`, `didWriteData` and `didFinishDownloadingTo`, on the main thread.
  func observe(
    didResumeAtOffset: @escaping @Sendable (Int64) -> Void,
    didWrite: @escaping @Sendable (DownloadEvent.Progress) -> Void,
    didFinish: @escaping @Sendable (Result<DownloadResult, DownloadError>) -> Void
  ) {
    download.observe { event in
      switch event {
      case .started(let start) where start.resumedBytes > 0: didResumeAtOffset(start.resumedBytes)
      case .progress(let progress): didWrite(progress)
      default: break
      }
    }
    download.whenEnded(didFinish)
  }

  var value: DownloadResult { get async throws(DownloadError) { try await download.value } }
}
