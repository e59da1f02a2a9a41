import SheafCore
import Testing

struct ManifestFormatTests {
  @Test("uses the CRC-32 of zlib in these tests")
  func reference() {
    #expect(referenceCRC32(Array("123456789".utf8)) == 0xCBF4_3926)
  }

  @Test(
    "reads back what it wrote, whatever the validator",
    arguments: [
      .none, .strongTag("\"\""), .strongTag("\"a\u{FC}\""), .strongDate("Sun, 06 Nov 1994 08:49:37 GMT"),
      .weak(tag: "W/\"a\"", date: nil), .weak(tag: "W/\"a\"", date: "yesterday"), .weak(tag: nil, date: "yesterday"),
      .weak(tag: nil, date: ""), .weak(tag: nil, date: nil),
    ] as [Validator])
  func validators(validator: Validator) throws {
    let manifest = sampleManifest(validator: validator)
    let decoded = try manifestFormat.decode(manifestFormat.encode(manifest))
    #expect(decoded == DecodedManifest(manifest: manifest, generation: 1))
  }

  @Test("reads back any number of blocks", arguments: [1, 7, 8, 9, 63, 64, 65, 1000, 32_671, 32_672, 32_673, 131_072])
  func counts(count: Int) throws {
    let manifest = sampleManifest(blocks: count, seed: UInt64(count))
    for generation in [1, 2, 3, ManifestLayout.lastGeneration] as [UInt64] {
      let decoded = try manifestFormat.decode(manifestFormat.encode(manifest, generation: generation))
      #expect(decoded == DecodedManifest(manifest: manifest, generation: generation))
    }
  }

  @Test("takes the totals at the edges of a block", arguments: [1, (1 << 20) - 1, 1 << 20, (1 << 20) + 1] as [Int64])
  func edges(total: Int64) throws {
    var manifest = sampleManifest(blocks: total > 1 << 20 ? 2 : 1)
    manifest.total = total
    #expect(try manifestFormat.decode(manifestFormat.encode(manifest)).manifest == manifest)
  }

  @Test("keeps every field where the documentation says")
  func layout() throws {
    let manifest = sampleManifest(blocks: 20)
    let bytes = try manifestFormat.encode(manifest, generation: 1)
    #expect(bytes.count == 4096 + 2 * 4096 + 20 * 4)
    #expect(Array(bytes[..<8]) == [0x53, 0x48, 0x45, 0x41, 0x46, 0x0D, 0x0A, 0x1A])
    #expect(Array(bytes[8..<24]) == [1, 0, 0, 0, 0, 0x10, 0, 0, 20, 0, 0, 0, 1, 0, 0, 0])
    #expect(Array(bytes[24..<40]) == [0xEF, 0xFF, 0x3F, 1, 0, 0, 0, 0, 20, 0, 0, 0, 0, 0, 0, 0])
    #expect(Array(bytes[40..<72]) == manifest.sourceHash)
    #expect(Array(bytes[72..<82]) == [4, 0] + "\"v1\"".utf8 + [0xFF, 0xFF, 32, 0])
    #expect(Array(bytes[82..<114]) == Array(manifest.source.utf8))
    #expect(bytes[114..<4092].allSatisfy { $0 == 0 })
    // Generation 1 is in slot B; slot A was never written.
    #expect(bytes[4096..<8192].allSatisfy { $0 == 0 })
    #expect(Array(bytes[8192..<8200]) == [1, 0, 0, 0, 0, 0, 0, 0])
    #expect(Array(bytes[8204..<8207]) == manifest.blocks.bytes)
    let last = manifest.checksums[19]
    #expect(Array(bytes.suffix(4)) == (0..<4).map { UInt8(truncatingIfNeeded: last >> ($0 * 8)) })
  }

  @Test(
    "stays as small as the documentation says",
    arguments: [
      (1 << 30, 1 << 20, 16_384), (64 << 30, 8 << 20, 45_056), (1 << 40, 8 << 20, 569_344),
      (5 << 40, 8 << 20, 2_797_568),
    ] as [(Int64, Int64, Int)])
  func sizes(total: Int64, blockSize: Int64, size: Int) throws {
    let layout = try #require(ManifestLayout(blockCount: Manifest.blockCount(total: total, blockSize: blockSize)))
    #expect(layout.fileSize == size)
  }

