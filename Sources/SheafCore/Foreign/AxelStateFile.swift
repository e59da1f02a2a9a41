/// The state file of axel 2.17, `NAME.st`, in the writer's order, of which only little endian is read.
///
/// ```
/// number of connections 2 · bytes done 8
/// for each connection: next byte 8 · end 8
/// ```
///
/// The total is not in it: it is what is done and what is still to come together.
package enum AxelStateFile {
  package static let suffix = ".st"

  /// Nil unless the file is complete and free of contradictions.
  package static func parse(_ bytes: [UInt8]) -> ForeignProgress? {
    var fields = FieldReader(bytes, bigEndian: false)
    guard bytes.count <= ForeignProgress.largestFile, let connections = fields.number(UInt16.self), connections > 0,
      bytes.count == 10 + 16 * Int(connections), let done = fields.offset()
    else { return nil }
    var total = done
    var missing: [ByteRange] = []
    for _ in 0..<connections {
      guard let next = fields.offset(), let end = fields.offset(), next <= end, total <= ForeignProgress.longest else {
        return nil
      }
      missing.append(ByteRange(next, end))
      total += end - next
    }
    return ForeignProgress(total: total, missing: missing)
  }
}
