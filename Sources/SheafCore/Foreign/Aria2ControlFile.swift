/// aria2's control file, `NAME.aria2` (aria2's technical notes).
///
/// ```
/// version 2 · extension 4 · info hash length 4 · info hash · piece length 4 · total 8 · uploaded 8
/// bitfield length 4 · bitfield · number of pieces under way 4
/// for each of them: index 4 · length 4 · bitfield length 4 · bitfield
/// ```
///
/// Version 1 is big endian throughout; version 0 is in the writer's order, of which only little endian is read.
package enum Aria2ControlFile {
  package static let suffix = ".aria2"

  /// Nil unless the file is complete and free of contradictions. Pieces that were under way count as not downloaded.
  package static func parse(_ bytes: [UInt8]) -> ForeignProgress? {
    guard bytes.count <= ForeignProgress.largestFile, bytes.count >= 2, bytes[0] == 0, bytes[1] <= 1 else { return nil }
    var fields = FieldReader(Array(bytes[2...]), bigEndian: bytes[1] == 1)
    guard fields.bytes(4) != nil, let hashLength = fields.number(UInt32.self), hashLength <= 64,
      fields.bytes(Int(hashLength)) != nil, let pieceLength = fields.number(UInt32.self), pieceLength > 0,
      let total = fields.offset(), total > 0, fields.bytes(8) != nil,
      let bitfieldLength = fields.number(UInt32.self)
    else { return nil }
    let length = Int64(pieceLength)
    let count = Int64((total - 1) / length + 1)
    guard Int64(bitfieldLength) == (count + 7) / 8, let bits = fields.bytes(Int(bitfieldLength)),
      hasNoSpareBits(bits, count: Int(count))
    else { return nil }
    var bitfield = Array(bits)
    guard clearUnderWay(&fields, count, length, &bitfield) else { return nil }
    return ForeignProgress(total: total, complete: ranges(of: bitfield, length, total))
  }

  /// The first piece is the most significant bit.
  private static func hasNoSpareBits(_ bitfield: ArraySlice<UInt8>, count: Int) -> Bool {
    count % 8 == 0 || bitfield.last.map { $0 & (0xFF >> UInt8(count % 8)) == 0 } ?? true
  }

  /// False if what follows the bitfield is not what should.
  private static func clearUnderWay(
    _ fields: inout FieldReader, _ count: Int64, _ length: Int64, _ bitfield: inout [UInt8]
  ) -> Bool {
    guard let underWay = fields.number(UInt32.self), Int64(underWay) <= count else { return false }
    for _ in 0..<underWay {
      guard let index = fields.number(UInt32.self), Int64(index) < count, let own = fields.number(UInt32.self),
        own > 0, Int64(own) <= length, let bits = fields.number(UInt32.self), fields.bytes(Int(bits)) != nil
      else { return false }
      bitfield[Int(index) / 8] &= ~(0x80 >> UInt8(index % 8))
    }
    return fields.rest.isEmpty
  }

  private static func ranges(of bitfield: [UInt8], _ length: Int64, _ total: Int64) -> RangeSet {
    var complete = RangeSet()
    for (place, byte) in bitfield.enumerated() where byte != 0 {
      for bit in 0..<8 where byte & (0x80 >> UInt8(bit)) != 0 {
        // No spare bit is set, so this is a piece, and only the last one's end can lie beyond the file's.
        let start = Int64(place * 8 + bit) * length
        complete.insert(ByteRange(start, min(total, start + length)))
      }
    }
    return complete
  }
}
