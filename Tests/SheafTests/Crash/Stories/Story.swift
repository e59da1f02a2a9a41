import SheafCore

@testable import Sheaf

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What a download does when the power goes.
enum Story: String, CaseIterable, Sendable {
  case fresh = "a new file in a new directory"
  case stopped = "a new file, stopped by Ctrl-C"
  case resumed = "continued"
  case damaged = "continued, with a damaged block"
  case changed = "the file has changed on the server"
  case resized = "the file on the server has another size now"
  case overwriting = "in place of the user's file"
  case again = "a second version in place of the first, one right after the other"
  case small = "a small file without a manifest"
  case smallOverwriting = "a small file in place of the user's"
  case group = "a small and a large file, published together"
  case linked = "where renaming takes two steps"

  static let size = (3 << 20) + (96 << 10)

  /// The story and the disk it begins with.
  func scene() async throws -> Scene {
    let job = Job(seed: 1, size: Self.size)
    var scene = Scene(jobs: [job])
    switch self {
    case .fresh: scene.jobs = [Job("new/sub/file.bin", seed: 1, size: Self.size)]
    case .stopped: scene.stop = 3
    case .resumed:
      try await scene.interrupt(job)
    case .damaged:
      try await scene.interrupt(job)
      scene.damage("file.bin.part", at: 4711)
      scene.rotten = [0]
      scene.guaranteed["file.bin"]?.remove(0)
    case .changed, .resized:
      try await scene.interrupt(job)
      scene.jobs = [Job(seed: 2, size: self == .resized ? Self.size + 4096 : Self.size)]
      // What is there is of no use, and a crash before that is known loses nothing by losing it.
      scene.guaranteed = [:]
      scene.known[job.tag] = job.content
    case .overwriting, .smallOverwriting:
      scene.jobs[0] = self == .overwriting ? job : Self.smallJob("file.bin", 1)
      scene.jobs[0].overwrites = true
      scene.put(Array("mine".utf8), "file.bin")
    case .again:
      var other = Job(seed: 2, size: Self.size)
      other.overwrites = true
      scene.jobs.append(other)
      scene.known = [job.tag: job.content, other.tag: other.content]
    case .small: scene.jobs = [Self.smallJob("file.bin", 1)]
    case .group:
      scene.jobs = [Self.smallJob("a", 1), Job("b", seed: 2, size: (1 << 20) + 70_000)]
      scene.isGroup = true
    case .linked: scene.faults.renamesExclusively = false
    }
    return scene
  }

  private static func smallJob(_ path: String, _ seed: UInt64) -> Job {
    var job = Job(path, seed: seed, size: 90_000)
    job.hasManifest = false
    return job
  }
}
