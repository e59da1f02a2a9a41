/// What another program's control file says of its unfinished download.
///
/// It is a hint and no more: anybody can have written it, and it may be older or newer than the bytes beside it.
package struct ForeignProgress: Hashable, Sendable {
  /// Bytes of the whole file.
  package let total: Int64
  /// The bytes that are said to be there.
  package let complete: RangeSet

  /// Files longer than this are not believed in.
  static let longest: Int64 = 1 << 60
  /// Control files of more bytes than this are not read: enough for 4 TiB in pieces of 1 MiB.
  package static let largestFile = 512 << 10

  init(total: Int64, complete: RangeSet) {
    self.total = total
    self.complete = complete
  }

  /// From the bytes that are still to come.
  ///
  /// Nil unless they lie within the file and no two of them overlap: what contradicts itself says nothing.
  init?(total: Int64, missing: [ByteRange]) {
    guard (1...Self.longest).contains(total), missing.allSatisfy({ $0.upper <= total }) else { return nil }
    let missing = missing.filter { !$0.isEmpty }.sorted { $0.lower < $1.lower }
    var complete = RangeSet()
    var position: Int64 = 0
    for range in missing {
      guard position <= range.lower else { return nil }
      complete.insert(ByteRange(position, range.lower))
      position = range.upper
    }
    complete.insert(ByteRange(position, total))
    self.init(total: total, complete: complete)
  }
}
