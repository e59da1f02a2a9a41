import SheafCore
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@testable import Sheaf

/// One run of a download over a simulated disk: the product's own files, with bytes from memory in place of transfers.
///
/// What it orders and in which order is what `DownloadRun` does.
final class Session {
  /// Stories that are played at the same time do not wait for each other's disks.
  private static let threads = (0..<2).map { SerialThread(name: "crash-disk-\($0)") }
  private static let publisher = Publisher(thread: SerialThread(name: "crash-publish"))

  let job: Job
  let disk: SimulatedDisk
  let store: PartStore
  /// Bytes of the files that a manifest may speak of, by tag.
  let known: [String: [UInt8]]
  /// Blocks that an earlier run's checkpoints vouch for.
  let guaranteed: Set<Int>
  /// Blocks whose bytes may be wrong by no fault of ours.
  let rotten: Set<Int>
  /// What is wrong about what was found on the disk.
  private(set) var complaints: [String] = []
  private(set) var wasFinished = false
  /// All bytes are there.
  private(set) var isFetched = false

  private(set) var part: PartFile?
  private var ledger: BlockLedger
  private var refuted: [Int] = []
  private var saved: Set<Int> = []

  /// - Parameter files: the disk as the download sees it; a mutant is a wrong view of it.
  init(
    _ job: Job, on disk: SimulatedDisk, as files: (any FileSystem)? = nil, known: [String: [UInt8]] = [:],
    rotten: Set<Int> = [], guaranteed: Set<Int> = []
  ) throws {
    self.job = job
    self.disk = disk
    self.known = known.merging([job.tag: job.content]) { $1 }
    self.rotten = rotten
    self.guaranteed = guaranteed
    ledger = BlockLedger(map: job.map, combine: crc32Combined)
    store = PartStore(
      try job.target(), durability: .full, files: files ?? disk, disk: Self.threads.randomElement() ?? Self.threads[0],
      publisher: Self.publisher)
  }

  /// - Parameter pieces: after so many it is stopped, as by Ctrl-C.
  func run(stoppingAfter pieces: Int? = nil) async throws(Failure) {
    do throws(Failure) {
      guard try await fetch(stoppingAfter: pieces) else { return }
      try await publish()
    } catch {
      // What `DownloadRun.fail` does.
      try? await checkpoint()
      await store.abandon(keepingPart: [.exists, .renameFailed].contains(error.kind))
      throw error
    }
  }

  func publish() async throws(Failure) {
    try await store.publish(job.identity, sourceHash: Job.sourceHash, replacing: job.overwrites)
    disk.note(.published(job.path))
  }

  /// Brings all bytes; false if there is nothing more to do.
  func fetch(stoppingAfter most: Int? = nil) async throws(Failure) -> Bool {
    switch try await store.open(continues: true, overwrites: job.overwrites) {
    case .finished(let finished):
      wasFinished = true
      if finished.record?.identity != job.identity { complaints.append("the finished file is not known again") }
      return false
    case .fresh(let part, _):
      self.part = part
      expect([], "starts over")
      try await layOut()
    case .resumable(let part, let manifest):
      self.part = part
      try await take(manifest, part)
    }
    var pieces = job.pieces(of: ledger.complete.ranges(where: false).flatMap(Array.init))
    var count = 0
    while !pieces.isEmpty {
      if let most, count >= most {
        try? await checkpoint()
        await store.abandon(keepingPart: false)
        return false
      }
      let before = ledger.complete.setCount
      try write(pieces.removeFirst())
      count += 1
      // The transfers do not wait for a checkpoint.
      if ledger.complete.setCount > before, !pieces.isEmpty, job.hasManifest {
        try await checkpoint(while: pieces.removeFirst())
        count += 1
      }
    }
    isFetched = true
    return true
  }

  private func layOut() async throws(Failure) {
    ledger = BlockLedger(map: job.map, combine: crc32Combined)
    saved = []
    if job.hasManifest { _ = try await store.layOut(total: Int64(job.content.count), manifest: job.manifest) }
  }

  /// Goes on from what an earlier run left, or not.
  private func take(_ manifest: Manifest, _ part: PartFile) async throws(Failure) {
    let map = BlockMap(total: manifest.total, blockSize: manifest.blockSize)
    let claimed = manifest.blocks.ranges(where: true).flatMap(Array.init)
    check(claimed, of: manifest, map, part)
    guard manifest.identity == job.identity else {
      disk.note(.forgot(job.path))
      try await store.discard()
      return try await layOut()
    }
    ledger = BlockLedger(
      map: map, complete: manifest.blocks, checksums: manifest.checksums, combine: crc32Combined)
    refuted = try await store.damaged(
      among: 0..<map.count, of: map, claims: manifest.blocks, checksums: manifest.checksums)
    for index in refuted { ledger.refute(index) }
    saved = Set(claimed).subtracting(refuted)
    expect(saved, "goes on from \(saved.sorted())")
  }

  private func expect(_ found: Set<Int>, _ what: String) {
    if !guaranteed.isSubset(of: found) { complaints.append("I5: \(what) in spite of a checkpoint of \(guaranteed)") }
  }

  /// I1: each bit that is set vouches for bytes that are there.
  private func check(_ claimed: [Int], of manifest: Manifest, _ map: BlockMap, _ part: PartFile) {
    guard case .strongTag(let tag) = manifest.validator, let content = known[tag], content.count == Int(manifest.total)
    else {
      complaints.append("I1: a manifest of nobody's: \(manifest.identity)")
      return
    }
    for index in claimed where !rotten.contains(index) {
      let range = map.range(of: index)
      var place = Int(range.lower)
      var isEqual = true
      do {
        try part.read(range) { piece in
          content.withUnsafeBytes {
            isEqual = isEqual && memcmp($0.baseAddress! + place, piece.baseAddress!, piece.count) == 0
          }
          place += piece.count
        }
      } catch {
        isEqual = false
      }
      if !isEqual { complaints.append("I1: block \(index) is claimed and wrong") }
    }
  }

  private func write(_ range: ByteRange) throws(Failure) {
    let bytes = bytes(of: range)
    let result = bytes.withUnsafeBytes { bytes in
      Result { () throws(Failure) in try part?.write(bytes, at: range.lower) }
    }
    try result.get()
    note(range)
  }

  private func note(_ range: ByteRange) { ledger.add(range, checksum: crc32(of: bytes(of: range))) }

  private func bytes(of range: ByteRange) -> [UInt8] { Array(job.content[Int(range.lower)..<Int(range.upper)]) }

  /// - Parameter piece: is written while the disk is busy with the checkpoint.
  private func checkpoint(while piece: ByteRange? = nil) async throws(Failure) {
    let completions = ledger.takeCompletions()
    let withdrawn = refuted
    refuted = []
    let isWritten = Mutex(false)
    if let piece, let part {
      let bytes = bytes(of: piece)
      disk.afterDataSync.withLock { hook in
        hook = {
          isWritten.withLock { isWritten in
            if !isWritten { bytes.withUnsafeBytes { try? part.write($0, at: piece.lower) } }
            isWritten = true
          }
        }
      }
    }
    defer { disk.afterDataSync.withLock { $0 = nil } }
    try await store.checkpoint(adding: completions, withdrawing: withdrawn)
    // Without a manifest there was none.
    if disk.image.number(at: job.path + ".sheaf") != nil {
      saved.formUnion(completions.map(\.index))
      disk.note(.saved(job.path, saved))
    }
    if let piece { isWritten.withLock { $0 } ? note(piece) : try write(piece) }
  }
}
