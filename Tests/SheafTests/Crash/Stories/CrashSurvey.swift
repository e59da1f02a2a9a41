import SheafCore

@testable import Sheaf

/// Plays a scene, cuts the power after every step in every way that `Journal` knows, and looks at what recovery makes of
/// each disk that this leaves.
struct CrashSurvey: Sendable {
  let scene: Scene
  /// A wrong view of the disk, for proof that the survey would see it.
  var mutant: Mutant?
  var samples = 200
  /// Of the bytes where a manifest may be torn, one in so many is tried.
  var stride = 1
  /// One recovery in so many is itself cut short.
  var secondCut = 4
  var stopsAtFirstComplaint = false

  /// Power cuts tried.
  private(set) var cuts = 0
  /// Different disks that they left, each recovered.
  private(set) var disks = 0
  /// Disks that a second power cut, during recovery, has left.
  private(set) var secondDisks = 0
  private(set) var complaints: [String] = []
  /// Syncs that the story asked for.
  private(set) var syncs = 0

  private var random: SplitMix

  init(_ scene: Scene, mutant: Mutant? = nil, seed: UInt64 = 1) {
    self.scene = scene
    self.mutant = mutant
    random = SplitMix(seed: seed)
  }

  /// What may be relied on at one moment of the story.
  struct Promise: Hashable {
    var guaranteed: [String: Set<Int>]
    /// Jobs whose success has been reported, in order.
    var published: [String] = []

    mutating func take(_ milestone: Milestone) {
      switch milestone {
      case .saved(let path, let blocks): guaranteed[path] = blocks
      case .forgot(let path): guaranteed[path] = nil
      case .published(let path):
        published.append(path)
        guaranteed[path] = nil
      }
    }
  }

  private struct Seen: Hashable {
    let disk: Int
    let promise: Promise
  }

  mutating func run() async throws {
    let disk = SimulatedDisk(scene.image, faults: scene.faults)
    complaints += try await scene.play(on: disk, as: view(of: disk))
    syncs = disk.syncCount
    var journal = Journal(scene.image)
    var promise = Promise(guaranteed: scene.guaranteed)
    var seen: Set<Seen> = []
    // Up to a sync that fails all is as without it.
    var isOfInterest = scene.faults.failingSync == nil
    for (index, effect) in disk.record.enumerated() {
      journal.take(effect)
      if case .noted(let milestone) = effect { promise.take(milestone) }
      if case .failedToSync = effect { isOfInterest = true }
      guard isOfInterest else { continue }
      var images: [([Journal.Kept], DiskImage)] = []
      journal.forEachPowerCut(samples: samples, stride: stride, &random) { kept in
        cuts += 1
        let image = journal.image(keeping: kept)
        if seen.insert(Seen(disk: image.fingerprint, promise: promise)).inserted { images.append((kept, image)) }
      }
      for (kept, image) in images {
        disks += 1
        let found = try await recover(image, promise, isSecond: false)
        complaints += found.map { "after step \(index) [\(kept.map(\.description).joined(separator: " "))]: \($0)" }
        if stopsAtFirstComplaint, !complaints.isEmpty { return }
      }
    }
  }

  /// Looks at so many power cuts at moments that chance chooses: for a record too long for all of them.
  mutating func sample(_ record: [Effect], count: Int) async throws {
    var moments = (0..<count).map { _ in Int(random.next() % UInt64(record.count)) }.sorted()[...]
    var journal = Journal(scene.image)
    var promise = Promise(guaranteed: scene.guaranteed)
    for (index, effect) in record.enumerated() {
      journal.take(effect)
      if case .noted(let milestone) = effect { promise.take(milestone) }
      while moments.first == index {
        moments.removeFirst()
        cuts += 1
        disks += 1
        let image = journal.image(keeping: journal.anyPowerCut(&random))
        complaints += try await recover(image, promise, isSecond: false).map { "after step \(index): \($0)" }
      }
    }
  }

  private func view(of disk: SimulatedDisk) -> any FileSystem { mutant?.view(of: disk) ?? disk }

  /// Which version of a path's file a power cut may leave: the last one that was reported, or a later one.
  private func versions(of path: String, _ promise: Promise) -> [[UInt8]?] {
    let all = [scene.old[path]] + scene.jobs.filter { $0.path == path }.map(\.content)
    return Array(all.dropFirst(promise.published.count { $0 == path }))
  }

  /// Lets the downloads that were not finished run again on a disk that a power cut left.
  private mutating func recover(_ image: DiskImage, _ promise: Promise, isSecond: Bool) async throws -> [String] {
    var complaints: [String] = []
    let paths = Set(scene.jobs.map(\.path))
    for path in paths {
      let found = image.file(at: path)?.content
      if !versions(of: path, promise).contains(where: { Self.isEqual(found, $0) }) {
        complaints.append("I3, I4: \(path) is \(found.map { "another file of \($0.size) bytes" } ?? "gone")")
      }
    }
    let disk = SimulatedDisk(image, faults: .init(renamesExclusively: scene.faults.renamesExclusively))
    for path in paths.sorted() {
      guard var job = scene.jobs.last(where: { $0.path == path }) else { continue }
      let wasThere = Self.isEqual(image.file(at: path)?.content, job.content)
      // Who sees the new file there does not ask for it to be overwritten.
      if wasThere { job.overwrites = false }
      // An earlier job of the name has other blocks.
      let isLast = scene.jobs.count { $0.path == path } == promise.published.count { $0 == path } + 1
      let session = try Session(
        job, on: disk, as: view(of: disk), known: scene.known, rotten: scene.rotten,
        guaranteed: isLast ? promise.guaranteed[path] ?? [] : [])
      do {
        try await session.run()
      } catch {
        complaints.append("I2: recovery failed: \(error)")
      }
      complaints += session.complaints
      if !Self.isEqual(disk.image.file(at: path)?.content, job.content) {
        complaints.append("I2: \(path) is wrong at the end")
      }
      if disk.image.number(at: path + ".part") != nil { complaints.append("\(path).part stays") }
      if wasThere != session.wasFinished { complaints.append("I6: a finished file is fetched again") }
    }
    if !isSecond, disks % secondCut == 0 { complaints += try await cutAgain(disk, image, promise) }
    return complaints
  }

  private static func isEqual(_ content: FileContent?, _ bytes: [UInt8]?) -> Bool {
    guard let content, let bytes else { return content == nil && bytes == nil }
    return content.equals(bytes)
  }

  /// Cuts the power during a recovery, and lets another one run: I6.
  private mutating func cutAgain(_ disk: SimulatedDisk, _ image: DiskImage, _ promise: Promise) async throws
    -> [String]
  {
    let record = disk.record
    guard !record.isEmpty else { return [] }
    let last = Int(random.next() % UInt64(record.count))
    var journal = Journal(image)
    var promise = promise
    for effect in record[...last] {
      journal.take(effect)
      if case .noted(let milestone) = effect { promise.take(milestone) }
    }
    secondDisks += 1
    let kept = journal.anyPowerCut(&random)
    return try await recover(journal.image(keeping: kept), promise, isSecond: true).map { "after a second cut: \($0)" }
  }
}
