/// Which blocks are complete and what their CRC-32 is, built from the pieces that transfers write.
///
/// Pieces arrive in any order; a piece lies within one block. Their CRC-32 values are combined, so no byte is read
/// twice; only where pieces overlap, because two transfers raced, the block has to be read once more.
package struct BlockLedger: Sendable {
  /// The CRC-32 of two adjacent pieces from theirs and the second's length (zlib's `crc32_combine`).
  package typealias Combine = @Sendable (_ first: UInt32, _ second: UInt32, _ secondLength: Int64) -> UInt32

  package struct Completion: Hashable, Sendable {
    package let index: Int
    package let checksum: UInt32
  }

  package let map: BlockMap
  /// The blocks whose every byte is in the part file.
  package private(set) var complete: Bitmap
  /// The CRC-32 of each complete block; meaningless for the others.
  package private(set) var checksums: [UInt32]
  /// Everything before this offset is in complete blocks.
  package private(set) var frontier: Int64 = 0

  private var unfinished: [Int: [Piece]] = [:]
  /// What is there of blocks whose pieces overlap.
  private var overlapping: [Int: RangeSet] = [:]
  /// Blocks that are all there and have to be read for their CRC-32.
  private var unread: Set<Int> = []
  private var untaken: [Int] = []
  private var news: [Completion] = []
  private let combine: Combine

  private struct Piece {
    var range: ByteRange
    var checksum: UInt32
  }

  package init(map: BlockMap, combine: @escaping Combine) {
    self.init(map: map, complete: Bitmap(count: map.count), checksums: [], combine: combine)
  }

  /// Continues from what an earlier run left.
  package init(map: BlockMap, complete: Bitmap, checksums: [UInt32], combine: @escaping Combine) {
    self.map = map
    self.complete = complete
    self.checksums = checksums.isEmpty ? Array(repeating: 0, count: map.count) : checksums
    self.combine = combine
    moveFrontier()
  }

  package var isComplete: Bool { complete.setCount == map.count }

  /// Notes that `range` has been written and has this CRC-32.
  package mutating func add(_ range: ByteRange, checksum: UInt32) {
    guard !range.isEmpty else { return }
    let index = map.index(of: range.lower)
    let block = map.range(of: index)
    precondition(block.contains(range), "piece \(range) reaches out of block \(block)")
    guard !complete[index], !unread.contains(index) else { return }
    if overlaps(range, in: index) { return cover(range, in: index) }
    var pieces = unfinished[index] ?? []
    let place = pieces.firstIndex { $0.range.lower > range.lower } ?? pieces.count
    pieces.insert(Piece(range: range, checksum: checksum), at: place)
    join(&pieces, at: place)
    if place > 0 { join(&pieces, at: place - 1) }
    guard pieces.count == 1, pieces[0].range == block else {
      unfinished[index] = pieces
      return
    }
    unfinished[index] = nil
    finish(index, pieces[0].checksum)
  }

  private mutating func finish(_ index: Int, _ checksum: UInt32) {
    complete[index] = true
    checksums[index] = checksum
    news.append(Completion(index: index, checksum: checksum))
    moveFrontier()
  }

  /// Notes that all bytes of `range` have been written, by transfers that overlapped.
  package mutating func cover(_ range: ByteRange) {
    guard !range.isEmpty else { return }
    for index in map.index(of: range.lower)...map.index(of: range.upper - 1)
    where !complete[index] && !unread.contains(index) {
      let block = map.range(of: index)
      cover(ByteRange(max(block.lower, range.lower), min(block.upper, range.upper)), in: index)
    }
  }

  private mutating func cover(_ range: ByteRange, in index: Int) {
    var present = overlapping[index] ?? RangeSet()
    for piece in unfinished.removeValue(forKey: index) ?? [] { present.insert(piece.range) }
    present.insert(range)
    let isAllThere = present.byteCount == map.range(of: index).count
    overlapping[index] = isAllThere ? nil : present
    guard isAllThere else { return }
    unread.insert(index)
    untaken.append(index)
  }

  private func overlaps(_ range: ByteRange, in index: Int) -> Bool {
    if overlapping[index] != nil { return true }
    return unfinished[index]?.contains { $0.range.lower < range.upper && range.lower < $0.range.upper } ?? false
  }

  /// The blocks that have become all there since the last call and have to be read for their CRC-32.
  package mutating func takeUnread() -> [Int] {
    defer { untaken = [] }
    return untaken
  }

  /// The CRC-32 that a block from `takeUnread` turned out to have.
  package mutating func read(_ index: Int, checksum: UInt32) {
    guard unread.remove(index) != nil else { return }
    finish(index, checksum)
  }

  /// Takes a block back: its bytes turned out not to be what the ledger says.
  package mutating func refute(_ index: Int) {
    complete[index] = false
    unfinished[index] = nil
    overlapping[index] = nil
    unread.remove(index)
    untaken.removeAll { $0 == index }
    news.removeAll { $0.index == index }
    frontier = min(frontier, map.range(of: index).lower)
  }

  /// The blocks completed since the last call: what the next checkpoint has to add.
  package mutating func takeCompletions() -> [Completion] {
    defer { news = [] }
    return news
  }

  /// The CRC-32 of the whole file; nil while blocks are missing.
  package var fileChecksum: UInt32? {
    guard isComplete else { return nil }
    var result: UInt32 = 0
    for index in 0..<map.count {
      result = index == 0 ? checksums[0] : combine(result, checksums[index], map.range(of: index).count)
    }
    return result
  }

  private func joined(_ first: Piece, _ second: Piece) -> Piece {
    Piece(
      range: ByteRange(first.range.lower, second.range.upper),
      checksum: combine(first.checksum, second.checksum, second.range.count))
  }

  private func join(_ pieces: inout [Piece], at place: Int) {
    guard place + 1 < pieces.count else { return }
    precondition(pieces[place].range.upper <= pieces[place + 1].range.lower, "pieces overlap in \(pieces)")
    guard pieces[place].range.upper == pieces[place + 1].range.lower else { return }
    pieces[place] = joined(pieces[place], pieces[place + 1])
    pieces.remove(at: place + 1)
  }

  private mutating func moveFrontier() {
    var index = map.index(of: frontier)
    while index < map.count, complete[index] {
      frontier = map.range(of: index).upper
      index += 1
    }
  }
}
