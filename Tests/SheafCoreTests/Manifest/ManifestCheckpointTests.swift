import SheafCore
import Testing

struct ManifestCheckpointTests {
  @Test("writes new checksums, neighbours together, and then the whole slot of its generation")
  func writes() {
    let bitmap = Bitmap(count: 20)
    let writes = manifestFormat.checkpoint(
      bitmap: bitmap, checksums: [(7, 70), (3, 30), (8, 80), (19, 190), (2, 1), (2, 20)], generation: 2)
    let table: Int64 = 3 * 4096
    #expect(writes.map(\.offset) == [table + 8, table + 28, table + 76, 4096])
    #expect(writes.map(\.bytes.count) == [8, 8, 4, 4096])
    #expect(writes[0].bytes == [20, 0, 0, 0, 30, 0, 0, 0])
    #expect(manifestFormat.checkpoint(bitmap: bitmap, checksums: [], generation: 3).map(\.offset) == [8192])
  }

  @Test("follows a download through many checkpoints", arguments: [1, 20, 33_000])
  func story(count: Int) throws {
    var numbers = SeededNumbers(seed: UInt64(count))
    var manifest = sampleManifest(blocks: count)
    manifest.blocks = Bitmap(count: count)
    var file = try manifestFormat.encode(manifest)
    for generation in 2...30 as ClosedRange<UInt64> {
      var changes: [(index: Int, crc: UInt32)] = []
      for _ in 0..<5 {
        let index = Int.random(in: 0..<count, using: &numbers)
        let crc = UInt32.random(in: 0 ... .max, using: &numbers)
        manifest.blocks[index] = true
        manifest.checksums[index] = crc
        changes.append((index, crc))
      }
      file = applying(
        manifestFormat.checkpoint(bitmap: manifest.blocks, checksums: changes, generation: generation), to: file)
      #expect(try manifestFormat.decode(file) == DecodedManifest(manifest: manifest, generation: generation))
    }
  }

  /// A file at generation 2, the writes to generation 3, and both states.
  private func step() throws -> (
    before: DecodedManifest, file: [UInt8], writes: [ManifestWrite], after: DecodedManifest
  ) {
    var manifest = sampleManifest()
    manifest.blocks = Bitmap(count: 20)
    let first = try manifestFormat.encode(manifest)
    manifest.blocks[4] = true
    manifest.checksums[4] = 44
    let file = applying(
      manifestFormat.checkpoint(bitmap: manifest.blocks, checksums: [(4, 44)], generation: 2), to: first)
    let before = DecodedManifest(manifest: manifest, generation: 2)
    for index in [0, 9, 10, 19] {
      manifest.blocks[index] = true
      manifest.checksums[index] = UInt32(index) + 1000
    }
    let writes = manifestFormat.checkpoint(
      bitmap: manifest.blocks, checksums: [(0, 1000), (9, 1009), (10, 1010), (19, 1019)], generation: 3)
    return (before, file, writes, DecodedManifest(manifest: manifest, generation: 3))
  }

  @Test("falls back to the older slot wherever a slot write was torn")
  func tornSlot() throws {
    let (before, file, writes, after) = try step()
    let withChecksums = applying(Array(writes.dropLast()), to: file)
    let slot = try #require(writes.last)
    let offset = Int(slot.offset)
    // Only these bytes can arrive early or late; a cut between two of them leaves what the cut before it left.
    let differing = slot.bytes.indices.filter { slot.bytes[$0] != file[offset + $0] }
    #expect(differing.count > 5)
    for start in [0] + differing.map({ $0 + 1 }) {
      let front = ManifestWrite(offset: slot.offset, bytes: Array(slot.bytes[..<start]))
      let back = ManifestWrite(offset: slot.offset + Int64(start), bytes: Array(slot.bytes[start...]))
      let isLast = start == (differing.last ?? 0) + 1
      let afterFront = try manifestFormat.decode(applying([front], to: withChecksums))
      let afterBack = try manifestFormat.decode(applying([back], to: withChecksums))
      #expect(afterFront.generation == (isLast ? after : before).generation)
      #expect(afterFront.manifest.blocks == (isLast ? after : before).manifest.blocks)
      #expect(afterBack.generation == (start == 0 ? after : before).generation)
      #expect(afterBack.manifest.blocks == (start == 0 ? after : before).manifest.blocks)
    }
  }

  @Test("is valid after any subset of a checkpoint's writes, and claims no block without its checksum or the old one")
  func reordered() throws {
    let (before, file, writes, after) = try step()
    for subset in 0..<1 << writes.count {
      let reached = writes.indices.filter { subset >> $0 & 1 == 1 }.map { writes[$0] }
      let decoded = try manifestFormat.decode(applying(reached, to: file))
      let hasSlot = subset >> (writes.count - 1) & 1 == 1
      #expect(decoded.manifest.blocks == (hasSlot ? after : before).manifest.blocks)
      for (index, checksum) in decoded.manifest.checksums.enumerated() {
        #expect(checksum == before.manifest.checksums[index] || checksum == after.manifest.checksums[index])
      }
      // What both states claim is confirmed by the same checksum in every order.
      #expect(decoded.manifest.checksums[4] == 44)
    }
  }
}
