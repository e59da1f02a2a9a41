import SheafCore

@testable import Sheaf

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A story's beginning, and how it goes on.
struct Scene: Sendable {
  var image = DiskImage()
  /// One after the other, or all of a group at once.
  var jobs: [Job]
  var isGroup = false
  /// The first job is stopped after so many pieces.
  var stop: Int?
  var faults = SimulatedDisk.Faults()
  /// Files that a manifest on the disk may speak of, by tag.
  var known: [String: [UInt8]] = [:]
  /// What earlier checkpoints vouch for, by path.
  var guaranteed: [String: Set<Int>] = [:]
  /// Blocks whose bytes have changed on the disk by themselves, whatever the manifest says.
  var rotten: Set<Int> = []
  /// The user's files that were there before.
  var old: [String: [UInt8]] = [:]

  init(jobs: [Job]) { self.jobs = jobs }

  /// Adds a file of the user's.
  mutating func put(_ bytes: [UInt8], _ path: String) {
    image.add(bytes, at: path, owner: geteuid())
    old[path] = bytes
  }

  /// Lets an earlier run of a job end before its time, and all of it reach the disk.
  mutating func interrupt(_ job: Job) async throws {
    let disk = SimulatedDisk(image)
    try await Session(job, on: disk).run(stoppingAfter: 4)
    image = disk.image
    image.settle()
    for case .noted(.saved(let path, let blocks)) in disk.record { guaranteed[path] = blocks }
  }

  /// Turns a bit around.
  mutating func damage(_ path: String, at offset: Int) {
    guard let number = image.number(at: path), let file = image.files[number] else { return }
    image.files[number]?.content.store(
      Payload(file.content.bytes(offset..<offset + 1).map { $0 ^ 1 }), 0..<1, at: offset)
  }

  /// Plays the story to its end, or until it fails, and notes every step on the disk.
  /// - Returns: what was wrong about what it found at its beginning.
  func play(on disk: SimulatedDisk, as files: any FileSystem) async throws -> [String] {
    var sessions: [Session] = []
    for job in jobs {
      let session = try Session(
        job, on: disk, as: files, known: known, rotten: rotten, guaranteed: guaranteed[job.path] ?? [])
      sessions.append(session)
      do throws(Failure) {
        if isGroup { _ = try await session.fetch() } else { try await session.run(stoppingAfter: stop) }
      } catch {
        // An honest end.
        break
      }
    }
    if isGroup { await publishTogether(sessions, on: disk) }
    return sessions.flatMap(\.complaints)
  }

  private func publishTogether(_ sessions: [Session], on disk: SimulatedDisk) async {
    guard let directory = await sessions[0].store.directory else { return }
    let publications = sessions.compactMap { session -> PartPublication? in
      guard session.isFetched, let part = session.part, let target = try? session.job.target() else { return nil }
      return PartPublication(
        part: part, directory: directory, target: target, identity: session.job.identity,
        sourceHash: Job.sourceHash, isReplacing: session.job.overwrites, hasManifest: session.job.hasManifest)
    }
    for (session, result) in zip(sessions.filter(\.isFetched), publish(publications, isDurable: true)) {
      if case .success = result { disk.note(.published(session.job.path)) }
    }
  }
}
