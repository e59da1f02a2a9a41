import SheafCore
import Simulation
import Testing

/// A stand-in for CRC-32 that combines as exactly: the text as a number to the base 257, modulo a prime.
private enum Fingerprint {
  static let prime: UInt64 = 4_294_967_291
  static let base: UInt64 = 257

  static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
    UInt32(bytes.reduce(0) { ($0 * base + UInt64($1) + 1) % prime })
  }

  static func combine(_ first: UInt32, _ second: UInt32, _ length: Int64) -> UInt32 {
    var power: UInt64 = 1
    var square = base
    var rest = length
    while rest > 0 {
      if rest & 1 == 1 { power = power * square % prime }
      square = square * square % prime
      rest >>= 1
    }
    return UInt32((UInt64(first) * power + UInt64(second)) % prime)
  }
}

private let blockSize: Int64 = 16

private func bytes(_ total: Int64, seed: Int) -> [UInt8] {
  var dice = Dice(seed: seed)
  return (0..<total).map { _ in UInt8(truncatingIfNeeded: dice.next()) }
}

private func ledger(_ total: Int64) -> BlockLedger {
  BlockLedger(map: BlockMap(total: total, blockSize: blockSize), combine: Fingerprint.combine)
}

/// Expects that exactly these blocks have been completed since the last look.
private func expectNews(
  from ledger: inout BlockLedger, _ indices: [Int], sourceLocation: SourceLocation = #_sourceLocation
) {
  let news = ledger.takeCompletions().map(\.index)
  #expect(news == indices, sourceLocation: sourceLocation)
}

extension BlockLedger {
  fileprivate mutating func add(_ range: ByteRange, of file: [UInt8]) {
    add(range, checksum: Fingerprint.of(file[Int(range.lower)..<Int(range.upper)]))
  }

  fileprivate mutating func add(block index: Int, of file: [UInt8]) { add(map.range(of: index), of: file) }
}

@Suite("BlockLedger")
struct BlockLedgerTests {
  @Test("knows every block's checksum and the file's, whatever the order and size of the pieces", arguments: 0..<4)
  func anyOrder(_ group: Int) {
    for seed in group * 100..<(group + 1) * 100 {
      var dice = Dice(seed: seed)
      let total = dice.bytes(0...100)
      let file = bytes(total, seed: seed)
      var ledger = ledger(total)
      var pieces: [ByteRange] = []
      var position: Int64 = 0
      while position < total {
        let end = dice.bytes(position + 1...ledger.map.end(of: position))
        pieces.append(ByteRange(position, end))
        position = end
      }
      pieces.shuffle(using: &dice)
      var completed: [Int: UInt32] = [:]
      var written = RangeSet()
      for piece in pieces {
        #expect(ledger.fileChecksum == nil)
        ledger.add(piece, of: file)
        written.insert(piece)
        for news in ledger.takeCompletions() {
          #expect(completed[news.index] == nil)
          completed[news.index] = news.checksum
        }
        for index in 0..<ledger.map.count {
          #expect(ledger.complete[index] == written.contains(ledger.map.range(of: index)))
        }
        let gap = (0..<ledger.map.count).first { !ledger.complete[$0] }
        #expect(ledger.frontier == gap.map { ledger.map.range(of: $0).lower } ?? total)
      }
      #expect(ledger.isComplete)
      expectNews(from: &ledger, [])
      for index in 0..<ledger.map.count {
        let range = ledger.map.range(of: index)
        let expected = Fingerprint.of(file[Int(range.lower)..<Int(range.upper)])
        #expect(ledger.checksums[index] == expected)
        #expect(completed[index] == expected)
      }
      #expect(ledger.fileChecksum == Fingerprint.of(file))
    }
  }

