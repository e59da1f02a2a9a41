import SheafCore
import Testing

@Suite("Digests")
struct DigestTests {
  @Test("a digest has its algorithm's length or does not exist", arguments: DigestAlgorithm.allCases)
  func length(algorithm: DigestAlgorithm) {
    let bytes = Array(repeating: UInt8(0xA5), count: algorithm.byteCount)
    #expect(Digest(algorithm, bytes)?.bytes == bytes)
    #expect(Digest(algorithm, bytes + [0]) == nil)
    #expect(Digest(algorithm, Array(bytes.dropLast())) == nil)
    #expect(Digest(algorithm, hexadecimal: hexadecimal(bytes).uppercased())?.bytes == bytes)
    #expect(Digest(algorithm, hexadecimal: hexadecimal(bytes) + "00") == nil)
  }

  @Test("only the SHA-2 family vouches for integrity")
  func strength() {
    #expect(DigestAlgorithm.allCases.filter { $0.strength == .integrity } == [.sha512, .sha256])
    #expect(DigestAlgorithm.allCases.sorted(by: >) == DigestAlgorithm.allCases)
  }

  @Test(
    "knows algorithms by the names that people write",
    arguments: [
      ("SHA256", .sha256), ("sha-256", .sha256), ("SHA2-256", .sha256), ("sha_512", .sha512), ("SHA", .sha1),
      ("SHA-1", .sha1), ("MD5", .md5), ("CRC32", .crc32), ("crc32c", .crc32c), ("SHA3-256", nil), ("BLAKE2b", nil),
      ("", nil), ("sha-256-sha-256-sha-256", nil),
    ] as [(String, DigestAlgorithm?)])
  func names(name: String, algorithm: DigestAlgorithm?) {
    #expect(DigestAlgorithm(named: name) == algorithm)
  }

  @Test(
    "reads base64",
    arguments: [
      ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg==", "foob"), ("Zm9vYmE=", "fooba"),
      ("Zm9vYmFy", "foobar"),
    ])
  func base64(text: String, plain: String) {
    #expect(bytes(ofBase64: text) == Array(plain.utf8))
  }

  @Test(
    "refuses what is not base64, or not its only form",
    arguments: [
      "", "=", "====", "Zg=", "Zg", "Zh==", "Zm9=", "Zm 9v", "Zm9v\n", "Zm9-", "Z===", "Zg==Zg==", "Zm9v=AAA",
    ])
  func notBase64(text: String) {
    #expect(bytes(ofBase64: text) == nil)
  }

  @Test("contradictions cancel each other; the strongest comes first")
  func consistent() throws {
    let one = DigestClaim(try #require(Digest(.md5, Array(repeating: 1, count: 16))), source: "a")
    let same = DigestClaim(one.digest, source: "b")
    let other = DigestClaim(try #require(Digest(.md5, Array(repeating: 2, count: 16))), source: "c")
    let strong = DigestClaim(try #require(Digest(.sha256, Array(repeating: 3, count: 32))), source: "d")
    #expect([one, same, strong].consistent == [strong, one])
    #expect([one, strong, other].consistent == [strong])
    #expect([DigestClaim]().consistent == [])
  }
}
