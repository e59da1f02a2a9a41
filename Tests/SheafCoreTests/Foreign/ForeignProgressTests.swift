import SheafCore
import Testing

/// Control files as they were left by the programs themselves when they were killed over a file of 20 MiB from a slow
/// server: aria2 1.37, axel 2.17.11 and lftp 4.9.2.
enum ForeignSamples {
  static let total: Int64 = 20 << 20

  static let aria2 = hex(
    """
    00010000000000000000001000000000000001400000000000000000000000000003e739c000000004000000030010000000000008ffffffff\
    ffff8000000000080010000000000008ffffffffffff00000000000d0010000000000008ffffffffffff0000000000120010000000000008ff\
    ffffffffff0000
    """)
  static let axel = hex(
    """
    04000000a000000000000000280000000000000050000000000000007800000000000000a000000000000000c800000000000000f000000000\
    0000001801000000000000400100000000
    """)
  static let axelUneven = hex(
    "03000000c000000000000000400000000000aaaa6a0000000000aaaaaa00000000005455d5000000000054551501000000000000400100000000"
  )
  static let lftp = Array(
    """
    size=20971520
    0.pos=2621440
    0.limit=5242880
    1.pos=7864320
    1.limit=10485760
    2.pos=13107200
    2.limit=15728640
    3.pos=18350080
    3.limit=20971520

    """.utf8)

  static func hex(_ text: String) -> [UInt8] { bytes(ofHexadecimal: text) ?? [] }
}

@Suite("Control files of other programs")
struct ForeignProgressTests {
  typealias Parse = @Sendable ([UInt8]) -> ForeignProgress?

