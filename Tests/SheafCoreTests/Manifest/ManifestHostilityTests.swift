import SheafCore
import Testing

/// Stands in for CRC-32 where a test decodes a hundred thousand times: it notices every single changed bit.
@Sendable private func fold(_ bytes: [UInt8]) -> UInt32 {
  bytes.withUnsafeBytes { buffer in
    var result: UInt64 = 0x9E37_79B9_7F4A_7C15
    var offset = 0
    while offset + 8 <= buffer.count {
      result ^= buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      offset += 8
    }
    while offset < buffer.count {
      result ^= UInt64(buffer[offset]) << UInt64(offset & 7 * 8)
      offset += 1
    }
    return UInt32(truncatingIfNeeded: result) ^ UInt32(truncatingIfNeeded: result >> 32)
  }
}

private func problem(_ bytes: [UInt8], _ format: ManifestFormat = manifestFormat) -> ManifestProblem? {
  do throws(ManifestProblem) { _ = try format.decode(bytes) } catch { return error }
  return nil
}

private func isInconsistent(_ bytes: [UInt8]) -> Bool {
  if case .inconsistent = problem(bytes) { true } else { false }
}

/// `bytes` with a header whose CRC-32 is right again, as a forger would leave it.
private func resigned(_ bytes: [UInt8]) -> [UInt8] {
  var result = bytes
  let crc = referenceCRC32(Array(bytes[..<4092]))
  for index in 0..<4 { result[4092 + index] = UInt8(truncatingIfNeeded: crc >> (UInt32(index) * 8)) }
  return result
}

private func replacing(_ offset: Int, with value: some FixedWidthInteger, in bytes: [UInt8]) -> [UInt8] {
  var result = bytes
  withUnsafeBytes(of: value.littleEndian) { result.replaceSubrange(offset..<offset + $0.count, with: $0) }
  return resigned(result)
}

struct ManifestHostilityTests {
  /// Generation 2 in slot A, generation 1 in slot B, 20 blocks.
  private static func twoSlots(_ format: ManifestFormat) throws -> (file: [UInt8], old: Bitmap, new: DecodedManifest) {
    var manifest = sampleManifest()
    let old = manifest.blocks
    let first = try format.encode(manifest)
    manifest.blocks = Bitmap(count: 20)
    manifest.blocks[3] = true
    let file = applying(format.checkpoint(bitmap: manifest.blocks, checksums: [], generation: 2), to: first)
    return (file, old, DecodedManifest(manifest: manifest, generation: 2))
  }

  @Test("survives every single flipped bit: refused, the other slot, or one checksum", arguments: 0..<4)
  func bitFlips(quarter: Int) throws {
    let format = ManifestFormat(crc32: fold)
    var (file, old, new) = try Self.twoSlots(format)
    #expect(try format.decode(file) == new)
    for offset in file.indices where offset % 4 == quarter {
      for bit in 0..<8 {
        file[offset] ^= 1 << UInt8(bit)
        defer { file[offset] ^= 1 << UInt8(bit) }
        let decoded: DecodedManifest?
        do throws(ManifestProblem) { decoded = try format.decode(file) } catch { decoded = nil }

        let isHarmless: Bool
        switch offset {
        case ..<4096: isHarmless = decoded == nil
        case ..<8192: isHarmless = decoded?.generation == 1 && decoded?.manifest.blocks == old
        case ..<12_288: isHarmless = decoded == new
        default:
          let differing = zip(decoded?.manifest.checksums ?? [], new.manifest.checksums).count { $0 != $1 }
          isHarmless = differing == 1 && decoded?.manifest.blocks == new.manifest.blocks
        }
        if !isHarmless { Issue.record("bit \(bit) of byte \(offset)") }
      }
    }
  }

  @Test("refuses every flipped bit of the fields by the real CRC-32 as well")
  func headerFlips() throws {
    var file = try manifestFormat.encode(sampleManifest())
    for offset in Array(0..<130) + Array(4085..<4096) {
      for bit in 0..<8 {
        file[offset] ^= 1 << UInt8(bit)
        #expect(problem(file) != nil)
        file[offset] ^= 1 << UInt8(bit)
      }
    }
  }

  @Test("has nothing usable when both slots are damaged")
  func nothingUsable() throws {
    var (file, _, _) = try Self.twoSlots(manifestFormat)
    file[4096 + 12] ^= 1
    file[8192 + 12] ^= 1
    #expect(problem(file) == .nothingUsable)
  }

