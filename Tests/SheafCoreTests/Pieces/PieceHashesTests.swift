import SheafCore
import Testing

@Suite("Piece hashes")
struct PieceHashesTests {
  private func digests(_ count: Int, _ algorithm: DigestAlgorithm = .sha256) -> [Digest] {
    (0..<count).compactMap { Digest(algorithm, Array(repeating: UInt8($0), count: algorithm.byteCount)) }
  }

  @Test("there are as many as the file has pieces, or none", arguments: [(1, 1), (9, 1), (10, 1), (11, 2), (30, 3)])
  func counts(total: Int64, count: Int) throws {
    let hashes = try #require(PieceHashes(pieceLength: 10, digests: digests(count), total: total))
    #expect(hashes.count == count)
    #expect(hashes.range(of: 0..<count) == ByteRange(0, total))
    #expect(hashes.range(of: count - 1).upper == total)
    #expect(PieceHashes(pieceLength: 10, digests: digests(count + 1), total: total) == nil)
    #expect(PieceHashes(pieceLength: 10, digests: digests(count - 1), total: total) == nil)
  }

  @Test("nonsense is refused")
  func nonsense() {
    #expect(PieceHashes(pieceLength: 0, digests: digests(1), total: 1) == nil)
    #expect(PieceHashes(pieceLength: -1, digests: digests(1), total: 1) == nil)
    #expect(PieceHashes(pieceLength: 10, digests: [], total: 0) == nil)
    #expect(PieceHashes(pieceLength: 10, digests: digests(1), total: -1) == nil)
    #expect(PieceHashes(pieceLength: 10, digests: digests(1) + digests(1, .sha1), total: 20) == nil)
  }

  @Test("the largest lengths do not overflow")
  func large() throws {
    let hashes = try #require(PieceHashes(pieceLength: .max, digests: digests(1), total: .max))
    #expect(hashes.range(of: 0) == ByteRange(0, .max))
    #expect(hashes.pieces(touching: ByteRange(.max - 1, .max)) == 0..<1)
    #expect(hashes.pieces(within: ByteRange(0, .max)) == 0..<1)
    let half = try #require(PieceHashes(pieceLength: .max - 1, digests: digests(2), total: .max))
    #expect(half.pieces(within: ByteRange(1, .max)) == 1..<2)
  }

  @Test(
    "knows the pieces that a range touches, and those that it holds",
    arguments: [
      (0, 0, 0..<0, 0..<0), (0, 1, 0..<1, 0..<0), (0, 10, 0..<1, 0..<1), (9, 11, 0..<2, 0..<0), (5, 25, 0..<3, 1..<3),
      (20, 25, 2..<3, 2..<3), (21, 25, 2..<3, 0..<0), (0, 25, 0..<3, 0..<3), (10, 99, 1..<3, 1..<3),
      (25, 99, 0..<0, 0..<0), (10, 10, 0..<0, 0..<0),
    ] as [(Int64, Int64, Range<Int>, Range<Int>)])
  func ranges(lower: Int64, upper: Int64, touched: Range<Int>, held: Range<Int>) throws {
    let hashes = try #require(PieceHashes(pieceLength: 10, digests: digests(3), total: 25))
    #expect(hashes.pieces(touching: ByteRange(lower, upper)) == touched)
    #expect(hashes.pieces(within: ByteRange(lower, upper)) == held)
  }
}
