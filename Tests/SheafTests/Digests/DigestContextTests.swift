import SheafCore
import Testing

@testable import Sheaf

@Suite("Digest contexts")
struct DigestContextTests {
  private func digest(_ algorithm: DigestAlgorithm, _ pieces: [[UInt8]]) -> String {
    let context = DigestContext(algorithm)
    for piece in pieces { piece.withUnsafeBytes { context.update($0) } }
    return hexadecimal(context.finish())
  }

  @Test(
    "agree with what is published for nine digits, however they are cut",
    arguments: [
      (.crc32, "cbf43926"), (.crc32c, "e3069283"), (.md5, "25f9e794323b453885f5181f1b624d0b"),
      (.sha1, "f7c3bc1d808e04732adf679965ccc34ca7ae3441"),
      (.sha256, "15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225"),
    ] as [(DigestAlgorithm, String)])
  func check(algorithm: DigestAlgorithm, expected: String) {
    let digits = Array("123456789".utf8)
    #expect(digest(algorithm, [digits]) == expected)
    for cut in 0...9 { #expect(digest(algorithm, [Array(digits[..<cut]), Array(digits[cut...])]) == expected) }
  }

  @Test("CRC-32C of 32 bytes is RFC 3720's", arguments: [(0x00, "8a9136aa"), (0xFF, "62a8ab43")] as [(UInt8, String)])
  func crc32c(byte: UInt8, expected: String) {
    let bytes = [UInt8](repeating: byte, count: 32)
    #expect(digest(.crc32c, [bytes]) == expected)
    #expect(digest(.crc32c, [Array(bytes[..<13]), Array(bytes[13...])]) == expected)
  }
}
