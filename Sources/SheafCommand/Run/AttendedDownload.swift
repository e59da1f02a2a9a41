import Sheaf

/// A download of which the session and the hooks are told.
struct AttendedDownload: RunnableDownload {
  private let download: any RunnableDownload
  private let subject: HookCall.Subject
  private let index: Int
  private let session: Session?
  private let runner: HookRunner?

  init(
    _ download: any RunnableDownload, _ subject: HookCall.Subject, index: Int, session: Session?, hooks: HookRunner?
  ) {
    self.download = download
    self.subject = subject
    self.index = index
    self.session = session
    runner = hooks
  }

  func start(telling listener: @escaping @Sendable (DownloadEvent) -> Void) {
    runner?.run(runner?.hooks.began(subject), of: index)
    download.start(telling: listener)
  }

  func stop() { download.stop() }

  var value: DownloadResult {
    get async throws(DownloadError) {
      do throws(DownloadError) {
        let result = try await download.value
        session?.finished(index)
        let subject = HookCall.Subject(gid: subject.gid, url: subject.url, path: result.path)
        runner?.run(runner?.hooks.ended(subject, .complete(bytes: result.bytes)), of: index)
        return result
      } catch {
        runner?.run(runner?.hooks.ended(subject, .error(ExitStatus(error.code), error.message)), of: index)
        throw error
      }
    }
  }
}
