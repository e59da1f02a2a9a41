import SheafCore

/// One exchange in a simulation: what the shell's transfer knows, without the bytes.
struct SimulatedTransfer {
  let request: TransferRequest
  /// The version of the file whose bytes come; nil until the answer is accepted.
  private(set) var version: Int?
  /// The next byte to write.
  private(set) var position: Int64
  /// Where it stops.
  private(set) var end: Int64
  /// Where the server stops.
  private(set) var sent: Int64 = 0
  private var piece: Int64
  private var blocks: BlockMap?

  /// What lies at or behind this it does not take yet.
  private(set) var limit: Int64

  var id: TransferID { request.id }
  var isAccepted: Bool { version != nil }
  /// What it may still write.
  var reach: ByteRange { ByteRange(position, max(position, end)) }
  var hasReachedEnd: Bool { isAccepted && position == end }
  var hasAll: Bool { isAccepted && position == min(end, sent) }

  init(_ request: TransferRequest) {
    self.request = request
    position = request.question.range.lower
    end = request.question.range.upper
    piece = position
    blocks = request.blocks
    limit = request.reach
  }

  mutating func extend(to offset: Int64) { limit = max(limit, offset) }

  mutating func accept(_ answered: ByteRange, of version: Int, upTo limit: Int64, total: Int64?) {
    self.version = version
    position = answered.lower
    piece = position
    end = limit
    sent = answered.upper
    if blocks == nil, let total { blocks = BlockMap(total: total) }
  }

  mutating func shrink(to offset: Int64) -> Int64 {
    end = max(position, min(end, offset))
    return end
  }

  /// Writes on to `offset`; returns the pieces of blocks that are through.
  mutating func write(to offset: Int64) -> [ByteRange] {
    position = offset
    guard let blocks else { return [] }
    var pieces: [ByteRange] = []
    while piece < position, blocks.end(of: piece) <= position {
      pieces.append(ByteRange(piece, blocks.end(of: piece)))
      piece = blocks.end(of: piece)
    }
    return pieces
  }

  /// The rest of an unfinished block, at the transfer's end.
  mutating func lastPiece() -> ByteRange? {
    guard blocks != nil, piece < position else { return nil }
    defer { piece = position }
    return ByteRange(piece, position)
  }
}
