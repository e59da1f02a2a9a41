import SheafCore
import TestSupport
import Testing

@testable import Sheaf

/// The kernel reports a failed sync once and forgets it, and perhaps the bytes. No later sync may be believed.
@Suite("A failed sync")
struct FailedSyncTests {
  /// Syncs of a new file: the manifest's and its directory's, then the data's and the manifest's for each of two
  /// checkpoints, then that for publishing.
  static let ofFiles = 3...7

  @Test("ends the download with 17, and the same file is never synced again", arguments: ofFiles)
  func ends(failing: Int) async throws {
    let disk = SimulatedDisk(faults: .init(failingSync: failing))
    let session = try Session(Job(seed: 5, size: Story.size), on: disk)
    do {
      try await session.run()
      Issue.record("succeeded")
    } catch {
      #expect(error.kind == .fileIO)
    }
    try expectNoSecondTry(on: disk)
  }

  @Test("of data sets no bit, though the next sync succeeds")
  func data() async throws {
    let disk = SimulatedDisk(faults: .init(failingSync: 3))
    let session = try Session(Job(seed: 5, size: Story.size), on: disk)
    _ = try? await session.run()
    let bytes = try #require(disk.image.file(at: "file.bin.sheaf")).content.bytes(0..<1 << 20)
    #expect(try ManifestFormat(crc32: crc32(of:)).decode(bytes).manifest.blocks.setCount == 0)
    // The disk would have taken it: nobody asked.
    #expect(disk.syncCount == 3)
  }

  @Test("in a whole download over a connection is as final", arguments: 3...4)
  func whole(failing: Int) async throws {
    let disk = SimulatedDisk(faults: .init(failingSync: failing))
    let result = try await WholeDownload(seed: 6).run(on: disk)
    guard case .failure(let failure) = result else {
      Issue.record("succeeded")
      return
    }
    #expect(failure.kind == .fileIO)
    try expectNoSecondTry(on: disk)
    #expect(disk.image.number(at: "file.bin") == nil)
  }

  private func expectNoSecondTry(on disk: SimulatedDisk) throws {
    let record = disk.record
    let failed = try #require(record.firstIndex { if case .failedToSync = $0 { true } else { false } })
    guard case .failedToSync(let number) = record[failed] else { return }
    for effect in record[(failed + 1)...] {
      switch effect {
      case .synced(number), .syncedData(number): Issue.record("synced again")
      default: break
      }
    }
    // What a manifest says about data is written after the data's sync, so never again.
    if let manifest = disk.image.number(at: "file.bin.sheaf") {
      for case .wrote(manifest, _, _, _) in record[(failed + 1)...] { Issue.record("the manifest was written") }
    }
  }
}
