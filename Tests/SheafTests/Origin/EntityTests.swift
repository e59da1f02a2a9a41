import TestSupport
import Testing

struct EntityTests {
  @Test("gives the same bytes in whatever pieces it is read", arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
  func pieces(seed: UInt64) {
    var random = SplitMix(seed: seed)
    let entity = Entity(seed: seed, size: 50_000)
    let whole = entity.bytes(in: 0..<entity.size)
    for _ in 0..<200 {
      let lower = Int64.random(in: 0...entity.size, using: &random)
      let upper = Int64.random(in: lower...min(entity.size, lower + 9000), using: &random)
      #expect(entity.bytes(in: lower..<upper) == Array(whole[Int(lower)..<Int(upper)]))
    }
  }

  @Test("never has the same page twice, nor one of another seed's")
  func pagesDiffer() {
    var pages = Set<[UInt8]>()
    for seed in [1, 2, 1 << 40] as [UInt64] {
      let entity = Entity(seed: seed, size: 1 << 20)
      for page in 0..<(entity.size / 4096) { pages.insert(entity.bytes(in: (page * 4096)..<(page * 4096 + 4096))) }
    }
    #expect(pages.count == 3 * 256)
  }

  @Test("shows a move by any distance", arguments: [1, 7, 8, 63, 512, 4095, 4096, 4097, 1 << 20] as [Int64])
  func moved(distance: Int64) {
    let entity = Entity(seed: 9, size: 4 << 20)
    #expect(entity.bytes(in: 0..<8192) != entity.bytes(in: distance..<(distance + 8192)))
    #expect(entity.bytes(in: 0..<16) != entity.bytes(in: distance..<(distance + 16)))
  }

  @Test("reads anywhere in a huge file without holding it")
  func huge() {
    let entity = Entity(seed: 1, size: 5 << 40)
    #expect(entity.bytes(in: (entity.size - 10)..<entity.size).count == 10)
  }

  @Test("has the digest that libcrypto gives its bytes")
  func digests() {
    #expect(
      hexadecimal(Entity(seed: 1, size: 0).sha256())
        == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    let entity = Entity(seed: 3, size: 1_000_001)
    #expect(entity.digest("sha256") == entity.sha256())
    #expect(entity.digest("md5")?.count == 16)
    #expect(entity.digest("no such digest") == nil)
  }

  @Test("knows its own file from one with a byte wrong, missing or in excess")
  func files() throws {
    let directory = try TemporaryDirectory()
    let entity = Entity(seed: 4, size: 300_000)
    var bytes = entity.bytes(in: 0..<entity.size)
    try entity.write(toFileAt: directory.file("right"))
    #expect(entity.matches(fileAt: directory.file("right")))
    #expect(try directory.read("right") == bytes)

    try directory.write(Array(bytes.dropLast()), to: "short")
    #expect(!entity.matches(fileAt: directory.file("short")))
    try directory.write(bytes + [0], to: "long")
    #expect(!entity.matches(fileAt: directory.file("long")))
    bytes[270_000] ^= 1
    try directory.write(bytes, to: "wrong")
    #expect(entity.difference(fromFileAt: directory.file("wrong"))?.hasSuffix("first at byte 270000") == true)
    #expect(entity.difference(fromFileAt: directory.file("wrong"), in: 0..<270_000) == nil)
    #expect(!entity.matches(fileAt: directory.file("absent")))
  }
}

/// Seeded randomness, so that a failure comes again.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
