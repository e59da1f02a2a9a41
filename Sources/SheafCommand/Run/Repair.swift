import Sheaf
import SheafCore
import Synchronization

/// `sheaf repair FILE URL`: one download that begins with what is good in a file.
enum Repair {
  static func run(_ options: RepairOptions) -> Never {
    Fetch.run { stop throws(UsageError) in
      let fetch = try options.fetch.readingNetrc()
      var evidence = RepairEvidence()
      evidence.samples = options.samples
      if let path = options.metalinkFile {
        do throws(DownloadError) {
          evidence.metalink = try MetalinkReader.read(path)
        } catch {
          throw UsageError(error.message, suggestion: error.suggestion ?? "see sheaf repair --help")
        }
      }
      let job = OneJob(
        Job(index: 0, url: options.url ?? options.path) { [evidence] () throws(DownloadError) in
          try Download(
            repairing: options.path, from: options.url, to: fetch.output.map { .file($0) }, evidence: evidence,
            options: fetch.download)
        })
      return Run(jobs: job, limit: 1, reporter: Fetch.reporter(fetch, 1, stop), stop: stop)
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
