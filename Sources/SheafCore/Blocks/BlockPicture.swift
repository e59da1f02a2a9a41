/// A bitmap as a row of characters, each for an equal share of the blocks.
package struct BlockPicture: Sendable {
  /// All blocks of the share are there, some are, none is.
  package enum Share: Hashable, Sendable {
    case all, some, none
  }

  package let shares: [Share]

  /// - Parameter width: the most shares; fewer blocks make fewer.
  package init(_ bitmap: Bitmap, width: Int) {
    let count = min(bitmap.count, max(1, width))
    var present = [Int](repeating: 0, count: count)
    for run in bitmap.ranges(where: true) {
      for index in run { present[index * count / bitmap.count] += 1 }
    }
    shares = (0..<count).map { share in
      let first = (share * bitmap.count + count - 1) / count
      let next = ((share + 1) * bitmap.count + count - 1) / count
      return present[share] == 0 ? .none : present[share] == next - first ? .all : .some
    }
  }

  /// `#` for all, `+` for some, `.` for none.
  package var text: String {
    String(shares.map { $0 == .all ? "#" : $0 == .some ? "+" : "." })
  }
}
