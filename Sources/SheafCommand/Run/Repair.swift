import Sheaf
import SheafCore
import Synchronization

/// `sheaf repair FILE URL`: one download that begins with what is good in a file.
enum Repair {
  static func run(_ options: RepairOptions) -> Never {
    Fetch.run { stop throws(UsageError) in
      let fetch = try options.fetch.prepared()
      // A document that cannot be read is told as any other failure of the download.
      let document = options.metalinkFile.map { path in
        Result { () throws(DownloadError) in try MetalinkDocument(path: path) }
      }
      let job = Job(index: 0, url: options.url ?? options.path) { () throws(DownloadError) in
        var evidence = RepairEvidence()
        evidence.metalink = try document?.get()
        evidence.samples = options.samples
        return try Download(
          repairing: options.path, from: options.url, to: fetch.output.map { .file($0) }, evidence: evidence,
          options: fetch.download)
      }
      let reporter = try Fetch.reporter(fetch, 1, stop)
      var run = Run(jobs: OneJob(job), limit: 1, reporter: reporter, stop: stop)
      run.afterwards = {
        guard let problem = fetch.saveCookies() else { return .ok }
        await reporter.printed(.event(.warning(problem.message)), of: 0)
        return .fileIO
      }
      return run
    }
  }
}

/// A run of one job.
private final class OneJob: JobSource {
  private let job: Mutex<Job?>

  init(_ job: Job) { self.job = Mutex(job) }

  func next() async -> Job? {
    job.withLock { job in
      defer { job = nil }
      return job
    }
  }

  func close() {}

  var leftOver: String? { nil }
}