  struct Sample: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let parse: Parse
    let bytes: [UInt8]
    let complete: [ByteRange]
  }

  private static let mebi: Int64 = 1 << 20
  private static let quarters = (0..<4).map { ByteRange($0 * 5 * mebi, $0 * 5 * mebi + 5 * mebi / 2) }

  static let samples = [
    Sample(
      testDescription: "aria2", parse: Aria2ControlFile.parse, bytes: ForeignSamples.aria2,
      complete: [(0, 3), (5, 8), (10, 13), (15, 18)].map { ByteRange($0 * mebi, $1 * mebi) }),
    Sample(testDescription: "axel", parse: AxelStateFile.parse, bytes: ForeignSamples.axel, complete: quarters),
    Sample(
      testDescription: "axel, three", parse: AxelStateFile.parse, bytes: ForeignSamples.axelUneven,
      complete: [(0, 0x400000), (0x6AAAAA, 0xAAAAAA), (0xD55554, 0x1155554)].map { ByteRange($0, $1) }),
    Sample(testDescription: "lftp", parse: LftpStatusFile.parse, bytes: ForeignSamples.lftp, complete: quarters),
  ]

  @Test("says what the program had fetched", arguments: samples)
  func real(sample: Sample) throws {
    let progress = try #require(sample.parse(sample.bytes))
    #expect(progress.total == ForeignSamples.total)
    #expect(progress.complete.ranges == sample.complete)
  }

  @Test("says nothing when a byte is missing or too many", arguments: samples)
  func torn(sample: Sample) {
    for count in 0..<sample.bytes.count {
      let progress = sample.parse(Array(sample.bytes.prefix(count)))
      // A text of pairs of lines may end after any of them: only the samples of the bytes can tell.
      guard sample.testDescription != "lftp" || progress == nil else { continue }
      #expect(progress == nil, "\(count)")
    }
    #expect(sample.parse(sample.bytes + [0]) == nil)
    #expect(sample.parse(sample.bytes + sample.bytes) == nil)
    #expect(sample.parse([]) == nil)
  }

  @Test("whatever is in it, nothing traps and no byte outside the file is claimed", arguments: samples)
  func garbage(sample: Sample) {
    var numbers = SeededNumbers(seed: 5)
    for _ in 0..<20_000 {
      var bytes = sample.bytes
      for _ in 0..<Int.random(in: 1...4, using: &numbers) {
        bytes[Int.random(in: 0..<bytes.count, using: &numbers)] = UInt8.random(in: 0...255, using: &numbers)
      }
      guard let progress = sample.parse(bytes) else { continue }
      #expect(progress.total > 0)
      #expect(
        progress.complete.gaps(in: ByteRange(0, progress.total)).reduce(0) { $0 + $1.count }
          == progress.total - progress.complete.byteCount)
    }
  }

  @Test("a file larger than any of its kind is not read", arguments: samples)
  func large(sample: Sample) {
    #expect(sample.parse(sample.bytes + [UInt8](repeating: 0x30, count: ForeignProgress.largestFile)) == nil)
  }

  // MARK: - aria2

  /// A control file made to measure.
  private func aria2(
    version: UInt8 = 1, hash: [UInt8] = [], pieceLength: UInt32 = 1 << 20, total: UInt64 = 10 << 20,
    bitfield: [UInt8] = [0xFF, 0xC0], underWay: [(index: UInt32, length: UInt32)] = []
  ) -> [UInt8] {
    func field<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
      let big = (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> (Number.bitWidth - 8 - 8 * $0)) }
      return version == 1 ? big : big.reversed()
    }
    var bytes: [UInt8] = [0, version, 0, 0, 0, 0]
    bytes += field(UInt32(hash.count)) + hash + field(pieceLength) + field(total) + field(UInt64(0))
    bytes += field(UInt32(bitfield.count)) + bitfield + field(UInt32(underWay.count))
    for piece in underWay { bytes += field(piece.index) + field(piece.length) + field(UInt32(1)) + [0xFF] }
    return bytes
  }

  @Test("aria2's older version has the writer's byte order; a torrent's hash is skipped")
  func aria2Versions() {
    let whole = RangeSet([ByteRange(0, 10 << 20)])
    #expect(Aria2ControlFile.parse(aria2())?.complete == whole)
    #expect(Aria2ControlFile.parse(aria2(version: 0))?.complete == whole)
    #expect(Aria2ControlFile.parse(aria2(hash: Array(repeating: 7, count: 20)))?.complete == whole)
    #expect(Aria2ControlFile.parse(aria2(version: 2)) == nil)
  }

  @Test("aria2's last piece ends where the file does, and a piece under way is not there")
  func aria2Pieces() {
    let short = Aria2ControlFile.parse(aria2(total: (9 << 20) + 5))
    #expect(short?.complete == RangeSet([ByteRange(0, (9 << 20) + 5)]))
    let underWay = Aria2ControlFile.parse(aria2(underWay: [(3, 1 << 20)]))
    #expect(underWay?.complete.ranges == [ByteRange(0, 3 << 20), ByteRange(4 << 20, 10 << 20)])
    #expect(Aria2ControlFile.parse(aria2(bitfield: [0, 0]))?.complete.isEmpty == true)
  }

  @Test("aria2's file says nothing where it contradicts itself")
  func aria2Contradictions() {
    #expect(Aria2ControlFile.parse(aria2(pieceLength: 0)) == nil)
    #expect(Aria2ControlFile.parse(aria2(total: 0, bitfield: [])) == nil)
    #expect(Aria2ControlFile.parse(aria2(total: .max)) == nil)
    #expect(Aria2ControlFile.parse(aria2(total: 1 << 61)) == nil)
    #expect(Aria2ControlFile.parse(aria2(bitfield: [0xFF])) == nil)
    #expect(Aria2ControlFile.parse(aria2(bitfield: [0xFF, 0xC0, 0])) == nil)
    #expect(Aria2ControlFile.parse(aria2(bitfield: [0xFF, 0xE0])) == nil, "a bit beyond the last piece")
    #expect(Aria2ControlFile.parse(aria2(underWay: [(10, 1 << 20)])) == nil)
    #expect(Aria2ControlFile.parse(aria2(underWay: [(9, 0)])) == nil)
    #expect(Aria2ControlFile.parse(aria2(underWay: [(9, (1 << 20) + 1)])) == nil)
    #expect(Aria2ControlFile.parse(aria2(underWay: Array(repeating: (1, 5), count: 11))) == nil)
  }

  // MARK: - axel and lftp

  private func axel(_ connections: UInt16, _ done: UInt64, _ parts: [(UInt64, UInt64)]) -> [UInt8] {
    func field<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
      (0..<Number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    return field(connections) + field(done) + parts.flatMap { field($0) + field($1) }
  }

  @Test("axel's connections may be in any order, and done")
  func axelOrders() {
    let progress = AxelStateFile.parse(axel(3, 60, [(80, 100), (20, 40), (100, 100)]))
    #expect(progress?.total == 100 && progress?.complete.ranges == [ByteRange(0, 20), ByteRange(40, 80)])
    #expect(AxelStateFile.parse(axel(1, 100, [(100, 100)]))?.complete.byteCount == 100)
  }

  @Test("axel's file says nothing where it contradicts itself")
  func axelContradictions() {
    #expect(AxelStateFile.parse(axel(0, 0, [])) == nil)
    #expect(AxelStateFile.parse(axel(1, 0, [(0, 0)])) == nil)
    #expect(AxelStateFile.parse(axel(1, 10, [(20, 10)])) == nil)
    #expect(AxelStateFile.parse(axel(2, 10, [(0, 10), (5, 20)])) == nil)
    #expect(AxelStateFile.parse(axel(1, 10, [(15, 25)])) == nil, "it ends beyond what is done and to come")
    #expect(AxelStateFile.parse(axel(1, .max, [(0, 10)])) == nil)
    #expect(AxelStateFile.parse(axel(1, 10, [(0, .max)])) == nil)
    #expect(AxelStateFile.parse(axel(3, 1 << 60, [(0, 1 << 60), (0, 1 << 60), (0, 1 << 60)])) == nil)
    #expect(AxelStateFile.parse(axel(2, 10, [(0, 10)])) == nil)
  }

  @Test(
    "lftp's file says nothing where it contradicts itself",
    arguments: [
      "size=10\n", "size=10\n0.pos=5\n", "size=10\n0.pos=5\n0.limit=4\n", "size=10\n0.pos=5\n0.limit=11\n",
      "size=10\n0.pos=5\n1.limit=10\n", "size=10\n1.pos=5\n1.limit=10\n", "size=-1\n0.pos=5\n0.limit=10\n",
      "size=10\n0.limit=10\n0.pos=5\n", "size=10\n0.pos=5\n0.limit=10\n1.pos=6\n1.limit=7\n",
      "size=10\n0.pos=5\n0.limit=10", "size=10\n\n0.pos=5\n0.limit=10\n", "0.pos=5\n0.limit=10\nsize=10\n",
      "size=99999999999999999999\n0.pos=5\n0.limit=10\n", "size=10 \n0.pos=5\n0.limit=10\n",
      "size=0\n0.pos=0\n0.limit=0\n",
    ])
  func lftpContradictions(text: String) {
    #expect(LftpStatusFile.parse(Array(text.utf8)) == nil)
  }
}