  @Test("refuses every truncation and every longer file")
  func truncation() throws {
    let format = ManifestFormat(crc32: fold)
    let file = try format.encode(sampleManifest(blocks: 3))
    for length in 0..<file.count {
      if problem(Array(file.prefix(length)), format) == nil { Issue.record("\(length) bytes") }
    }
    #expect(problem([], format) == .notAManifest)
    #expect(
      problem(file + [0], format)
        == .wrongSize(expected: Int64(file.count), actual: Int64(file.count) + 1))
    #expect(problem(Array(repeating: 0, count: 64 << 20 + 1), format) == .tooLarge)
  }

  @Test("refuses forged numbers behind a right CRC-32")
  func forgedNumbers() throws {
    let file = try manifestFormat.encode(sampleManifest())
    #expect(problem(resigned(file)) == nil)
    #expect(problem(replacing(8, with: UInt32(2), in: file)) == .unsupportedVersion(2))
    #expect(problem(replacing(8, with: UInt32(0), in: file)) == .unsupportedVersion(0))
    #expect(isInconsistent(replacing(12, with: UInt32(8192), in: file)))
    for log2 in [0, 19, 21, 60, 62, 63, 64, 255, .max] as [UInt32] {
      #expect(isInconsistent(replacing(16, with: log2, in: file)), "\(log2)")
    }
    for total in [0, 1, 1 << 60, 1 << 60 + 1, 1 << 63 - 1, 1 << 63, .max] as [UInt64] {
      #expect(isInconsistent(replacing(24, with: total, in: file)), "\(total)")
    }
    for count in [0, 19, 21, 1 << 32 + 20, 1 << 62, 1 << 63 - 1, 1 << 63, .max] as [UInt64] {
      #expect(isInconsistent(replacing(32, with: count, in: file)), "\(count)")
    }
    // Consistent with each other, far beyond the file.
    let huge = replacing(24, with: UInt64(1) << 60, in: replacing(32, with: UInt64(1) << 40, in: file))
    #expect(problem(huge) == .tooLarge)
    let large = replacing(24, with: UInt64(1) << 43, in: replacing(32, with: UInt64(1) << 23, in: file))
    #expect(problem(large) == .wrongSize(expected: 35_663_872, actual: Int64(file.count)))
  }

  @Test("refuses forged strings behind a right CRC-32")
  func forgedStrings() throws {
    let file = try manifestFormat.encode(sampleManifest())
    // Kinds that are unknown or do not fit the strings that are there.
    for kind in [0, 2, 3, 4, .max] as [UInt32] { #expect(isInconsistent(replacing(20, with: kind, in: file))) }
    // The tag's length: zero, beyond the page, absent.
    for length in [0, 1, 5, 4017, 4018, 4019, 0xFFFE, 0xFFFF] as [UInt16] {
      #expect(isInconsistent(replacing(72, with: length, in: file)), "\(length)")
    }
    #expect(isInconsistent(replacing(74, with: UInt8(ascii: "x"), in: file)))
    #expect(isInconsistent(replacing(75, with: UInt8(ascii: "\n"), in: file)))
    #expect(isInconsistent(replacing(75, with: UInt8(0xFF), in: file)))
    // The source: no text, absent, followed by something.
    #expect(isInconsistent(replacing(90, with: UInt8(0x1B), in: file)))
    #expect(isInconsistent(replacing(80, with: UInt16.max, in: file)))
    #expect(isInconsistent(replacing(4091, with: UInt8(1), in: file)))
  }

  @Test("ignores a forged slot")
  func forgedSlots() throws {
    let layout = try #require(ManifestLayout(blockCount: 20))
    let (file, _, new) = try Self.twoSlots(manifestFormat)

    // Spare bits set, a generation of the wrong parity, zero, or one that could not be counted on: each with a right CRC-32.
    func forged(slot: Int, generation: UInt64, bitmap: [UInt8]) -> [UInt8] {
      var covered = withUnsafeBytes(of: generation.littleEndian) { Array($0) } + bitmap
      covered += Array(repeating: 0, count: layout.slotSize - 4 - covered.count)
      let crc = withUnsafeBytes(of: referenceCRC32(covered).littleEndian) { Array($0) }
      let bytes = Array(covered[..<8]) + crc + covered[8...]
      return applying([ManifestWrite(offset: Int64(slot), bytes: bytes)], to: file)
    }
    let slotB = 4096 + layout.slotSize
    #expect(try manifestFormat.decode(forged(slot: slotB, generation: 3, bitmap: [1, 0, 0])).generation == 3)
    #expect(try manifestFormat.decode(forged(slot: slotB, generation: 3, bitmap: [1, 0, 0x10])) == new)
    #expect(try manifestFormat.decode(forged(slot: slotB, generation: 4, bitmap: [1, 0, 0])) == new)
    #expect(try manifestFormat.decode(forged(slot: slotB, generation: .max, bitmap: [1, 0, 0])) == new)
    #expect(try manifestFormat.decode(forged(slot: slotB, generation: 1 << 63 + 1, bitmap: [1, 0, 0])) == new)
    #expect(try manifestFormat.decode(forged(slot: 4096, generation: 0, bitmap: [1, 0, 0])).generation == 1)
  }

  @Test("never traps on ten million random bytes, half of them behind a signed header")
  func randomBytes() throws {
    var numbers = SeededNumbers(seed: 80)
    let valid = try manifestFormat.encode(sampleManifest())
    var remaining = 10_000_000
    var round = 0
    while remaining > 0 {
      var bytes = [UInt8](
        repeating: 0, count: round % 3 == 0 ? Int.random(in: 0...20_000, using: &numbers) : valid.count)
      bytes.withUnsafeMutableBytes { buffer in
        for offset in stride(from: 0, to: buffer.count - 7, by: 8) {
          buffer.storeBytes(of: numbers.next(), toByteOffset: offset, as: UInt64.self)
        }
      }
      remaining -= max(bytes.count, 1)
      if bytes.count >= 4096, round % 2 == 0 {
        // Valid up to a random field, random from there on.
        let kept = Int.random(in: 12...140, using: &numbers)
        bytes.replaceSubrange(..<kept, with: valid[..<kept])
        bytes = resigned(bytes)
      }
      _ = problem(bytes)
      round += 1
    }
  }

  @Test("describes every problem as a part of a sentence")
  func descriptions() {
    let problems: [ManifestProblem] = [
      .notAManifest, .unsupportedVersion(9), .damagedHeader, .inconsistent("x"), .wrongSize(expected: 1, actual: 2),
      .tooLarge, .headerTooLong, .nothingUsable,
    ]
    for problem in problems { #expect(!problem.description.isEmpty && !problem.description.hasSuffix(".")) }
  }
}
