import Sheaf
import TestSupport

/// How one download of a test ended, and what was said on the way.
struct Fetched: Sendable {
  let result: Result<DownloadResult, DownloadError>
  let events: [DownloadEvent]

  /// Carries the download out.
  init(_ download: Download) async {
    let news = download.events
    download.start()
    var events: [DownloadEvent] = []
    for await event in news { events.append(event) }
    self.events = events
    do throws(DownloadError) {
      result = .success(try await download.value)
    } catch {
      result = .failure(error)
    }
  }

  var success: DownloadResult? { try? result.get() }

  var code: DownloadError.Code? {
    if case .failure(let error) = result { error.code } else { nil }
  }

  var warnings: [String] {
    events.compactMap { if case .warning(let message) = $0 { message } else { nil } }
  }

  var decisions: [String] {
    events.compactMap { if case .decision(let message) = $0 { message } else { nil } }
  }
}

/// Downloads `url` to `name` in `directory`.
func fetch(
  _ url: String, to directory: TemporaryDirectory, name: String = "file.bin",
  _ configure: (inout DownloadOptions) -> Void = { _ in }
) async throws -> Fetched {
  var options = DownloadOptions()
  options.durability = .off
  configure(&options)
  let download = try Download(url, to: .file(directory.file(name)), options: options)
  return await Fetched(download)
}