  @Test("pieces that overlap make a block to be read, and nothing is claimed before that", arguments: 0..<200)
  func overlapping(seed: Int) {
    var dice = Dice(seed: seed)
    let total = dice.bytes(1...100)
    let file = bytes(total, seed: seed)
    var ledger = ledger(total)
    var written = RangeSet()
    var steps = 0
    while !ledger.isComplete, steps < 10_000 {
      steps += 1
      let lower = dice.bytes(0...total - 1)
      if dice.oneIn(10) {
        let range = ByteRange(lower, dice.bytes(lower + 1...total))
        ledger.cover(range)
        written.insert(range)
      } else {
        let range = ByteRange(lower, dice.bytes(lower + 1...ledger.map.end(of: lower)))
        ledger.add(range, of: file)
        written.insert(range)
      }
      for index in ledger.takeUnread() {
        #expect(written.contains(ledger.map.range(of: index)))
        #expect(!ledger.complete[index])
        let block = ledger.map.range(of: index)
        ledger.read(index, checksum: Fingerprint.of(file[Int(block.lower)..<Int(block.upper)]))
        #expect(ledger.complete[index])
      }
      for index in 0..<ledger.map.count {
        #expect(ledger.complete[index] == written.contains(ledger.map.range(of: index)))
      }
    }
    #expect(ledger.fileChecksum == Fingerprint.of(file))
  }

  @Test("a block taken back while it was to be read stays taken back")
  func refutedUnread() {
    var ledger = ledger(16)
    ledger.cover(ByteRange(0, 16))
    #expect(ledger.takeUnread() == [0])
    ledger.refute(0)
    ledger.read(0, checksum: 1)
    #expect(!ledger.isComplete)
    expectNews(from: &ledger, [])
  }

  @Test("an empty file is complete and its checksum is zero")
  func empty() {
    let ledger = ledger(0)
    #expect(ledger.isComplete)
    #expect(ledger.fileChecksum == 0)
    #expect(ledger.frontier == 0)
  }

  @Test("an empty piece says nothing")
  func emptyPiece() {
    var ledger = ledger(32)
    ledger.add(ByteRange(32, 32), checksum: 7)
    ledger.add(ByteRange(5, 5), checksum: 7)
    #expect(ledger.complete.setCount == 0)
  }

  @Test("continues from what an earlier run left")
  func continues() {
    let file = bytes(70, seed: 1)
    let map = BlockMap(total: 70, blockSize: blockSize)
    var claims = Bitmap(count: map.count)
    var checksums = [UInt32](repeating: 0xDEAD_BEEF, count: map.count)
    for index in [0, 1, 4] {
      claims[index] = true
      let range = map.range(of: index)
      checksums[index] = Fingerprint.of(file[Int(range.lower)..<Int(range.upper)])
    }
    var ledger = BlockLedger(map: map, complete: claims, checksums: checksums, combine: Fingerprint.combine)
    #expect(ledger.frontier == 32)
    expectNews(from: &ledger, [])
    ledger.add(block: 3, of: file)
    #expect(ledger.frontier == 32)
    ledger.add(block: 2, of: file)
    #expect(ledger.frontier == 70)
    expectNews(from: &ledger, [3, 2])
    #expect(ledger.fileChecksum == Fingerprint.of(file))
  }

  @Test("takes a refuted block back until every byte of it has come again")
  func refutes() {
    let file = bytes(64, seed: 2)
    var ledger = ledger(64)
    for index in 0..<4 { ledger.add(block: index, of: file) }
    #expect(ledger.frontier == 64)
    ledger.refute(1)
    #expect(!ledger.isComplete)
    #expect(ledger.fileChecksum == nil)
    #expect(ledger.frontier == 16)
    expectNews(from: &ledger, [0, 2, 3])
    ledger.add(ByteRange(20, 32), of: file)
    #expect(ledger.frontier == 16)
    ledger.add(ByteRange(16, 20), of: file)
    #expect(ledger.frontier == 64)
    expectNews(from: &ledger, [1])
    #expect(ledger.fileChecksum == Fingerprint.of(file))
  }

  @Test("a block refuted ahead of the frontier does not move it")
  func refutesAhead() {
    let file = bytes(64, seed: 3)
    var ledger = ledger(64)
    for index in [0, 2, 3] { ledger.add(block: index, of: file) }
    ledger.refute(3)
    #expect(ledger.frontier == 16)
    ledger.add(block: 1, of: file)
    #expect(ledger.frontier == 48)
  }
}
