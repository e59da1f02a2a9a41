/// What the user's own limits mean for one download at a moment.
package struct OwnLimit: Hashable, Sendable {
  /// A connection is worth having from so many bytes per second on.
  private static let leastForConnection: Int64 = 64 << 10
  /// Seconds of the rate that one piece may bring at once.
  private static let piece = 1.0 / 128

  /// Bytes per second that the download may count on, if others that share a limit take their parts; nil is no limit.
  package var bytesPerSecond: Int64?
  /// They are what keeps it from being faster: then the pace of a transfer says nothing about its connection.
  package var isTight: Bool

  package init(bytesPerSecond: Int64? = nil, isTight: Bool = false) {
    self.bytesPerSecond = bytesPerSecond
    self.isTight = isTight
  }

  /// The tightest of several, all of which hold.
  package init(_ limits: [OwnLimit]) {
    bytesPerSecond = limits.compactMap(\.bytesPerSecond).min()
    isTight = limits.contains(where: \.isTight)
  }

  /// More transfers than this are not worth their connections.
  package var mostTransfers: Int {
    guard let bytesPerSecond else { return .max }
    return Int(max(1, bytesPerSecond / Self.leastForConnection))
  }

  /// Bytes that a transfer should read at once, so that many come and none waits long for the next.
  /// - Parameter most: without a limit.
  package func pieceSize(most: Int) -> Int {
    guard let bytesPerSecond else { return most }
    return Int(min(Double(most), max(1024, Double(bytesPerSecond) * Self.piece)))
  }
}
