import SheafCore

/// What a transfer tells the download it works for.
enum TransferNews: Sendable {
  /// A new connection stands to this numeric address, which took so many seconds, and the request goes out.
  case opened(to: String, port: Int, seconds: Double)
  /// An answer has begun to come from this numeric address.
  case connected(to: String)
  /// No connection came about to the address it was told to use, so that `ended` tells of a failure; `isGivenUp` if it
  /// was ended while it still tried.
  case unreached(isGivenUp: Bool)
  /// How long a byte takes there and back, in seconds, now and at the least so far; four times a second at most.
  case roundTrip(seconds: Double, least: Double?)
  /// The head of the answer asks who is asking, in these fields; the verdict follows.
  case challenged([String])
  /// The head of the answer suggests this name, which nobody has made safe yet; the verdict follows.
  case named([UInt8])
  /// The head of the answer says which digests the whole file has; the verdict follows.
  case claimed([DigestClaim])
  /// The head of the answer names other places for the same file, the best first; the verdict follows.
  case offered([Location])
  /// The head of the answer says when the file was changed, in seconds since 1970; the verdict follows.
  case modified(at: Int64)
  /// The head of the answer has been judged.
  case answered(Verdict)
  /// The answer was a redirect to this place.
  case redirected(Location)
  /// These bytes are in the part file and have this CRC-32; they lie within one block.
  case wrote(ByteRange, checksum: UInt32)
  /// The answer has these bytes, which another one brings, with this CRC-32.
  case seam(ByteRange, checksum: UInt32)
  /// All bytes before this offset are in the part file.
  case advanced(to: Int64)
  case ended(TransferEnding)
  /// The transfer is off its loop: always the last word, unless it was aborted.
  case left(keepsConnection: Bool)
  /// Something that the user should know about the answer.
  case warning(String)
  /// The part file could not be written.
  case storageFailed(Failure)
}

/// Takes the news of one download's transfers, on the loop's thread, after each turn.
typealias TransferSink = @Sendable ([(TransferID, TransferNews)]) -> Void
