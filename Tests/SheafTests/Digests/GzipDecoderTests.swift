import SheafCore
import TestSupport
import Testing

@testable import Sheaf

@Suite("GzipDecoder")
struct GzipDecoderTests {
  /// `gzip -n` of "hello, hello, hello\n".
  private let hello: [UInt8] = [
    0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x03,
  ]

  private func decoded(_ pieces: [[UInt8]]) throws(Failure) -> [UInt8] {
    let decoder = try GzipDecoder()
    var bytes: [UInt8] = []
    for piece in pieces { try decoder.decode(piece) { bytes += $0 } }
    try decoder.finish()
    return bytes
  }

  /// A stored block: the simplest gzip there is.
  private func stored(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    let count = UInt16(bytes.count)
    func little(_ value: some FixedWidthInteger) -> [UInt8] {
      (0..<value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let checksum = bytes.withUnsafeBytes { crc32(0, $0) }
    return hello + [1] + little(count) + little(~count) + bytes + little(checksum) + little(UInt32(bytes.count))
  }

  @Test("decodes members one after the other, however they are cut")
  func members() throws {
    let whole = stored("one, ") + stored("") + stored("two")
    #expect(try decoded([whole]) == Array("one, two".utf8))
    #expect(try decoded(whole.map { [$0] }) == Array("one, two".utf8))
    #expect(try decoded([whole + [0, 0], [0]]) == Array("one, two".utf8))
  }

  @Test("refuses what is cut short, damaged, followed by something else, or no gzip at all")
  func damage() {
    let whole = stored("some text")
    for count in 0..<whole.count {
      #expect(throws: Failure.self) { try decoded([Array(whole.prefix(count))]) }
    }
    for place in [0, 1, 12, 18, whole.count - 6, whole.count - 1] {
      var damaged = whole
      damaged[place] ^= 0x10
      #expect(throws: Failure.self, "byte \(place)") { try decoded([damaged]) }
    }
    #expect(throws: Failure.self) { try decoded([whole + Array("more".utf8)]) }
    #expect(throws: Failure.self) { try decoded([whole + [0, 1]]) }
  }
}
