import Sheaf
import SheafCore
import TestSupport
import Testing

@Suite("Decoding gzip")
struct GzipStreamTests {
  /// Compressed by the tool itself.
  static func compressed(_ bytes: [UInt8]) async throws -> [UInt8] {
    let directory = try TemporaryDirectory()
    try directory.write(bytes, to: "plain")
    let run = try await ChildProcess.run("gzip", ["plain"], directory: directory.path)
    try #require(run.status == .exited(0))
    return try directory.read("plain.gz")
  }

  static func decoded(_ bytes: [UInt8], step: Int, most: Int = 1000) throws -> (bytes: [UInt8], mayEnd: Bool) {
    let stream = try GzipStream()
    var result: [UInt8] = []
    var place = 0
    while place < bytes.count {
      var piece = bytes[place..<min(place + step, bytes.count)]
      place += step
      while true {
        let more = try stream.decode(&piece, atMost: most)
        #expect(more.count <= most)
        result += more
        if more.count < most && piece.isEmpty { break }
      }
    }
    return (result, stream.mayEnd)
  }

  static let plain = (0..<30_000).map { UInt8(truncatingIfNeeded: $0 / 7 &* 31) }

  @Test("gives the bytes back, in steps of any size, members of any number", arguments: [1, 100, 1 << 20])
  func whole(step: Int) async throws {
    let packed = try await Self.compressed(Self.plain)
    let one = try Self.decoded(packed, step: step)
    #expect(one.bytes == Self.plain && one.mayEnd)
    let two = try Self.decoded(packed + packed, step: step)
    #expect(two.bytes == Self.plain + Self.plain && two.mayEnd)
    let padded = try Self.decoded(packed + [0, 0, 0], step: step)
    #expect(padded.bytes == Self.plain && padded.mayEnd)
  }

  @Test("knows that it must not end in the middle")
  func cut() async throws {
    let packed = try await Self.compressed(Self.plain)
    #expect(try !Self.decoded(packed.dropLast(3), step: 100).mayEnd)
    #expect(try !Self.decoded(packed + [1], step: 100).mayEnd)
    #expect(try !Self.decoded([], step: 100).mayEnd)
  }

  @Test("refuses what is damaged, or none")
  func damaged() async throws {
    var packed = try await Self.compressed(Self.plain)
    for more in [[0, 1], Array("more".utf8)] as [[UInt8]] {
      #expect(throws: Failure.self) { try Self.decoded(packed + more, step: 100) }
    }
    packed[packed.count - 6] ^= 1
    #expect(throws: Failure.self) { try Self.decoded(packed, step: 100) }
    #expect(throws: Failure.self) { try Self.decoded(Array("no gzip at all".utf8), step: 100) }
  }
}
