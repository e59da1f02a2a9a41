/// What a socket is watched for, or is ready for. An error, or the other side's end, makes it ready for both: the next call tells.
struct SocketEvents: OptionSet, Sendable {
  let rawValue: UInt8

  static let readable = SocketEvents(rawValue: 1)
  static let writable = SocketEvents(rawValue: 2)
}
