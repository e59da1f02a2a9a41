/// The status file of lftp's `pget`, `NAME.lftp-pget-status`: lines of text.
///
/// ```
/// size=20971520
/// 0.pos=2621440
/// 0.limit=5242880
/// ```
///
/// Each number is a part that is still to come, from `pos` to before `limit`; parts that are done are left out.
package enum LftpStatusFile {
  package static let suffix = ".lftp-pget-status"

  /// Nil unless the file is complete and free of contradictions.
  package static func parse(_ bytes: [UInt8]) -> ForeignProgress? {
    guard bytes.count <= ForeignProgress.largestFile, bytes.last == UInt8(ascii: "\n") else { return nil }
    var lines = bytes.dropLast().split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
    guard let total = lines.popFirst().flatMap({ value(of: "size", in: $0) }), lines.count % 2 == 0 else { return nil }
    var missing: [ByteRange] = []
    while let first = lines.popFirst(), let second = lines.popFirst() {
      guard let position = value(of: "\(missing.count).pos", in: first),
        let limit = value(of: "\(missing.count).limit", in: second), position <= limit
      else { return nil }
      missing.append(ByteRange(position, limit))
    }
    return missing.isEmpty ? nil : ForeignProgress(total: total, missing: missing)
  }

  private static func value(of name: String, in line: ArraySlice<UInt8>) -> Int64? {
    let parts = line.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].elementsEqual(name.utf8), let value = decimal(parts[1]) else { return nil }
    return value <= ForeignProgress.longest ? value : nil
  }
}