  @Test(
    "has a layout for no impossible number of blocks", arguments: [0, -1, 1 << 24, 16_646_144, .max, .min] as [Int64])
  func impossibleLayouts(count: Int64) {
    #expect(ManifestLayout(blockCount: count) == nil)
  }

  @Test("gives each slot and the table its own pages")
  func pages() throws {
    for count in [1, 32_672, 32_673, 1_000_000] as [Int64] {
      let layout = try #require(ManifestLayout(blockCount: count))
      #expect(layout.slotSize % 4096 == 0 && layout.tableOffset == 4096 + 2 * layout.slotSize)
      #expect(layout.slotOffset(generation: 2) == 4096)
      #expect(layout.slotOffset(generation: 3) == 4096 + layout.slotSize)
    }
  }

  @Test("refuses to write what it would not read")
  func unwritable() {
    func problem(_ change: (inout Manifest) -> Void) -> ManifestProblem? {
      var manifest = sampleManifest()
      change(&manifest)
      do throws(ManifestProblem) { _ = try manifestFormat.encode(manifest) } catch { return error }
      return nil
    }
    func isInconsistent(_ change: (inout Manifest) -> Void) -> Bool {
      if case .inconsistent = problem(change) { true } else { false }
    }
    #expect(problem { _ in } == nil)
    #expect(isInconsistent { $0.total = 0 })
    #expect(isInconsistent { $0.total = -1 })
    #expect(isInconsistent { $0.total += 100 << 20 })
    #expect(isInconsistent { $0.total = (1 << 60) + 1 })
    #expect(isInconsistent { $0.blockSize = 1 << 19 })
    #expect(isInconsistent { $0.blockSize = 3 << 20 })
    #expect(isInconsistent { $0.blockSize = .min })
    #expect(isInconsistent { $0.blocks = Bitmap(count: 19) })
    #expect(isInconsistent { $0.checksums.removeLast() })
    #expect(isInconsistent { $0.sourceHash.removeLast() })
    #expect(isInconsistent { $0.source = "https://x/\u{1B}[2J" })
    #expect(isInconsistent { $0.validator = .strongTag("no quotes") })
    #expect(isInconsistent { $0.validator = .strongTag("W/\"a\"") })
    #expect(isInconsistent { $0.validator = .strongTag("\"a\"\r\nX: 1") })
    #expect(isInconsistent { $0.validator = .strongDate("today") })
    #expect(isInconsistent { $0.validator = .weak(tag: "\"a\"", date: nil) })
    #expect(isInconsistent { $0.validator = .weak(tag: nil, date: "a\nb") })
    #expect(problem { $0.source = String(repeating: "x", count: 5000) } == .headerTooLong)
    #expect(problem { $0.source = String(repeating: "x", count: 70_000) } == .headerTooLong)
    #expect(problem { $0.validator = .strongTag("\"" + String(repeating: "x", count: 5000) + "\"") } == .headerTooLong)
    #expect(
      problem {
        $0.total = 1 << 60
        $0.blocks = Bitmap(count: 1 << 25)
        $0.blockSize = 1 << 35
      } == .tooLarge)
  }

  @Test("fills the header page to the last byte and no further")
  func fullHeader() throws {
    // 72 bytes of fixed fields, three length prefixes, a tag of 4 bytes, 4 bytes of CRC-32.
    let room = 4096 - 72 - 6 - 4 - 4
    var manifest = sampleManifest()
    manifest.source = String(repeating: "x", count: room)
    #expect(try manifestFormat.decode(manifestFormat.encode(manifest)).manifest == manifest)
    manifest.source += "x"
    #expect(throws: ManifestProblem.headerTooLong) { try manifestFormat.encode(manifest) }
    // No room even for the length of the source.
    manifest.source = ""
    manifest.validator = .weak(tag: nil, date: String(repeating: "x", count: 4092 - 72 - 4 - 1))
    #expect(throws: ManifestProblem.headerTooLong) { try manifestFormat.encode(manifest) }
  }
}
