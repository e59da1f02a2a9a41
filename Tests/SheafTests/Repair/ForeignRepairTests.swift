import Sheaf
import TestSupport
import Testing

/// Files that other programs have left, with the control files that they themselves have written.
@Suite("Repair of other programs' files", .serialized)
struct ForeignRepairTests {
  static let mebi: Int64 = 1 << 20
  static let entity = Entity(seed: 75, size: 20 << 20)

  struct Leftover: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let suffix: String
    let control: [UInt8]
    /// What the control file says is there.
    let complete: [Range<Int64>]
    /// How the same says that everything is there.
    let forged: [UInt8]
  }

  private static let quarters = (0..<4).map { ($0 * 5 * mebi)..<($0 * 5 * mebi + 5 * mebi / 2) }

  private static func bytes(_ hex: String) -> [UInt8] {
    let digits = Array(hex)
    return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
  }

  static let leftovers = [
    Leftover(
      testDescription: "aria2", suffix: ".aria2",
      control: bytes(
        "00010000000000000000001000000000000001400000000000000000000000000003e739c000000004"
          + "000000030010000000000008ffffffffffff8000000000080010000000000008ffffffffffff0000"
          + "0000000d0010000000000008ffffffffffff0000000000120010000000000008ffffffffffff0000"),
      complete: [(0, 3), (5, 8), (10, 13), (15, 18)].map { $0 * mebi..<$1 * mebi },
      forged: bytes("00010000000000000000001000000000000001400000000000000000000000000003fffff000000000")),
    Leftover(
      testDescription: "axel", suffix: ".st",
      control: bytes(
        "04000000a000000000000000280000000000000050000000000000007800000000000000a0000000000000"
          + "00c800000000000000f0000000000000001801000000000000400100000000"),
      complete: quarters, forged: bytes("0100000040010000000000004001000000000000400100000000")),
    Leftover(
      testDescription: "lftp", suffix: ".lftp-pget-status",
      control: Array(
        ("size=20971520\n0.pos=2621440\n0.limit=5242880\n1.pos=7864320\n1.limit=10485760\n"
          + "2.pos=13107200\n2.limit=15728640\n3.pos=18350080\n3.limit=20971520\n").utf8),
      complete: quarters, forged: Array("size=20971520\n0.pos=20971520\n0.limit=20971520\n".utf8)),
  ]

  @Test("what the control file says is kept, and some of it compared", arguments: leftovers)
  func honest(leftover: Leftover) async throws {
    let damage = try Damage(Self.entity, keeping: leftover.complete)
    try damage.directory.write(leftover.control, to: Damage.name + leftover.suffix)
    let origin = try Origin(entity: Self.entity)
    let fetched = try await damage.repair(from: origin.url)
    let result = try #require(fetched.success, "\(fetched.result)")
    #expect(Self.entity.difference(fromFileAt: damage.path) == nil)
    let blocks = leftover.complete.reduce(0) { $0 + $1.upperBound / Self.mebi - $1.lowerBound / Self.mebi }
    #expect(result.repair?.basis == .controlFile)
    #expect(result.repair?.keptBlocks == Int(blocks) && result.repair?.comparedBlocks == 4)
    #expect(result.fetchedBytes - result.wastedBytes == Self.entity.size - (blocks - 4) * Self.mebi)
  }

  @Test("a control file that says all is there makes zeros nothing better", arguments: leftovers)
  func zeros(leftover: Leftover) async throws {
    let damage = try Damage(Self.entity, keeping: [])
    try damage.directory.write(leftover.forged, to: Damage.name + leftover.suffix)
    let origin = try Origin(entity: Self.entity)
    let fetched = try await damage.repair(from: origin.url)
    #expect(fetched.success?.repair?.keptBlocks == 0, "\(fetched.result)")
    #expect(Self.entity.difference(fromFileAt: damage.path) == nil)
  }

  @Test("nor other bytes in half of the file", arguments: leftovers)
  func garbage(leftover: Leftover) async throws {
    let damage = try Damage(Self.entity, keeping: [0..<Self.entity.size])
    var bytes = try damage.directory.read(Damage.name)
    for place in stride(from: bytes.count / 2, to: bytes.count, by: 1000) { bytes[place] ^= 0xFF }
    try damage.directory.write(bytes, to: Damage.name)
    try damage.directory.write(leftover.forged, to: Damage.name + leftover.suffix)
    let origin = try Origin(entity: Self.entity)
    let fetched = try await damage.repair(from: origin.url, samples: 6)
    #expect(fetched.code == nil, "\(fetched.result)")
    #expect(Self.entity.difference(fromFileAt: damage.path) == nil)
  }

  @Test("one that cannot be understood, or is of another file, means that all is fetched", arguments: leftovers)
  func useless(leftover: Leftover) async throws {
    for (entity, control) in [
      (Self.entity, Array(leftover.control.dropLast())), (Entity(seed: 76, size: 19 << 20), leftover.control),
    ] {
      let damage = try Damage(entity, keeping: [0..<10 * Self.mebi])
      try damage.directory.write(control, to: Damage.name + leftover.suffix)
      let origin = try Origin(entity: entity)
      let fetched = try await damage.repair(from: origin.url)
      #expect(fetched.success?.repair?.keptBlocks == 0, "\(fetched.result)")
      #expect(fetched.warnings.contains { $0.contains(leftover.suffix) })
      #expect(entity.difference(fromFileAt: damage.path) == nil)
    }
  }

  @Test("Sheaf's own manifest beside a file that was given its final name by hand is believed")
  func ownManifest() async throws {
    let entity = Entity(seed: 77, size: 40 << 20)
    let origin = try Origin(
      entity: entity,
      behaviour: .correct.stalling(after: (6 << 20) + (512 << 10), on: .first(4))
        .cut(.head(after: 0), .stall, on: .after(4)))
    let damage = try Damage(entity, keeping: [])
    try damage.directory.remove(Damage.name)
    var options = DownloadOptions()
    options.connections = 4
    options.checkpointInterval = .milliseconds(5)
    options.durability = .off
    let download = try Download(origin.url, to: .file(damage.path), options: options)
    download.start()
    #expect(await origin.reached(seconds: 60) { $0.bytesSent >= 14 << 20 })
    download.cancel(keepingPartial: true)
    _ = try? await download.value
    let part = try damage.directory.read("file.bin.part")
    try damage.directory.remove("file.bin.part")
    try damage.directory.write(part, to: Damage.name)
    origin.serve(entity)
    let fetched = try await damage.repair(from: origin.url)
    let result = try #require(fetched.success, "\(fetched.result)")
    #expect(
      result.repair?.basis == .manifest && result.repair?.keptBlocks ?? 0 > 0 && result.repair?.trustedBlocks == 0)
    #expect(entity.difference(fromFileAt: damage.path) == nil)
    #expect(damage.directory.names() == [Damage.name])
  }
}
