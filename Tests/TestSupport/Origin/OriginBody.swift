/// What follows a response head: pieces of entities, given bytes, or bytes made on the way.
package struct OriginBody: Sendable {
  package enum Piece: Sendable {
    case entity(Entity, Range<Int64>)
    case bytes([UInt8])
    /// `fill` writes the bytes from an offset within the piece on.
    case made(count: Int64, fill: @Sendable (UnsafeMutableRawBufferPointer, _ offset: Int64) -> Void)

    package var count: Int64 {
      switch self {
      case .entity(_, let range): range.upperBound - range.lowerBound
      case .bytes(let bytes): Int64(bytes.count)
      case .made(let count, _): count
      }
    }

    func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) {
      switch self {
      case .entity(let entity, let range): entity.fill(buffer, at: range.lowerBound + offset)
      case .bytes(let bytes): buffer.copyBytes(from: bytes[Int(offset)..<(Int(offset) + buffer.count)])
      case .made(_, let fill): fill(buffer, offset)
      }
    }
  }

  package var pieces: [Piece]

  package init(_ pieces: [Piece] = []) {
    self.pieces = pieces
  }

  package init(_ entity: Entity, _ range: Range<Int64>) {
    self.init([.entity(entity, range)])
  }

  package init(_ text: String) {
    self.init([.bytes(Array(text.utf8))])
  }

  package var count: Int64 { pieces.reduce(0) { $0 + $1.count } }
}
