import SheafCore
import TestSupport
import Testing

@testable import Sheaf

/// A download with everything there is, from the origin over several connections to a simulated disk.
struct WholeDownload {
  static let size = 10 << 20
  static let tag = "\"whole\""

  let seed: UInt64

  var job: Job { Job(seed: seed, size: Self.size, tag: Self.tag) }

  func run(on disk: SimulatedDisk) async throws -> Result<DownloadResult, Failure> {
    let origin = try Origin(
      entity: Entity(seed: seed, size: Int64(Self.size)), behaviour: .correct.etag(Self.tag).rate(8 << 20))
    var options = DownloadOptions()
    options.connections = 4
    options.checkpointInterval = .milliseconds(20)
    let location = try #require(Location(origin.url))
    let run = try DownloadRun(
      location, target: Target(.file("file.bin"), urlPath: location.path), options: options, channel: EventHub(),
      engine: try Engine(files: disk))
    return await run.run()
  }
}
